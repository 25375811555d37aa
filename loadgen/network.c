/* assay-load network: options, and the lines of the result file. */
#include "loadgen/network.h"

#include "loadgen/record.h"

#include <math.h>

enum option_id { OPT_SERVE = LOAD_OPTION_OWN, OPT_LISTEN, OPT_CONNECTIONS, OPT_TESTS, OPT_SIZE, OPT_STREAMS, OPT_RATE,
	OPT_RUNTIME, OPT_INTERVAL, OPT_REVERSE };
enum { CONNECTIONS = 64, CONNECTIONS_MAX = 1024, LIST_MAX = 32 };

static const struct load_option rows[] = {
	{ { "serve", no_argument, NULL, OPT_SERVE }, NULL, "answer clients, until interrupted" },
	{ { "listen", required_argument, NULL, OPT_LISTEN }, "ADDR[:PORT]", "with --serve: 127.0.0.1:48120; :: for all" },
	{ { "connections", required_argument, NULL, OPT_CONNECTIONS }, "N", "with --serve: at most so many at a time, 64" },
	{ { "tests", required_argument, NULL, OPT_TESTS }, "NAMES", "tcp_lat,tcp_bw,udp_lat,udp_bw, or some of them" },
	{ { "size", required_argument, NULL, OPT_SIZE }, "SIZES", "of messages; several are several tests: 64,1k,64k" },
	{ { "streams", required_argument, NULL, OPT_STREAMS }, "NUMBERS", "side by side; several are several tests: 1,4" },
	{ { "rate", required_argument, NULL, OPT_RATE }, "N", "messages per second and stream, timed from when they were due" },
	{ { "runtime", required_argument, NULL, OPT_RUNTIME }, "TIME", "of each test, 10s" },
	{ { "interval", required_argument, NULL, OPT_INTERVAL }, "TIME", "between reports, 1s" },
	{ { "reverse", no_argument, NULL, OPT_REVERSE }, NULL, "tcp_bw: the server sends" },
	{ { NULL, 0, NULL, 0 }, NULL, NULL },
};

static const struct kind {
	const char *name;
	enum network_kind kind;
	double size;         /* where none is asked for */
} kinds[] = {
	{ "tcp_lat", NETWORK_TCP_ECHO, 64 }, { "tcp_bw", NETWORK_TCP_SINK, 128 << 10 }, { "udp_lat", NETWORK_UDP_ECHO, 64 },
	{ "udp_bw", NETWORK_UDP_SINK, 1400 },
};
enum { KINDS = sizeof kinds / sizeof *kinds };

struct network {
	bool serve, reverse;
	const char *listen;
	uint64_t connections;
	bool wanted[KINDS];      /* none: all */
	double sizes[LIST_MAX];
	uint64_t streams[LIST_MAX];
	size_t n_sizes, n_streams;
	double rate, runtime, interval;
};

/* ---- options ---- */

static int take_tests(struct network *n, const char *arg)
{
	struct slice rest = slice_of(arg), word;
	while (slice_cut(&rest, ',', &word)) {
		size_t i = 0;
		while (i < KINDS && !slice_is(word, kinds[i].name))
			i++;
		if (i == KINDS)
			return load_refuse("--tests %s: say tcp_lat, tcp_bw, udp_lat, udp_bw, or several with commas", arg);
		n->wanted[i] = true;
	}
	return -1;
}

static int take_list(struct network *n, int id, const char *arg)
{
	struct arena a = ARENA_EMPTY;
	struct slice rest = slice_of(arg), word;
	bool sizes = id == OPT_SIZE, good = true;
	size_t *count = sizes ? &n->n_sizes : &n->n_streams;
	*count = 0;
	while (good && slice_cut(&rest, ',', &word)) {
		const char *text = arena_string(&a, word);
		if (*count == LIST_MAX) {
			load_refuse("--%s: more than %d of them", sizes ? "size" : "streams", LIST_MAX);
			good = false;
		} else if (sizes) {
			good = load_quantity("size", text, UNIT_B, 1, &n->sizes[*count]);
		} else {
			good = load_count("streams", text, 1, NETWORK_STREAMS_MAX, &n->streams[*count]);
		}
		*count += good;
	}
	arena_free(&a);
	return good ? -1 : LOAD_USAGE;
}

