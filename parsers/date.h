/* date: the dates that tools and batch systems print. */
#ifndef PARSERS_DATE_H
#define PARSERS_DATE_H

#include "base/slice.h"

/* Unix time of "Mon Nov  2 09:00:02 2026" (also with a zone, or an epoch behind it), "11/02/2026 09:00:02",
 * "2026-11-02T09:00:02" (also with Z or "+0100") and "2026-11-02 09:00:02"; NAN when it is none of these, or no such
 * time. An epoch that stands behind the date is taken as it is. Else a time without a zone is read as UTC, and *zoned is
 * false. Of the zones that have names only UTC and GMT are known; another one: NAN. */
double date_read(struct slice text, bool *zoned);

#endif
