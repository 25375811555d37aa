/* date: the dates that tools and batch systems print. */
#ifndef PARSERS_DATE_H
#define PARSERS_DATE_H

#include "base/slice.h"

/* Unix time of "Mon Nov  2 09:00:02 2026" (also with a zone, or an epoch behind it), "11/02/2026 09:00:02",
 * "2026-11-02T09:00:02" and "2026-11-02 09:00:02"; NAN when it is none of these, or no such time. An epoch that stands
 * behind the date is taken as it is. Else the time is read as UTC, *zoned telling whether the text says so (only UTC,
 * GMT and Z are known; with another zone: NAN). */
double date_read(struct slice text, bool *zoned);

#endif
