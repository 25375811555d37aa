/* assay-load dns. */
#define _GNU_SOURCE
#include "loadgen/dns.h"

#include "loadgen/record.h"

#include <math.h>
#include <time.h>

enum option_id { OPT_SERVER = LOAD_OPTION_OWN, OPT_COUNT, OPT_TYPE, OPT_RATE, OPT_TIMEOUT, OPT_TCP, OPT_INTERVAL };
enum { COUNT = 20, COUNT_MAX = 100000000, DNS_PORT = 53, NXDOMAIN = 3 };
static const double TICK_S = 0.1;

static const struct load_option rows[] = {
	{ { "server", required_argument, NULL, OPT_SERVER }, "ADDR[:PORT]", "which server is asked" },
	{ { "count", required_argument, NULL, OPT_COUNT }, "N", "queries for each name, 20" },
	{ { "type", required_argument, NULL, OPT_TYPE }, "TYPE", "A, AAAA, MX, NS, PTR, SOA, SRV, TXT, CNAME or HTTPS" },
	{ { "rate", required_argument, NULL, OPT_RATE }, "N", "queries per second; times then count from when each was due" },
	{ { "timeout", required_argument, NULL, OPT_TIMEOUT }, "TIME", "after which an answer counts as lost, 2s" },
	{ { "tcp", no_argument, NULL, OPT_TCP }, NULL, "ask over TCP at once, not only when an answer was cut" },
	{ { "interval", required_argument, NULL, OPT_INTERVAL }, "TIME", "between reports, 1s" },
	{ { NULL, 0, NULL, 0 }, NULL, NULL },
};

struct dns {
	const char *server, *type;
	uint64_t count;
	double rate, timeout, interval;
	bool tcp;
};

static int take(void *own, int id, const char *arg)
{
	struct dns *d = own;
	switch (id) {
	case OPT_SERVER: d->server = arg; return -1;
	case OPT_TYPE: d->type = arg; return -1;
	case OPT_TCP: d->tcp = true; return -1;
	case OPT_COUNT: return load_count("count", arg, 1, COUNT_MAX, &d->count) ? -1 : LOAD_USAGE;
	case OPT_RATE: return load_quantity("rate", arg, UNIT_PER_S, 1e-3, &d->rate) ? -1 : LOAD_USAGE;
	case OPT_TIMEOUT: return load_quantity("timeout", arg, UNIT_S, 0.01, &d->timeout) ? -1 : LOAD_USAGE;
	default: return load_quantity("interval", arg, UNIT_S, 0.01, &d->interval) ? -1 : LOAD_USAGE;
	}
}

/* ---- one name ---- */

struct sum {
	uint64_t sent, answered, bytes, errors, strange, tcp;
	struct hist latency;
};

struct session {
	const struct dns *d;
	const struct load_options *o;
	struct arena *arena;
	struct record *r;
	struct network_place server;
	const volatile sig_atomic_t *stop;
	const char *name;
	size_t number;
	struct sum *now, *total;
	double seconds;          /* of the intervals so far */
	unsigned status;         /* of the last answer that was not NOERROR; 0: all were */
};

static void add(struct sum *to, const struct sum *from)
{
	to->sent += from->sent;
	to->answered += from->answered;
	to->bytes += from->bytes;
	to->errors += from->errors;
	to->strange += from->strange;
	to->tcp += from->tcp;
	hist_merge(&to->latency, &from->latency);
}

static void put_sum(const struct session *s, const struct sum *sum, double seconds, bool total)
{
	struct record *r = s->r;
	record_number(r, "seconds", seconds);
	record_object(r, "query");
	record_count(r, "sent", sum->sent);
	record_count(r, "ios", sum->answered);
	record_count(r, "bytes", sum->bytes);
	record_count(r, "errors", sum->errors);
	record_count(r, "strange", sum->strange);
	record_count(r, "tcp", sum->tcp);
	if (total) {
		record_number(r, "loss", sum->sent ? 100 * (double)(sum->sent - sum->answered) / (double)sum->sent : NAN);
		record_number(r, "iops", (double)sum->answered / seconds);
	}
	record_histogram(r, "latency_ns", &sum->latency, total);
	record_close_one(r);
}

