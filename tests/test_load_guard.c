#include "loadgen/guard.h"

#include "base/buf.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cmocka.h>

static const char *const destroyed[] = { "/dev/nvme0n1", "/dev/nvme1n1" };

/* A verdict for each thing that may be found, and what its text must hold; NULL: the target may be used. */
static void test_verdicts(void **state)
{
	static const struct guard_consent nothing = { 0 };
	static const struct guard_consent all = { .use_existing = true, .sized = true, .destroy = destroyed, .n_destroy = 2 };
#define BLOCK(name, is) .kind = GUARD_BLOCK, .path = name, .real = is, .size = 1
#define PLAIN(name) .kind = GUARD_FILE, .path = name, .real = "/d/" name, .size = 10
	static const struct {
		struct guard_facts facts;
		const struct guard_consent *consent;
		const char *says;
	} rows[] = {
		/* Nothing is said: nothing may be used. */
		{ { .kind = GUARD_MISSING, .path = "new", .real = "new" }, &nothing, "--size" },
		{ { PLAIN("old") }, &nothing, "--use-existing" },
		{ { BLOCK("/dev/nvme0n1", "/dev/nvme0n1") }, &nothing, "--destroy-data=/dev/nvme0n1" },
		/* What was agreed to. */
		{ { .kind = GUARD_MISSING, .path = "new", .real = "new" }, &all, NULL },
		{ { PLAIN("old") }, &all, NULL },
		{ { BLOCK("/dev/nvme0n1", "/dev/nvme0n1") }, &all, NULL },
		{ { BLOCK("/dev/nvme1n1", "/dev/nvme1n1") }, &all, NULL },
		/* Exactly that device: no beginning, no link's name, no other one. */
		{ { BLOCK("/dev/nvme0n1p1", "/dev/nvme0n1p1") }, &all, "--destroy-data=/dev/nvme0n1p1" },
		{ { BLOCK("/dev/nvme0n", "/dev/nvme0n") }, &all, "--destroy-data=/dev/nvme0n" },
		{ { BLOCK("/dev/nvme0n1", "/dev/sda") }, &all, "is /dev/sda, a block device" },
		{ { BLOCK("link", "/dev/nvme0n1") }, &all, NULL },
		/* --use-existing is for files, --destroy-data for devices. */
		{ { BLOCK("file", "/dev/sda") }, &all, "--destroy-data=/dev/sda" },
		/* Consent to destroy data is none to pull a device out from under those who use it. */
		{ { BLOCK("/dev/nvme0n1", "/dev/nvme0n1"), .use = "is mounted on /data" }, &all, "is mounted on /data" },
		{ { BLOCK("/dev/nvme0n1", "/dev/nvme0n1"), .content = "holds a file system (xfs)" }, &all,
		  "wipefs --all /dev/nvme0n1" },
		{ { BLOCK("/dev/nvme0n1", "/dev/nvme0n1"), .doubt = "can't be looked into" }, &all, "can't be looked into" },
		{ { PLAIN("disk.img"), .content = "holds a partition table (gpt)" }, &all, "partition table (gpt)" },
		{ { PLAIN("swapfile"), .use = "is used as swap" }, &all, "is used as swap" },
		{ { PLAIN("f"), .doubt = "can't be looked into" }, &all, "can't be looked into" },
		{ { .kind = GUARD_MISSING, .path = "l", .real = "l", .doubt = "is a link that leads nowhere" }, &all, "leads nowhere" },
		{ { .kind = GUARD_OTHER, .path = "d", .real = "/d", .other = "is a directory" }, &all, "is a directory" },
	};
	(void)state;
	struct arena a = ARENA_EMPTY;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *said = guard_verdict(&a, &rows[i].facts, rows[i].consent);
		if (!rows[i].says)
			assert_null(said);
		else if (!said || !strstr(said, rows[i].says) || strncmp(said, rows[i].facts.path, strlen(rows[i].facts.path)) != 0)
			fail_msg("row %zu: '%s' is not in '%s'", i, rows[i].says, said ? said : "(nothing)");
	}
	arena_free(&a);
}

static void test_mounts(void **state)
{
	static const char text[] =
		"22 27 0:21 / /proc rw,relatime - proc proc rw\n"
		"27 1 254:0 / / rw,relatime shared:1 master:2 - ext4 /dev/vda rw,discard\n"
		"90 27 8:17 /sub /mnt/a\\040b\\134c rw - xfs /dev/sdb1 rw\n"
		"91 27 0:50 / /b rw - btrfs /dev/null rw\n"
		"short line\n";
	(void)state;
	struct arena a = ARENA_EMPTY;
	struct slice s = slice_of(text);
	assert_string_equal(guard_mount_point(&a, s, makedev(254, 0)), "/");
	assert_string_equal(guard_mount_point(&a, s, makedev(8, 17)), "/mnt/a b\\c");
	assert_null(guard_mount_point(&a, s, makedev(8, 16)));
	assert_null(guard_mount_point(&a, s, makedev(8, 1)));
	assert_null(guard_mount_point(&a, SLICE_NONE, makedev(8, 1)));
	arena_free(&a);
}

