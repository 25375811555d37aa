#include "report/gnuplot.h"
#include "report/output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PICTURE_MAX = 8 << 20 };

struct workdir {
	const char *path;
	size_t n; /* charts that may have files in it */
};

static bool write_file(const char *path, struct slice bytes)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	bool ok = fd >= 0 && output_put(fd, bytes);
	if (fd >= 0 && close(fd) != 0)
		ok = false;
	return ok;
}

static bool read_file(const char *path, struct buf *out)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	char chunk[16384];
	ssize_t n;
	while ((n = read(fd, chunk, sizeof chunk)) != 0 && out->n < PICTURE_MAX) {
		if (n > 0)
			buf_put(out, chunk, (size_t)n);
		else if (errno != EINTR)
			break;
	}
	close(fd);
	return n == 0 && out->n > 0;
}

static const char *temp_dir(struct arena *a)
{
	const char *base = getenv("TMPDIR");
	char *path = (char *)arena_printf(a, "%s/assay-XXXXXX", base && *base ? base : "/tmp");
	return mkdtemp(path);
}

static void clean(struct arena *a, const struct workdir *dir)
{
	for (size_t i = 0; i < dir->n; i++) {
		unlink(arena_printf(a, "%s/%zu.dat", dir->path, i));
		unlink(arena_printf(a, "%s/%zu.svg", dir->path, i));
	}
	rmdir(dir->path);
}

/* A path as gnuplot's single-quoted string, in which only the quote itself means something. */
static void put_quoted(struct buf *b, const char *s)
{
	buf_char(b, '\'');
	for (; *s; s++) {
		if (*s == '\'')
			buf_char(b, '\'');
		buf_char(b, *s);
	}
	buf_char(b, '\'');
}

/* Starts gnuplot with its standard input on a pipe. Nothing of the user's set-up reaches it. 0 or an errno value. */
static int start(const char *program, const char *home, struct arena *a, pid_t *pid, int *to)
{
	int ends[2];
	if (pipe(ends) != 0)
		return errno;
	fcntl(ends[1], F_SETFD, FD_CLOEXEC);
	const char *path = getenv("PATH");
	char *env[] = { (char *)arena_printf(a, "PATH=%s", path ? path : "/usr/bin:/bin"),
		(char *)arena_printf(a, "HOME=%s", home), (char *)"LC_ALL=C", NULL };
	char *argv[] = { (char *)program, (char *)"-d", NULL };
	posix_spawn_file_actions_t files;
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, ends[0], STDIN_FILENO);
	posix_spawn_file_actions_addclose(&files, ends[0]);
	posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	int error = posix_spawnp(pid, program, &files, NULL, argv, env);
	posix_spawn_file_actions_destroy(&files);
	close(ends[0]);
	if (error) {
		close(ends[1]);
		return error;
	}
	*to = ends[1];
	return 0;
}

/* gnuplot may end early: that must not end us with SIGPIPE. */
static bool feed(int to, struct slice script)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN }, before;
	sigemptyset(&ignore.sa_mask);
	sigaction(SIGPIPE, &ignore, &before);
	bool ok = output_put(to, script);
	close(to);
	sigaction(SIGPIPE, &before, NULL);
	return ok;
}

static bool run(const char *program, const struct workdir *dir, struct script *s, struct diags *diags)
{
	pid_t pid = 0;
	int to = -1, state;
	int error = start(program, dir->path, s->arena, &pid, &to);
	if (error) {
		diag_add(diags, DIAG_WARNING, POS_NONE, "charts were not drawn: can't run %s: %s", program,
			strerror(error));
		return false;
	}
	bool ok = feed(to, buf_view(&s->out));
	while (waitpid(pid, &state, 0) < 0 && errno == EINTR)
		continue;
	if (ok && WIFEXITED(state) && WEXITSTATUS(state) == 0)
		return true;
	if (WIFEXITED(state) && WEXITSTATUS(state) == 127)
		diag_add(diags, DIAG_WARNING, POS_NONE, "charts were not drawn: can't run %s", program);
	else
		diag_add(diags, DIAG_WARNING, POS_NONE, "%s stopped early: some charts were not drawn", program);
	return false;
}

static bool prepare(struct script *s, const struct workdir *dir, struct chart *const *charts, struct diags *diags)
{
	buf_str(&s->out, "cd ");
	put_quoted(&s->out, dir->path);
	buf_char(&s->out, '\n');
	for (size_t i = 0; i < dir->n; i++) {
		chart_script(s, charts[i], i);
		if (write_file(arena_printf(s->arena, "%s/%zu.dat", dir->path, i), buf_view(&s->data)))
			continue;
		diag_add(diags, DIAG_WARNING, POS_NONE, "charts were not drawn: can't write in %s: %s", dir->path,
			strerror(errno));
		return false;
	}
	return true;
}

bool charts_draw(const char *gnuplot, struct chart *const *charts, size_t n, xmlDocPtr doc, xmlNodePtr *pictures,
	struct diags *diags)
{
	struct arena arena = ARENA_EMPTY;
	struct script s = { .arena = &arena };
	struct workdir dir = { temp_dir(&arena), n };
	memset(pictures, 0, n * sizeof *pictures);
	if (!dir.path) {
		diag_add(diags, DIAG_WARNING, POS_NONE, "charts were not drawn: no temporary directory: %s",
			strerror(errno));
		arena_free(&arena);
		return false;
	}
	bool ok = prepare(&s, &dir, charts, diags) && run(gnuplot, &dir, &s, diags);
	for (size_t i = 0; i < n; i++) {
		struct buf svg = BUF_EMPTY;
		if (read_file(arena_printf(&arena, "%s/%zu.svg", dir.path, i), &svg))
			pictures[i] = svg_adopt(doc, buf_view(&svg), s.texts, s.n_texts);
		if (!pictures[i] && ok) {
			diag_add(diags, DIAG_WARNING, POS_NONE, "gnuplot left no picture of '%s'", charts[i]->title);
			ok = false;
		}
		buf_free(&svg);
	}
	clean(&arena, &dir);
	buf_free(&s.out);
	buf_free(&s.data);
	arena_free(&arena);
	return ok;
}