static int take(void *own, int id, const char *arg)
{
	struct network *n = own;
	switch (id) {
	case OPT_SERVE: n->serve = true; return -1;
	case OPT_REVERSE: n->reverse = true; return -1;
	case OPT_LISTEN: n->listen = arg; return -1;
	case OPT_CONNECTIONS: return load_count("connections", arg, 1, CONNECTIONS_MAX, &n->connections) ? -1 : LOAD_USAGE;
	case OPT_TESTS: return take_tests(n, arg);
	case OPT_RATE: return load_quantity("rate", arg, UNIT_PER_S, 1e-3, &n->rate) ? -1 : LOAD_USAGE;
	case OPT_RUNTIME: return load_quantity("runtime", arg, UNIT_S, 0.01, &n->runtime) ? -1 : LOAD_USAGE;
	case OPT_INTERVAL: return load_quantity("interval", arg, UNIT_S, 0.01, &n->interval) ? -1 : LOAD_USAGE;
	default: return take_list(n, id, arg);
	}
}

static bool is_udp(enum network_kind kind)
{
	return kind == NETWORK_UDP_ECHO || kind == NETWORK_UDP_SINK;
}

static bool is_echo(enum network_kind kind)
{
	return kind == NETWORK_TCP_ECHO || kind == NETWORK_UDP_ECHO;
}

static int check_sizes(const struct network *n)
{
	for (size_t i = 0; i < n->n_sizes; i++)
		for (size_t k = 0; k < KINDS; k++) {
			double least = is_udp(kinds[k].kind) ? NETWORK_HEAD : 1;
			double most = is_udp(kinds[k].kind) ? NETWORK_DATAGRAM_MAX : NETWORK_SIZE_MAX;
			if (n->wanted[k] && !(n->sizes[i] >= least && n->sizes[i] <= most))
				return load_refuse("--size %.0f: %s takes %.0f to %.0f bytes", n->sizes[i], kinds[k].name, least, most);
		}
	if (n->runtime * 1e3 > NETWORK_LONGEST_MS)
		return load_refuse("--runtime: at most a day");
	return -1;
}

/* ---- the server ---- */

static void listening(void *ctx, const struct sockaddr_storage *address)
{
	struct arena a = ARENA_EMPTY;
	const struct load_options *o = ctx;
	if (!o->quiet) {
		printf("listening on %s\n", network_address(&a, address));
		fflush(stdout);
	}
	arena_free(&a);
}

static int serve(const struct network *n, struct load_options *o, struct arena *a)
{
	const char *error, *where = n->listen ? n->listen : "127.0.0.1";
	if (o->n_operands)
		return load_refuse("%s: a server takes no target", o->operands[0]);
	struct network_server s = { .place = network_place_of(a, where, NETWORK_PORT), .connections = (unsigned)n->connections,
		.listening = listening, .ctx = o };
	if (!network_serve(&s, load_catch_signals(), &error))
		return load_fail("can't listen on %s port %s: %s", s.place.host, s.place.port, error);
	return LOAD_OK;
}

/* ---- records ---- */

struct session {
	const struct load_options *o;
	struct record *r;
	struct arena *arena;
	const struct network_test *test;
	size_t number;
	bool reverse;
	struct network_sum *total;
	double seconds;
};

/* What the client itself sees of a test. */
static const char *own_side(const struct session *s)
{
	return is_echo(s->test->kind) ? "rtt" : s->reverse ? "received" : "sent";
}

static void put_sum(const struct session *s, const struct network_sum *sum, double seconds, bool total)
{
	struct record *r = s->r;
	record_number(r, "seconds", seconds);
	record_object(r, own_side(s));
	if (is_echo(s->test->kind))
		record_count(r, "sent", sum->tried);
	record_count(r, "ios", sum->done);
	record_count(r, "bytes", sum->bytes);
	if (total && is_echo(s->test->kind)) {
		record_number(r, "loss", sum->tried ? 100 * (double)(sum->tried - sum->done) / (double)sum->tried : NAN);
		record_number(r, "iops", (double)sum->done / seconds);
	} else if (total) {
		record_number(r, "bandwidth", (double)sum->bytes / seconds);
	}
	record_histogram(r, "latency_ns", &sum->latency, total);
	record_close_one(r);
}

static void put_test(const struct session *s)
{
	const struct network_test *t = s->test;
	struct record *r = s->r;
	record_begin(r, "test");
	record_count(r, "test", s->number);
	record_text(r, "name", t->name);
	record_text(r, "time", load_time(s->arena));
	record_number(r, "t", load_now() - r->started);
	record_count(r, "size", t->size);
	record_count(r, "streams", t->streams);
	record_number(r, "rate", t->rate > 0 ? t->rate : NAN);
	record_number(r, "seconds", t->seconds);
	if (s->reverse)
		record_count(r, "reverse", 1);
	record_end(r);
}

