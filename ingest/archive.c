#include "ingest/archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <stdlib.h>

enum { BLOCK = 256 << 10 };

bool archive_is(struct slice head)
{
	static const struct {
		size_t offset;
		struct slice magic;
	} magics[] = {
		{ 0, { "\x1f\x8b\x08", 3 } },         /* gzip */
		{ 0, { "\xfd" "7zXZ", 5 } },          /* xz */
		{ 0, { "BZh", 3 } },                  /* bzip2 */
		{ 0, { "\x28\xb5\x2f\xfd", 4 } },     /* zstd */
		{ 0, { "PK\x03\x04", 4 } },           /* zip */
		{ 0, { "7z\xbc\xaf\x27\x1c", 6 } },   /* 7z */
		{ 257, { "ustar", 5 } },              /* tar */
		{ 0, { "070701", 6 } },               /* cpio, new ASCII */
		{ 0, { "070707", 6 } },               /* cpio, old ASCII */
	};
	for (size_t i = 0; i < sizeof magics / sizeof *magics; i++)
		if (slice_eq(slice_head(slice_from(head, magics[i].offset), magics[i].magic.n), magics[i].magic))
			return true;
	return false;
}

struct reader {
	struct feed feed; /* the present member */
	struct archive *archive;
	uint64_t total;   /* bytes unpacked */
	struct buf *problem;
};

static bool refuse(struct reader *r, const char *what)
{
	const char *why = archive_error_string(r->archive);
	buf_printf(r->problem, "%s%s%s", what, why ? ": " : "", why ? why : "");
	return false;
}

static size_t read_member(struct feed *f, char *into, size_t size)
{
	struct reader *r = (struct reader *)f;
	if (f->failed)
		return 0;
	la_ssize_t got = archive_read_data(r->archive, into, size < BLOCK ? size : BLOCK);
	if (got < 0) {
		f->failed = true;
		refuse(r, "is damaged; what stands before the damage was read");
		return 0;
	}
	r->total += (uint64_t)got;
	/* What was taken in so far says how far it may have grown. */
	uint64_t taken = (uint64_t)archive_filter_bytes(r->archive, -1);
	if (r->total > ARCHIVE_FLOOR && r->total / ARCHIVE_RATIO > taken) {
		f->failed = true;
		refuse(r, "unpacks to more than a thousand times its size: it was not read further");
	}
	return (size_t)got;
}

/* "run.json.gz" holds run.json. */
static const char *single_name(struct arena *a, const char *path)
{
	struct slice name = slice_of(path);
	for (size_t i = name.n; i > 0; i--)
		if (name.p[i - 1] == '/' || name.p[i - 1] == '!') {
			name = slice_from(name, i);
			break;
		}
	static const char *const endings[] = { ".gz", ".xz", ".bz2", ".zst" };
	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
		if (slice_ends(name, endings[i]))
			name.n -= strlen(endings[i]);
	return arena_string(a, name);
}

bool archive_each(const char *path, struct slice whole, archive_member *member, void *ctx, struct buf *problem)
{
	struct reader r = { .feed = { .read = read_member }, .archive = archive_read_new(), .problem = problem };
	struct arena scratch = ARENA_EMPTY;
	struct archive_entry *entry;
	bool ok = r.archive != NULL;
	if (!ok)
		goto out;
	archive_read_support_filter_all(r.archive);
	archive_read_support_format_tar(r.archive);
	archive_read_support_format_gnutar(r.archive);
	archive_read_support_format_zip(r.archive);
	archive_read_support_format_7zip(r.archive);
	archive_read_support_format_cpio(r.archive);
	archive_read_support_format_raw(r.archive);
	if ((whole.p ? archive_read_open_memory(r.archive, whole.p, whole.n) :
		archive_read_open_filename(r.archive, path, BLOCK)) != ARCHIVE_OK) {
		ok = refuse(&r, "can't be unpacked");
		goto out;
	}
	int status;
	while ((status = archive_read_next_header(r.archive, &entry)) == ARCHIVE_OK || status == ARCHIVE_WARN) {
		bool single = archive_format(r.archive) == ARCHIVE_FORMAT_RAW;
		if (!single && archive_entry_filetype(entry) != AE_IFREG)
			continue;
		const char *name = single ? single_name(&scratch, path) : archive_entry_pathname(entry);
		member(ctx, name ? name : "(a name that can't be read)", &r.feed);
		if (r.feed.failed) {
			ok = false;
			goto out;
		}
	}
	if (status != ARCHIVE_EOF)
		ok = refuse(&r, "is damaged; what stands before the damage was read");
out:
	archive_read_free(r.archive);
	arena_free(&scratch);
	return ok;
}
