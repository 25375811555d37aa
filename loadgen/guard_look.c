/* What a target is, what uses it, and what it holds. */
#define _GNU_SOURCE
#include "loadgen/guard.h"

#include "base/buf.h"
#include "base/num.h"
#include "loadgen/host.h"

#include <blkid/blkid.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

enum { PROC_LIMIT = 8 << 20, RELEASE_TRIES = 40 };

/* A whole file of /proc. False when it can't be read to its end. */
static bool read_proc(struct arena *a, const char *path, struct slice *text)
{
	size_t size = 65536, n = 0;
	ssize_t got = -1;
	char *bytes = NULL;
	/* From its start each time: the kernel makes the text anew. */
	for (; size <= PROC_LIMIT; size *= 4) {
		int fd = open(path, O_RDONLY | O_CLOEXEC);
		bytes = arena_alloc(a, size);
		for (n = 0; fd >= 0 && n < size && (got = read(fd, bytes + n, size - n)) > 0;)
			n += (size_t)got;
		if (fd >= 0)
			close(fd);
		if (fd < 0 || got <= 0)
			break;
	}
	*text = (struct slice){ bytes, n };
	return got == 0;
}

/* "\040" is a blank: so the kernel writes paths. */
static const char *unescape(struct arena *a, struct slice s)
{
	struct buf b = BUF_EMPTY;
	for (size_t i = 0; i < s.n; i++) {
		bool octal = s.p[i] == '\\' && i + 3 < s.n;
		for (size_t k = 1; octal && k <= 3; k++)
			octal = s.p[i + k] >= '0' && s.p[i + k] <= '7';
		if (octal) {
			buf_char(&b, (char)((s.p[i + 1] - '0') * 64 + (s.p[i + 2] - '0') * 8 + s.p[i + 3] - '0'));
			i += 3;
		} else {
			buf_char(&b, s.p[i]);
		}
	}
	const char *text = arena_string(a, buf_view(&b));
	buf_free(&b);
	return text;
}

/* "8:1" */
static bool device_number(struct slice text, dev_t *device)
{
	uint64_t high, low;
	size_t colon = slice_find_char(text, ':');
	if (num_u64(slice_head(text, colon), &high) != NUM_OK || num_u64(slice_from(text, colon + 1), &low) != NUM_OK)
		return false;
	*device = makedev((unsigned)high, (unsigned)low);
	return true;
}

static bool is_block_device(const char *path, dev_t device)
{
	struct stat st;
	return path[0] == '/' && stat(path, &st) == 0 && S_ISBLK(st.st_mode) && st.st_rdev == device;
}

/* "36 35 98:0 /root /mount/point options optional… - type source options" */
const char *guard_mount_point(struct arena *a, struct slice mountinfo, dev_t device)
{
	struct slice line, word[5];
	while (slice_cut(&mountinfo, '\n', &line)) {
		struct slice rest = line, type, source = SLICE_NONE;
		bool whole = true;
		dev_t number;
		for (size_t i = 0; i < 5; i++)
			whole = whole && slice_word(&rest, &word[i]);
		if (!whole)
			continue;
		size_t dash = slice_find(rest, SLICE(" - "));
		if (dash != (size_t)-1) {
			rest = slice_from(rest, dash + 3);
			if (!slice_word(&rest, &type) || !slice_word(&rest, &source))
				source = SLICE_NONE;
		}
		if ((device_number(word[2], &number) && number == device) ||
		    (source.n && is_block_device(unescape(a, source), device)))
			return unescape(a, word[4]);
	}
	return NULL;
}

bool guard_is_swap(struct arena *a, struct slice swaps, bool block, dev_t device, ino_t inode)
{
	struct slice line, word;
	slice_cut(&swaps, '\n', &line); /* the heads */
	while (slice_cut(&swaps, '\n', &line)) {
		struct stat st;
		if (!slice_word(&line, &word) || stat(unescape(a, word), &st) != 0)
			continue;
		if (block ? S_ISBLK(st.st_mode) && st.st_rdev == device : st.st_dev == device && st.st_ino == inode)
			return true;
	}
	return false;
}

static const char *value_of(blkid_probe probe, const char *name)
{
	const char *value = NULL;
	return blkid_probe_lookup_value(probe, name, &value, NULL) == 0 ? value : NULL;
}