static void end_interval(struct session *s, double start, double now)
{
	struct record *r = s->r;
	record_begin(r, "interval");
	record_count(r, "test", s->number);
	record_count(r, "target", 0);
	record_number(r, "t", start);
	put_sum(s, s->now, now - start, false);
	record_end(r);
	add(s->total, s->now);
	s->seconds += now - start;
	*s->now = (struct sum){ .sent = 0 };
}

static void take_result(struct session *s, const struct dns_result *a)
{
	struct sum *now = s->now;
	now->strange += a->strange;
	now->tcp += a->tcp;
	if (!a->answered)
		return;
	now->answered++;
	now->bytes += a->bytes;
	now->errors += a->status != 0 && a->status != NXDOMAIN;
	s->status = a->status ? a->status : s->status;
	hist_add(&now->latency, (uint64_t)(fmax(a->seconds, 0) * 1e9), 1);
}

static void sleep_until(double due, const volatile sig_atomic_t *stop)
{
	for (double left; (left = due - load_now()) > 0 && !*stop;) {
		struct timespec t = { .tv_nsec = (long)(fmin(left, TICK_S) * 1e9) };
		nanosleep(&t, NULL);
	}
}

/* False and a message when the server can't be asked at all. */
static bool ask_all(struct session *s, const char **error)
{
	const struct dns *d = s->d;
	double start = load_now(), begin = 0, now = 0;
	bool good = true;
	for (uint64_t i = 0; i < d->count && good && !*s->stop; i++) {
		struct dns_query q;
		struct dns_result result;
		uint16_t id;
		double due = d->rate > 0 ? start + (double)i / d->rate : 0;
		sleep_until(due, s->stop);
		*error = "there are no random numbers";
		good = network_random(&id, sizeof id) && dns_query(&q, slice_of(s->name), slice_of(d->type), id, error) &&
			dns_ask(&s->server, &q, d->tcp, due, d->timeout, &result, error);
		if (!good)
			break;
		s->now->sent++;
		take_result(s, &result);
		now = load_now() - start;
		if (now - begin >= d->interval) {
			end_interval(s, begin, now);
			begin = now;
		}
	}
	if (s->now->sent)
		end_interval(s, begin, fmax(now, begin + 1e-9));
	return good;
}

/* ---- records ---- */

static void put_test(const struct session *s)
{
	struct record *r = s->r;
	size_t n = strlen(s->name);
	record_begin(r, "test");
	record_count(r, "test", s->number);
	record_text(r, "name", n > 1 && s->name[n - 1] == '.' ? arena_string(s->arena, (struct slice){ s->name, n - 1 }) : s->name);
	record_text(r, "time", load_time(s->arena));
	record_number(r, "t", load_now() - r->started);
	record_text(r, "server", s->server.host);
	record_text(r, "port", s->server.port);
	record_text(r, "qtype", s->d->type);
	record_text(r, "transport", s->d->tcp ? "tcp" : "udp");
	record_count(r, "count", s->d->count);
	record_number(r, "rate", s->d->rate > 0 ? s->d->rate : NAN);
	record_end(r);
}

static void put_total(const struct session *s)
{
	struct record *r = s->r;
	record_begin(r, "total");
	record_count(r, "test", s->number);
	record_text(r, "target", "all");
	if (*s->stop)
		record_flag(r, "stopped", true);
	if (s->total->answered)
		record_text(r, "status", dns_status(s->status));
	put_sum(s, s->total, s->seconds, true);
	record_end(r);
}

static void show_total(const struct session *s)
{
	const struct sum *t = s->total;
	char text[2][48];
	const double p[] = { 50, 99 };
	if (s->o->quiet)
		return;
	for (int i = 0; i < 2 && t->latency.n; i++)
		quantity_show(text[i], sizeof text[i], hist_percentile(&t->latency, p[i]) * 1e-9, UNIT_S, 4);
	if (t->latency.n)
		fprintf(stderr, "%s %s: p50 %s, p99 %s, %llu of %llu answered, %s\n", s->name, s->d->type, text[0], text[1],
			(unsigned long long)t->answered, (unsigned long long)t->sent, dns_status(s->status));
	else
		fprintf(stderr, "%s %s: no answer to %llu queries\n", s->name, s->d->type, (unsigned long long)t->sent);
}

