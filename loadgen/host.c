#define _GNU_SOURCE
#include "loadgen/host.h"

#include "base/num.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>
#include <unistd.h>

enum { SMALL = 16384 };

/* As much of a small file of /proc or /sys as fits. */
static struct slice read_small(struct arena *a, const char *path)
{
	char *bytes = arena_alloc(a, SMALL);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t n = 0;
	ssize_t got;
	while (fd >= 0 && n < SMALL && (got = read(fd, bytes + n, SMALL - n)) > 0)
		n += (size_t)got;
	if (fd >= 0)
		close(fd);
	return (struct slice){ bytes, n };
}

const char *host_line(struct arena *a, const char *path)
{
	struct slice text = read_small(a, path);
	text = slice_trim(slice_head(text, slice_find_char(text, '\n')));
	return text.n ? arena_string(a, text) : NULL;
}

/* What stands behind "key" and a separator in a file of such lines; quotes are taken off. */
static const char *value_of(struct arena *a, struct slice text, const char *key, char separator)
{
	struct slice line;
	while (slice_cut(&text, '\n', &line)) {
		size_t at = slice_find_char(line, separator);
		if (at == (size_t)-1 || !slice_is(slice_trim(slice_head(line, at)), key))
			continue;
		struct slice value = slice_trim(slice_from(line, at + 1));
		if (value.n >= 2 && value.p[0] == '"' && value.p[value.n - 1] == '"')
			value = (struct slice){ value.p + 1, value.n - 2 };
		return value.n ? arena_string(a, value) : NULL;
	}
	return NULL;
}

static unsigned count_nodes(void)
{
	unsigned n = 0;
	DIR *d = opendir("/sys/devices/system/node");
	struct dirent *e;
	while (d && (e = readdir(d)))
		n += strncmp(e->d_name, "node", 4) == 0 && e->d_name[4] >= '0' && e->d_name[4] <= '9';
	if (d)
		closedir(d);
	return n;
}

/* "16384000 kB" */
static uint64_t memory_size(struct arena *a, const char *key)
{
	const char *text = value_of(a, read_small(a, "/proc/meminfo"), key, ':');
	struct slice rest = slice_of(text), number;
	uint64_t kib;
	return slice_word(&rest, &number) && num_u64(number, &kib) == NUM_OK ? kib * 1024 : 0;
}

uint64_t host_memory_available(struct arena *a)
{
	return memory_size(a, "MemAvailable");
}

struct host host_facts(struct arena *a, bool name)
{
	struct host h = { .cpu = value_of(a, read_small(a, "/proc/cpuinfo"), "model name", ':'), .numa_nodes = count_nodes(),
		.memory = memory_size(a, "MemTotal"), .os = value_of(a, read_small(a, "/etc/os-release"), "PRETTY_NAME", '=') };
	cpu_set_t set;
	struct utsname u;
	if (sched_getaffinity(0, sizeof set, &set) == 0)
		h.cpus = (unsigned)CPU_COUNT(&set);
	if (uname(&u) == 0) {
		h.kernel = arena_printf(a, "%s %s %s", u.sysname, u.release, u.machine);
		h.name = name ? arena_string(a, slice_of(u.nodename)) : NULL;
	}
	return h;
}

static const char *attribute(struct arena *a, const char *directory, const char *name)
{
	return host_line(a, arena_printf(a, "%s/%s", directory, name));
}

static uint64_t number_of(const char *text)
{
	uint64_t n;
	return text && num_u64(slice_of(text), &n) == NUM_OK ? n : 0;
}

/* "none [mq-deadline] kyber" -> "mq-deadline" */
static const char *chosen(struct arena *a, const char *text)
{
	struct slice s = slice_of(text);
	size_t from = slice_find_char(s, '['), to = slice_find_char(s, ']');
	return from < to && to < s.n ? arena_string(a, (struct slice){ s.p + from + 1, to - from - 1 }) : text;
}

struct device device_facts(struct arena *a, dev_t number)
{
	struct device d = { .rotational = -1 };
	char *path = realpath(arena_printf(a, "/sys/dev/block/%u:%u", major(number), minor(number)), NULL);
	if (!path)
		return d;
	const char *directory = arena_string(a, slice_of(path));
	free(path);
	if (attribute(a, directory, "partition"))
		directory = arena_string(a, slice_head(slice_of(directory), (size_t)(strrchr(directory, '/') - directory)));
	d.name = strrchr(directory, '/') + 1;
	d.model = attribute(a, directory, "device/model");
	/* NVMe and SCSI call it by different names. */
	d.firmware = attribute(a, directory, "device/firmware_rev");
	d.firmware = d.firmware ? d.firmware : attribute(a, directory, "device/rev");
	d.scheduler = attribute(a, directory, "queue/scheduler");
	d.scheduler = d.scheduler ? chosen(a, d.scheduler) : NULL;
	d.write_cache = attribute(a, directory, "queue/write_cache");
	const char *rotational = attribute(a, directory, "queue/rotational");
	d.rotational = rotational ? *rotational == '1' : -1;
	d.logical_block = number_of(attribute(a, directory, "queue/logical_block_size"));
	d.physical_block = number_of(attribute(a, directory, "queue/physical_block_size"));
	return d;
}