bool guard_content(struct arena *a, int fd, const char **content)
{
	blkid_probe probe = blkid_new_probe();
	*content = NULL;
	errno = 0;
	if (!probe || blkid_probe_set_device(probe, fd, 0, 0) != 0) {
		blkid_free_probe(probe);
		return false;
	}
	blkid_probe_enable_superblocks(probe, 1);
	blkid_probe_set_superblocks_flags(probe, BLKID_SUBLKS_TYPE | BLKID_SUBLKS_USAGE | BLKID_SUBLKS_LABEL);
	blkid_probe_enable_partitions(probe, 1);
	int found = blkid_do_safeprobe(probe);
	if (found == 0) {
		const char *type = value_of(probe, "TYPE"), *table = value_of(probe, "PTTYPE"), *usage = value_of(probe, "USAGE"),
			*label = value_of(probe, "LABEL");
		if (type)
			*content = arena_printf(a, "holds %s (%s%s%s)", usage && strcmp(usage, "filesystem") == 0 ? "a file system" :
				usage && strcmp(usage, "raid") == 0 ? "a part of a RAID or a volume group" :
				usage && strcmp(usage, "crypto") == 0 ? "an encrypted volume" : "data of a known kind", type,
				label ? ", " : "", label ? label : "");
		else
			*content = arena_printf(a, "holds a partition table (%s)", table ? table : "of an unnamed kind");
	} else if (found == -2) {
		*content = "holds signatures of more than one file system or partition table";
	}
	blkid_free_probe(probe);
	return found != -1;
}

