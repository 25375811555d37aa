/* sla_file: an SLA as users write it: an INI file that names a CSV table. */
#ifndef INGEST_SLA_FILE_H
#define INGEST_SLA_FILE_H

#include "model/sla.h"

/* Reads PATH:
 *   [sla]
 *   name    = OCI NVMe performance SLA         required
 *   title   = one line for heads of tables
 *   source  = where it is published
 *   metric  = iops                             required; a name of the metric registry
 *   stat    = value                            which figure of a single measurement counts
 *   where   = op=write                         selector: which measurements concern it at all
 *   require = bs=4096 rw=randwrite direct=1    method conditions; keys of model/method.c or any param
 *   level   = 95 %                             confidence of each bound
 *   rule    = snia                             or cloudharmony
 *   table   = oci-nvme.csv                     required; beside the INI file
 *   hosts   = each                             or total: the limits are of all hosts together
 * The CSV has a row of headings, `shape,minimum`, `shape,maximum` or `shape,limit` (with an operator in the cell), and
 * a row per shape. An unknown key, a value that can't be read or a table without rows makes the file unusable: NULL, and
 * diagnostics with file, line and column. */
struct sla *sla_file_read(struct arena *a, const char *path, struct diags *diags);

#endif
