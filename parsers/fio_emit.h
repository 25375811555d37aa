/* fio_emit: a document that counts, as results. Used by fio_json.c and fio_emit.c only. */
#ifndef PARSERS_FIO_EMIT_H
#define PARSERS_FIO_EMIT_H

#include "parsers/fio_document.h"

/* Hands on everything in the document as one run. True when something was wrong with it, which was said. */
bool fio_document_emit(struct parse *p, const struct document *d);

#endif