/* The directory of a block device in sysfs; NULL when there is none. */
static const char *sysfs_of(struct arena *a, dev_t device)
{
	char *path = realpath(arena_printf(a, "/sys/dev/block/%u:%u", major(device), minor(device)), NULL);
	const char *copy = path ? arena_string(a, slice_of(path)) : NULL;
	free(path);
	return copy;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

struct look {
	struct arena *arena;
	struct slice mountinfo, swaps;
	struct guard_facts *facts;
};

/* Who builds on a device: a volume group, a RAID, a mapping. */
static const char *holder_of(struct arena *a, const char *sysfs)
{
	const char *directory = arena_printf(a, "%s/holders", sysfs), *name = NULL;
	DIR *d = opendir(directory);
	struct dirent *e;
	while (d && !name && (e = readdir(d)))
		name = e->d_name[0] != '.' ? arena_string(a, slice_of(e->d_name)) : NULL;
	if (d)
		closedir(d);
	if (!name)
		return NULL;
	const char *mapped = host_line(a, arena_printf(a, "%s/%s/dm/name", directory, name));
	return mapped ? arena_printf(a, "%s (%s)", name, mapped) : name;
}

/* What uses this device; `subject` says which it is to the target: "", "its partition sda1 ". */
static void look_at_use(struct look *l, const char *subject, dev_t device, const char *sysfs)
{
	struct guard_facts *f = l->facts;
	if (f->use)
		return;
	const char *where = guard_mount_point(l->arena, l->mountinfo, device);
	const char *holder = sysfs ? holder_of(l->arena, sysfs) : NULL;
	if (where)
		f->use = arena_printf(l->arena, "%sis mounted on %s", subject, where);
	else if (guard_is_swap(l->arena, l->swaps, true, device, 0))
		f->use = arena_printf(l->arena, "%sis used as swap", subject);
	else if (holder)
		f->use = arena_printf(l->arena, "%sis part of %s", subject, holder);
}

static void look_at_relatives(struct look *l, const char *sysfs)
{
	struct arena *a = l->arena;
	dev_t number;
	const char *line;
	DIR *d = opendir(sysfs);
	struct dirent *e;
	while (d && (e = readdir(d))) {
		const char *part = arena_printf(a, "%s/%s", sysfs, e->d_name);
		if (e->d_name[0] == '.' || !host_line(a, arena_printf(a, "%s/partition", part)))
			continue;
		line = host_line(a, arena_printf(a, "%s/dev", part));
		if (line && device_number(slice_of(line), &number))
			look_at_use(l, arena_printf(a, "its partition %s ", e->d_name), number, part);
		if (!l->facts->content)
			l->facts->content = arena_printf(a, "has a partition, %s", e->d_name);
	}
	if (d)
		closedir(d);
	if (!host_line(a, arena_printf(a, "%s/partition", sysfs)))
		return;
	const char *whole = arena_string(a, slice_head(slice_of(sysfs), strlen(sysfs) - strlen(base_name(sysfs)) - 1));
	line = host_line(a, arena_printf(a, "%s/dev", whole));
	if (line && device_number(slice_of(line), &number))
		look_at_use(l, arena_printf(a, "%s, which it is a partition of, ", base_name(whole)), number, whole);
}

/* Loop devices read and write the file behind them. */
static void look_at_loops(struct look *l)
{
	struct arena *a = l->arena;
	DIR *d = opendir("/sys/block");
	struct dirent *e;
	while (d && (e = readdir(d))) {
		const char *behind = strncmp(e->d_name, "loop", 4) == 0
			? host_line(a, arena_printf(a, "/sys/block/%s/loop/backing_file", e->d_name)) : NULL;
		struct stat st;
		if (behind && stat(behind, &st) == 0 && st.st_dev == l->facts->device && st.st_ino == l->facts->inode)
			l->facts->use = arena_printf(a, "is what the device %s consists of", e->d_name);
	}
	if (d)
		closedir(d);
}

/* The kernel lets nobody in who asks for a device alone when anything uses it. A program that has just ended may still
 * do so: the kernel takes down its I/O behind it. */
static int open_alone(const struct guard_facts *f)
{
	bool block = f->kind == GUARD_BLOCK;
	const struct timespec pause = { .tv_nsec = 50000000 };
	for (int tries = 0;; tries++) {
		int fd = open(f->real, O_RDONLY | O_CLOEXEC | O_NONBLOCK | (block ? O_EXCL : 0));
		if (fd >= 0 || errno != EBUSY || f->use || tries == RELEASE_TRIES)
			return fd;
		nanosleep(&pause, NULL);
	}
}

static void look_inside(struct look *l)
{
	struct guard_facts *f = l->facts;
	bool block = f->kind == GUARD_BLOCK;
	int fd = open_alone(f);
	if (fd < 0) {
		if (block && errno == EBUSY && !f->use)
			f->use = "is in use";
		else if (!f->use)
			f->doubt = arena_printf(l->arena, "can't be looked into: %s", strerror(errno));
		return;
	}
	if (block && ioctl(fd, BLKGETSIZE64, &f->size) != 0)
		f->doubt = arena_printf(l->arena, "has no size that can be read: %s", strerror(errno));
	else if (f->size && !f->content && !guard_content(l->arena, fd, &f->content))
		f->doubt = arena_printf(l->arena, "can't be looked into: %s", errno ? strerror(errno) : "libblkid failed");
	close(fd);
}

static const char *kind_of(mode_t mode)
{
	return S_ISDIR(mode) ? "is a directory" : S_ISCHR(mode) ? "is a character device" : S_ISFIFO(mode) ? "is a pipe"
		: S_ISSOCK(mode) ? "is a socket" : "is no file";
}

static void look_around(struct look *l)
{
	struct guard_facts *f = l->facts;
	if (!read_proc(l->arena, "/proc/self/mountinfo", &l->mountinfo))
		f->doubt = "can't be used, as /proc/self/mountinfo can't be read: it could be mounted";
	/* A kernel without swap has no such file. */
	if (!read_proc(l->arena, "/proc/swaps", &l->swaps) && errno != ENOENT)
		f->doubt = "can't be used, as /proc/swaps can't be read: it could be swap";
	if (f->kind == GUARD_BLOCK) {
		const char *sysfs = sysfs_of(l->arena, f->device);
		look_at_use(l, "", f->device, sysfs);
		if (sysfs)
			look_at_relatives(l, sysfs);
	} else {
		if (guard_is_swap(l->arena, l->swaps, false, f->device, f->inode))
			f->use = "is used as swap";
		look_at_loops(l);
	}
	look_inside(l);
}

/* The name that a file would have: its directory resolved. */
static const char *name_to_be(struct arena *a, const char *path)
{
	const char *name = base_name(path);
	struct slice directory = { path, strlen(path) - strlen(name) };
	char *real = realpath(directory.n ? arena_string(a, directory) : ".", NULL);
	const char *whole = real ? arena_printf(a, "%s/%s", strcmp(real, "/") == 0 ? "" : real, name) : path;
	free(real);
	return whole;
}

struct guard_facts guard_look(struct arena *a, const char *path)
{
	struct guard_facts f = { .path = path, .real = path };
	struct stat st;
	if (stat(path, &st) != 0) {
		struct stat link;
		if (errno != ENOENT)
			f.doubt = arena_printf(a, "can't be looked at: %s", strerror(errno));
		else if (lstat(path, &link) == 0)
			f.doubt = "is a link that leads nowhere";
		f.real = name_to_be(a, path);
		return f;
	}
	char *real = realpath(path, NULL);
	f.real = real ? arena_string(a, slice_of(real)) : path;
	free(real);
	f.kind = S_ISREG(st.st_mode) ? GUARD_FILE : S_ISBLK(st.st_mode) ? GUARD_BLOCK : GUARD_OTHER;
	if (f.kind == GUARD_OTHER) {
		f.other = kind_of(st.st_mode);
		return f;
	}
	f.size = (uint64_t)st.st_size;
	f.device = f.kind == GUARD_BLOCK ? st.st_rdev : st.st_dev;
	f.inode = st.st_ino;
	struct look l = { .arena = a, .facts = &f };
	look_around(&l);
	return f;
}