static int run_names(struct session *s, char *const *names, size_t n)
{
	const char *status = "complete", *error;
	bool errors = false;
	record_start(s->r, s->arena, s->o);
	record_end(s->r);
	record_begin(s->r, "target");
	record_count(s->r, "target", 0);
	record_text(s->r, "path", s->d->server);
	record_text(s->r, "kind", "host");
	record_end(s->r);
	for (size_t i = 0; i < n && strcmp(status, "complete") == 0; i++) {
		s->name = names[i];
		s->number = i;
		s->seconds = 0;
		s->status = 0;
		*s->total = (struct sum){ .sent = 0 };
		put_test(s);
		if (!ask_all(s, &error)) {
			record_event(s->r, DIAG_ERROR, error);
			load_fail("%s port %s: %s", s->server.host, s->server.port, error);
			status = "failed";
		}
		if (s->total->sent) {
			put_total(s);
			show_total(s);
		}
		errors |= s->total->errors || s->total->answered < s->total->sent;
		if (*s->stop)
			status = "interrupted";
	}
	record_finish(s->r, s->arena, status, -1);
	if (!s->o->quiet && strcmp(s->r->path, "-") != 0)
		fprintf(stderr, "results: %s\n", s->r->path);
	return strcmp(status, "complete") != 0 ? LOAD_UNFINISHED : errors ? LOAD_ERRORS : LOAD_OK;
}

static int check_names(const struct dns *d, const struct load_options *o)
{
	struct dns_query q;
	const char *error;
	if (!d->server)
		return load_refuse("say which server is asked: --server ADDR");
	if (o->n_operands == 0)
		return load_refuse("say which names are asked for");
	for (size_t i = 0; i < o->n_operands; i++) {
		if (!dns_query(&q, slice_of(o->operands[i]), SLICE("A"), 0, &error))
			return load_refuse("%s: %s", o->operands[i], error);
		if (!dns_query(&q, slice_of(o->operands[i]), slice_of(d->type), 0, &error))
			return load_refuse("--type %s: %s", d->type, error);
	}
	return -1;
}

static int measure(const struct dns *d, const struct load_options *o, struct arena *a)
{
	struct record r;
	const char *error;
	if (check_names(d, o) >= 0)
		return LOAD_USAGE;
	if (!record_open(&r, a, o->output, "dns", &error))
		return load_refuse("%s", error);
	struct session s = { .d = d, .o = o, .arena = a, .r = &r, .server = network_place_of(a, d->server, DNS_PORT),
		.stop = load_catch_signals(), .now = ARENA_NEW(a, struct sum), .total = ARENA_NEW(a, struct sum) };
	int status = run_names(&s, o->operands, o->n_operands);
	if (!record_close(&r, a, &error))
		status = load_fail("%s", error);
	return status;
}

static int run(int argc, char **argv)
{
	struct arena a = ARENA_EMPTY;
	struct dns d = { .type = "A", .count = COUNT, .timeout = 2, .interval = 1 };
	struct load_options o;
	int status = load_options_parse(&o, &a, &load_dns, &d, argc, argv);
	if (status < 0)
		status = measure(&d, &o, &a);
	arena_free(&a);
	return status;
}

const struct load_kind load_dns = {
	.name = "dns",
	.summary = "how long a name server takes to answer",
	.usage = "--server ADDR[:PORT] [options] NAME…",
	.help =
		"Measures the time from a query to its answer, over UDP, and over TCP where the answer does\n"
		"not fit. Each query has a random number and a port of its own; what is no answer to it is\n"
		"left aside. An answer that does not come in time is lost.\n"
		"\n"
		"examples:\n"
		"  assay-load dns --server 169.254.169.254 --count 1000 --rate 50 example.com\n"
		"  assay-load dns --server 10.0.0.2 --type AAAA -o dns.ndjson example.com example.org",
	.rows = rows,
	.take = take,
	.run = run,
};