struct folder {
	char path[64];
	struct arena arena;
};

static int setup(void **state)
{
	struct folder *f = calloc(1, sizeof *f);
	snprintf(f->path, sizeof f->path, "/tmp/assay-guard-XXXXXX");
	*state = f;
	return mkdtemp(f->path) && chdir(f->path) == 0 ? 0 : -1;
}

static int teardown(void **state)
{
	struct folder *f = *state;
	static const char *const names[] = { "plain", "image", "link", "dangling", "swap file" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		unlink(names[i]);
	int done = chdir("/") + rmdir(f->path);
	arena_free(&f->arena);
	free(f);
	return done;
}

static void put(const char *name, size_t size, size_t at, const void *bytes, size_t n)
{
	int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
	assert_true(fd >= 0 && ftruncate(fd, (off_t)size) == 0 && pwrite(fd, bytes, n, (off_t)at) == (ssize_t)n);
	close(fd);
}

static void test_swap(void **state)
{
	struct folder *f = *state;
	struct stat st;
	put("swap file", 4096, 0, "x", 1);
	assert_int_equal(stat("swap file", &st), 0);
	const char *text = arena_printf(&f->arena, "Filename\t\t\t\tType\t\tSize\tUsed\tPriority\n"
		"%s/swap\\040file file 4092 0 -2\n", f->path);
	assert_true(guard_is_swap(&f->arena, slice_of(text), false, st.st_dev, st.st_ino));
	assert_false(guard_is_swap(&f->arena, slice_of(text), false, st.st_dev, st.st_ino + 1));
	assert_false(guard_is_swap(&f->arena, slice_of(text), true, st.st_dev, 0));
	assert_false(guard_is_swap(&f->arena, SLICE_NONE, false, st.st_dev, st.st_ino));
}

/* What libblkid is to find, made by hand: a superblock of ext2, a boot record with one partition, a swap header. */
static void test_content(void **state)
{
	struct folder *f = *state;
	static const struct {
		size_t at, n;
		const char *bytes, *says;
	} rows[] = {
		{ 4086, 10, "SWAPSPACE2", NULL }, /* without the rest of its header it is none */
		{ 1024 + 56, 2, "\x53\xef", "file system (ext2)" },
		{ 446, 66, "\x80\x00\x02\x00\x83\x01\x01\x00\x08\x00\x00\x00\x40\x00\x00\x00" "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
		  "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0" "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0" "\x55\xaa", "partition table (dos)" },
		{ 0, 4, "\x01\x02\x03\x04", NULL },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		put("image", 1 << 20, rows[i].at, rows[i].bytes, rows[i].n);
		struct guard_facts facts = guard_look(&f->arena, "image");
		assert_int_equal(facts.kind, GUARD_FILE);
		if (!rows[i].says && facts.content)
			fail_msg("row %zu: %s", i, facts.content);
		if (rows[i].says && (!facts.content || !strstr(facts.content, rows[i].says)))
			fail_msg("row %zu: '%s' is not in '%s'", i, rows[i].says, facts.content ? facts.content : "(nothing)");
	}
}

static void test_looking(void **state)
{
	struct folder *f = *state;
	put("plain", 8192, 0, "data", 4);
	struct guard_facts facts = guard_look(&f->arena, "plain");
	assert_int_equal(facts.kind, GUARD_FILE);
	assert_int_equal(facts.size, 8192);
	assert_null(facts.use);
	assert_null(facts.content);
	assert_null(facts.doubt);
	assert_string_equal(facts.real, arena_printf(&f->arena, "%s/plain", f->path));
	int fd = open("plain", O_RDONLY);
	assert_true(guard_same(&facts, fd));
	close(fd);
	/* Another file of the same name is not what was looked at. */
	assert_int_equal(rename("plain", "image"), 0);
	put("plain", 8192, 0, "data", 4);
	fd = open("plain", O_RDONLY);
	assert_false(guard_same(&facts, fd));
	close(fd);
	assert_int_equal(guard_look(&f->arena, "missing").kind, GUARD_MISSING);
	assert_null(guard_look(&f->arena, "missing").doubt);
	assert_string_equal(guard_look(&f->arena, ".").other, "is a directory");
	assert_string_equal(guard_look(&f->arena, "/dev/null").other, "is a character device");
	assert_int_equal(symlink("/dev/null", "link"), 0);
	assert_string_equal(guard_look(&f->arena, "link").other, "is a character device");
	assert_int_equal(symlink("nowhere/at/all", "dangling"), 0);
	assert_non_null(guard_look(&f->arena, "dangling").doubt);
	assert_non_null(guard_look(&f->arena, "plain/below").doubt);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_verdicts),
		cmocka_unit_test(test_mounts),
		cmocka_unit_test_setup_teardown(test_swap, setup, teardown),
		cmocka_unit_test_setup_teardown(test_content, setup, teardown),
		cmocka_unit_test_setup_teardown(test_looking, setup, teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