static void on_interval(void *ctx, double start, double seconds, const struct network_sum *sum)
{
	struct session *s = ctx;
	struct record *r = s->r;
	record_begin(r, "interval");
	record_count(r, "test", s->number);
	record_count(r, "target", 0);
	record_number(r, "t", start);
	put_sum(s, sum, seconds, false);
	record_end(r);
	s->total->tried += sum->tried;
	s->total->done += sum->done;
	s->total->bytes += sum->bytes;
	hist_merge(&s->total->latency, &sum->latency);
	s->seconds += seconds;
}

static void on_failed(void *ctx, const char *message)
{
	struct session *s = ctx;
	record_event(s->r, DIAG_ERROR, message);
	load_fail("%s", message);
}

/* The other side's word, which has no intervals. */
static void put_report(const struct session *s, const struct network_report *p)
{
	struct record *r = s->r;
	double seconds = (double)p->nanoseconds * 1e-9;
	uint64_t lost = s->total->done > p->messages ? s->total->done - p->messages : 0;
	record_object(r, "received");
	record_count(r, "ios", p->messages);
	record_count(r, "bytes", p->bytes);
	record_number(r, "seconds", seconds);
	record_number(r, "bandwidth", seconds > 0 ? (double)p->bytes / seconds : NAN);
	if (is_udp(s->test->kind)) {
		record_number(r, "loss", s->total->done ? 100 * (double)lost / (double)s->total->done : NAN);
		record_count(r, "repeated", p->repeated);
		record_count(r, "reordered", p->reordered);
	}
	record_close_one(r);
}

static void put_total(const struct session *s, const struct network_outcome *out)
{
	struct record *r = s->r;
	record_begin(r, "total");
	record_count(r, "test", s->number);
	record_text(r, "target", "all");
	if (out->stopped)
		record_flag(r, "stopped", true);
	put_sum(s, s->total, s->seconds, true);
	if (out->reported)
		put_report(s, &out->report);
	record_end(r);
}

static void show_total(const struct session *s, const struct network_outcome *out)
{
	const struct network_sum *t = s->total;
	char text[3][48] = { "", "", "" };
	if (s->o->quiet)
		return;
	fprintf(stderr, "%-8s %8u B × %-3u ", s->test->name, s->test->size, s->test->streams);
	if (is_echo(s->test->kind) && t->latency.n) {
		const double p[] = { 50, 99 };
		for (int i = 0; i < 2; i++)
			quantity_show(text[i], sizeof text[i], hist_percentile(&t->latency, p[i]) * 1e-9, UNIT_S, 4);
		quantity_show(text[2], sizeof text[2], (double)t->done / s->seconds, UNIT_PER_S, 4);
		fprintf(stderr, "round trip p50 %s, p99 %s, %s/s, loss %.3g %%\n", text[0], text[1], text[2],
			100 * (double)(t->tried - t->done) / (double)t->tried);
	} else if (!is_echo(s->test->kind)) {
		double seconds = (double)out->report.nanoseconds * 1e-9;
		quantity_show(text[0], sizeof text[0], (double)t->bytes / s->seconds, UNIT_B_PER_S, 4);
		if (out->reported && seconds > 0)
			quantity_show(text[1], sizeof text[1], (double)out->report.bytes / seconds, UNIT_B_PER_S, 4);
		fprintf(stderr, "%s %s%s%s\n", own_side(s), text[0], *text[1] ? ", received " : "", text[1]);
	} else {
		fputs("nothing came back\n", stderr);
	}
}

/* ---- the client ---- */

struct work {
	struct network_place server;
	struct network_test *tests;
	size_t n, cap;
};

static void plan(const struct network *n, struct arena *a, struct work *w)
{
	bool all = true;
	for (size_t k = 0; k < KINDS; k++)
		all &= !n->wanted[k];
	for (size_t k = 0; k < KINDS; k++)
		for (size_t i = 0; (all || n->wanted[k]) && i < (n->n_sizes ? n->n_sizes : 1); i++)
			for (size_t s = 0; s < (n->n_streams ? n->n_streams : 1); s++) {
				bool source = n->reverse && kinds[k].kind == NETWORK_TCP_SINK;
				*ARENA_PUSH(a, w->tests, w->n, w->cap) = (struct network_test){ .name = kinds[k].name,
					.kind = source ? NETWORK_TCP_SOURCE : kinds[k].kind,
					.size = (uint32_t)(n->n_sizes ? n->sizes[i] : kinds[k].size),
					.streams = n->n_streams ? (unsigned)n->streams[s] : 1,
					.rate = kinds[k].kind == NETWORK_TCP_SINK ? 0 : n->rate, .seconds = n->runtime,
					.interval = n->interval };
			}
}

