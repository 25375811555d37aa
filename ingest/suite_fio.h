/* suite_fio: what the suites of fio's logs share. Used by suite_fio*.c only. */
#ifndef INGEST_SUITE_FIO_H
#define INGEST_SUITE_FIO_H

#include "model/run.h"

/* Which kind of log this run is of ("clat"); NULL: it is no log of fio. */
const struct param *fio_log_kind(const struct run *r);
/* Whether a job was told to write a log of this name; of a client's run, on this host. */
bool fio_wrote_log(const struct job *job, const struct run *log);
/* So many jobs of a result were. */
size_t fio_log_writers(const struct run *result, const struct run *log);
/* Says why a log is not put together with others, or with a job. */
void fio_log_apart(struct dataset *d, const struct run *log, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
