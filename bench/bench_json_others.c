/* bench_json_others MODE DIRECTORY: reads every file once as another reader does, and prints the CPU seconds it took.
 *   floor    open, read, close
 *   jansson  a jansson tree
 *   cjson    a cJSON tree
 * A program of its own: jansson and base/json.h share names. */
#define _GNU_SOURCE
#include <cjson/cJSON.h>
#include <dirent.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

struct bytes {
	char *p;
	size_t n, cap;
};

static double cpu_seconds(void)
{
	struct rusage u;
	getrusage(RUSAGE_SELF, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) + 1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

/* One file into a buffer that is used again, with a NUL behind it. */
static void read_whole(struct bytes *b, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	if (fd < 0 || fstat(fd, &st) != 0)
		fail(path);
	if ((size_t)st.st_size + 1 > b->cap) {
		b->cap = (size_t)st.st_size + 1;
		b->p = realloc(b->p, b->cap);
		if (!b->p)
			fail("realloc");
	}
	ssize_t got;
	b->n = 0;
	while ((got = read(fd, b->p + b->n, b->cap - 1 - b->n)) > 0)
		b->n += (size_t)got;
	if (got < 0)
		fail(path);
	b->p[b->n] = '\0';
	close(fd);
}

static void parse_none(const struct bytes *b)
{
	(void)b;
}

static void parse_jansson(const struct bytes *b)
{
	json_error_t error;
	json_t *root = json_loadb(b->p, b->n, 0, &error);
	if (!root)
		fail("jansson");
	json_decref(root);
}

static void parse_cjson(const struct bytes *b)
{
	cJSON *root = cJSON_ParseWithLength(b->p, b->n);
	if (!root)
		fail("cJSON");
	cJSON_Delete(root);
}

static void each_file(const char *path, void (*parse)(const struct bytes *b))
{
	struct bytes b = { 0 };
	struct dirent **entries = NULL;
	int n = scandir(path, &entries, NULL, alphasort);
	for (int i = 0; i < n; i++) {
		if (entries[i]->d_name[0] != '.') {
			char name[4096];
			snprintf(name, sizeof name, "%s/%s", path, entries[i]->d_name);
			read_whole(&b, name);
			parse(&b);
		}
		free(entries[i]);
	}
	if (n < 0)
		fail(path);
	free(entries);
	free(b.p);
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	double start = cpu_seconds();
	if (strcmp(argv[1], "floor") == 0)
		each_file(argv[2], parse_none);
	else if (strcmp(argv[1], "jansson") == 0)
		each_file(argv[2], parse_jansson);
	else if (strcmp(argv[1], "cjson") == 0)
		each_file(argv[2], parse_cjson);
	else
		return 2;
	printf("%.6f\n", cpu_seconds() - start);
	return 0;
}