static bool run_test(struct session *s, const struct work *w, const volatile sig_atomic_t *stop, const char **status)
{
	const struct network_events events = { .ctx = s, .interval = on_interval, .failed = on_failed };
	struct network_outcome out;
	const char *error;
	*s->total = (struct network_sum){ .tried = 0 };
	s->seconds = 0;
	s->reverse = s->test->kind == NETWORK_TCP_SOURCE;
	put_test(s);
	if (!network_run(s->arena, &w->server, s->test, stop, &events, &out, &error)) {
		on_failed(s, error);
		*status = "failed";
		return false;
	}
	put_total(s, &out);
	show_total(s, &out);
	record_flush(s->r);
	*status = out.failed ? "failed" : out.stopped ? "interrupted" : *status;
	return !out.failed && !out.stopped;
}

static int run_tests(struct session *s, const struct work *w, const char *target)
{
	const volatile sig_atomic_t *stop = load_catch_signals();
	const char *status = "complete";
	record_start(s->r, s->arena, s->o);
	record_number(s->r, "expected", (double)w->n * w->tests[0].seconds);
	record_end(s->r);
	record_begin(s->r, "target");
	record_count(s->r, "target", 0);
	record_text(s->r, "path", target);
	record_text(s->r, "kind", "host");
	record_end(s->r);
	for (size_t i = 0; i < w->n; i++) {
		s->test = &w->tests[i];
		s->number = i;
		if (!run_test(s, w, stop, &status))
			break;
	}
	record_finish(s->r, s->arena, status, -1);
	if (!s->o->quiet && strcmp(s->r->path, "-") != 0)
		fprintf(stderr, "results: %s\n", s->r->path);
	return strcmp(status, "complete") == 0 ? LOAD_OK : LOAD_UNFINISHED;
}

static int measure(const struct network *n, struct load_options *o, struct arena *a)
{
	struct record r;
	struct work w = { .n = 0 };
	const char *error;
	if (o->n_operands != 1)
		return load_refuse("say which server: assay-load network ADDR[:PORT]");
	if (check_sizes(n) >= 0)
		return LOAD_USAGE;
	w.server = network_place_of(a, o->operands[0], NETWORK_PORT);
	plan(n, a, &w);
	if (!record_open(&r, a, o->output, "network", &error))
		return load_refuse("%s", error);
	struct session s = { .o = o, .r = &r, .arena = a, .total = ARENA_NEW(a, struct network_sum) };
	int status = run_tests(&s, &w, o->operands[0]);
	if (!record_close(&r, a, &error))
		status = load_fail("%s", error);
	return status;
}

static int run(int argc, char **argv)
{
	struct arena a = ARENA_EMPTY;
	struct network n = { .connections = CONNECTIONS, .runtime = 10, .interval = 1 };
	struct load_options o;
	int status = load_options_parse(&o, &a, &load_network, &n, argc, argv);
	if (status < 0)
		status = n.serve ? serve(&n, &o, &a) : measure(&n, &o, &a);
	arena_free(&a);
	return status;
}

const struct load_kind load_network = {
	.name = "network",
	.summary = "round trips and bandwidth to a server of its own",
	.usage = "[options] ADDR[:PORT]\n       assay-load network --serve [--listen ADDR[:PORT]]",
	.help =
		"Measures TCP and UDP between a client and `assay-load network --serve` on another machine:\n"
		"tcp_lat and udp_lat are round trips, tcp_bw and udp_bw send as much as goes (of UDP so\n"
		"much that a network can be flooded: --rate holds it back).\n"
		"\n"
		"The server listens on this machine only, unless --listen says otherwise. It answers only\n"
		"within a session that a client began over TCP, and to a datagram never with more than came.\n"
		"\n"
		"examples:\n"
		"  assay-load network --serve --listen 10.0.0.5\n"
		"  assay-load network 10.0.0.5 --runtime 30s --streams 1,8 -o network.ndjson\n"
		"  assay-load network 10.0.0.5 --tests udp_lat --rate 1000 --size 64,1k",
	.rows = rows,
	.take = take,
	.run = run,
};
