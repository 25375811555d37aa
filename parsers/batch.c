#include "parsers/batch.h"

#include "base/num.h"
#include "parsers/date.h"

#include <math.h>

static struct slice kept(struct rules *r, struct slice text)
{
	return arena_copy(r->parse->arena, slice_trim(text));
}

/* ---- the job's number ---- */

static struct slice digits_from(struct slice text, size_t from)
{
	size_t to = from;
	while (to < text.n && text.p[to] >= '0' && text.p[to] <= '9')
		to++;
	return (struct slice){ text.p + from, to - from };
}

struct slice batch_job_of(struct slice file_name)
{
	struct slice base = file_name, digits;
	for (size_t i = file_name.n; i > 0 && base.n == file_name.n; i--)
		if (file_name.p[i - 1] == '/' || file_name.p[i - 1] == '!')
			base = slice_from(file_name, i);
	if (slice_starts(base, "slurm-"))
		return digits_from(base, 6);
	for (size_t i = base.n; i > 2; i--) {
		bool numbered = base.p[i - 2] == '.' && (base.p[i - 1] == 'o' || base.p[i - 1] == 'e');
		digits = numbered ? digits_from(base, i) : SLICE_NONE;
		if (digits.n && (i + digits.n == base.n || base.p[i + digits.n] == '.'))
			return digits;
	}
	return SLICE_NONE;
}

static void see_name(struct rules *r)
{
	struct batch *b = r->state;
	if (b->job.n)
		return;
	b->job = batch_job_of(slice_of(r->parse->source->name));
	b->job_pos = (struct pos){ .source = r->parse->source };
}

void batch_params(struct rules *r)
{
	struct batch *b = r->state;
	see_name(r);
	if (b->job.n)
		rules_param(r, "job", b->job, b->job_pos);
}

/* ---- times ---- */

void batch_tool_time(struct rules *r, struct slice date, bool end)
{
	struct batch *b = r->state;
	bool zoned;
	double *t = end ? &b->tool_stopped : &b->tool_started, read = date_read(date, &zoned);
	if (isnan(read))
		return;
	if (end || *t == 0)
		*t = read;
	b->clock_assumed |= !zoned;
}

/* ---- runs ---- */

void batch_fails(struct rules *r, struct slice why, struct pos at)
{
	struct batch *b = r->state;
	if (!b->why.n || b->why_vague) {
		b->why = kept(r, why);
		b->why_pos = at;
	}
	b->failed = true;
	b->why_vague = false;
}

static void fails_vaguely(struct rules *r, struct slice why)
{
	struct batch *b = r->state;
	bool vague = b->why_vague || !b->why.n;
	if (!b->why.n)
		batch_fails(r, why, rules_here(r));
	b->failed = true;
	b->why_vague = vague;
}

static void forget_run(struct batch *b)
{
	b->over = b->killed = b->failed = b->why_vague = b->clock_assumed = false;
	b->why = SLICE_NONE;
	b->tool_started = b->tool_stopped = 0;
}

void batch_next_run(struct rules *r)
{
	struct batch *b = r->state;
	b->over = true;
	rules_next_run(r);
	forget_run(b);
}

static void meta(struct rules *r, const char *key, struct slice value, struct pos at)
{
	if (value.n)
		rules_meta(r, key, value, at);
}

static struct slice number(struct rules *r, double value)
{
	char text[NUM_FORMAT_SIZE];
	return arena_copy(r->parse->arena, (struct slice){ text, num_format(text, value) });
}

/* LAG: s that clocks of one site may differ by. */
enum { LAG = 60, QUARTER = 900, HOUR = 3600, DAY = 86400, ZONES_MAX = 14 * HOUR };

/* Zones differ from UTC by hours, few of them by half or quarter hours. What is to be taken off a time `late` after the
 * beginning of its job so that it lies in the job; NAN: nothing helps. `length` NAN: the job's end isn't told. */
static double zone_of(double late, double length)
{
	static const double steps[] = { HOUR, 2 * QUARTER, QUARTER };
	double latest = isnan(length) ? DAY : length + LAG;
	if (late >= -LAG && late <= latest)
		return 0;
	for (size_t i = 0; !isnan(length) && i < sizeof steps / sizeof *steps; i++) {
		double zone = floor((late + LAG) / steps[i]) * steps[i];
		if (fabs(zone) <= ZONES_MAX && late - zone <= latest)
			return zone;
	}
	return NAN;
}

static void find_zone(struct rules *r, struct pos at)
{
	struct batch *b = r->state;
	double seen = b->tool_started > 0 ? b->tool_started : b->tool_stopped, late = seen - b->started;
	if (!b->clock_assumed || !b->zoned || seen <= 0)
		return;
	double length = b->stopped >= b->started ? b->stopped - b->started : NAN, zone = zone_of(late, length);
	if (isnan(zone)) {
		b->tool_started = b->tool_stopped = 0;
		b->clock_assumed = false;
		rules_diag(r, DIAG_NOTE, at, "the tool's own times are not within the job, in whatever zone: "
			"the batch system's count");
		return;
	}
	/* UTC is no longer a guess where no other zone would do. */
	b->clock_assumed = zone == 0 && late >= QUARTER && !(length < HOUR);
	if (zone == 0)
		return;
	b->tool_started -= b->tool_started > 0 ? zone : 0;
	b->tool_stopped -= b->tool_stopped > 0 ? zone : 0;
	rules_diag(r, DIAG_NOTE, at, "the tool's clock is %g h %s of UTC, as the batch system's times tell",
		fabs(zone) / HOUR, zone > 0 ? "ahead" : "behind");
}

static void give_times(struct rules *r, struct pos at)
{
	find_zone(r, at);
	const struct batch *b = r->state;
	double started = b->tool_started > 0 ? b->tool_started : b->started;
	double stopped = b->tool_stopped > 0 ? b->tool_stopped : b->stopped;
	rules_times(r, started > 0 ? started : NAN, stopped > 0 ? stopped : NAN);
	if (started > 0)
		meta(r, "started", number(r, started), at);
	if (stopped > 0)
		meta(r, "stopped", number(r, stopped), at);
	if (b->clock_assumed)
		rules_option(r, "clock", SLICE("no zone is printed: taken as UTC"), at);
}

void batch_give(struct rules *r, enum job_state state, const char *why)
{
	static const char *const names[] = { [JOB_COMPLETE] = "complete", [JOB_INCOMPLETE] = "incomplete",
		[JOB_FAILED] = "failed", [JOB_UNVERIFIED] = "verification-failed" };
	struct batch *b = r->state;
	struct pos at = b->why.n ? b->why_pos : (struct pos){ .source = r->parse->source };
	struct slice reason = slice_of(why);
	see_name(r);
	if (b->killed && state < JOB_FAILED)
		state = JOB_INCOMPLETE;
	else if (b->failed && state < JOB_FAILED)
		state = JOB_FAILED;
	if (b->why.n && state != JOB_COMPLETE)
		reason = b->why;
	meta(r, "job", b->job, b->job_pos);
	meta(r, "job_name", b->name, at);
	meta(r, "nodes", b->nodes, at);
	meta(r, "resources", b->resources, at);
	if (b->attempt > 1)
		meta(r, "attempt", arena_u64(r->parse->arena, b->attempt), at);
	meta(r, "state", slice_of(names[state]), at);
	if (state != JOB_COMPLETE)
		meta(r, "state_reason", reason, at);
	give_times(r, at);
	if (state != JOB_COMPLETE)
		rules_diag(r, DIAG_WARNING, at, "%s%s%.*s", state == JOB_UNVERIFIED ? "the data that were read back are wrong" :
			state == JOB_FAILED ? "the run failed" : "the run is incomplete", reason.n ? ": " : "",
			SLICE_ARG(slice_head(reason, 200)));
}

/* ---- lines ---- */

/* The same number again in one file: the batch system has put the job in its queue a second time. */
bool batch_on_prologue(struct rules *r)
{
	struct batch *b = r->state;
	bool zoned;
	batch_next_run(r);
	double started = date_read(rules_group(r, 0), &zoned);
	b->started = isnan(started) || !zoned ? 0 : started;
	b->zoned = b->started > 0;
	b->stopped = 0;
	b->nodes = b->resources = SLICE_NONE;
	b->attempt++;
	return true;
}

bool batch_on_epilogue(struct rules *r)
{
	struct batch *b = r->state;
	bool zoned;
	double stopped = date_read(rules_group(r, 0), &zoned);
	if (!isnan(stopped) && zoned)
		b->stopped = stopped;
	return true;
}

bool batch_on_job(struct rules *r)
{
	struct batch *b = r->state;
	struct slice job = rules_group(r, 0);
	if (!slice_eq(job, b->job)) {
		b->job = kept(r, job);
		b->job_pos = rules_here(r);
		b->attempt = b->attempt > 0;
	}
	return true;
}

bool batch_on_nodes(struct rules *r)
{
	struct batch *b = r->state;
	b->nodes = kept(r, rules_group(r, 0));
	return true;
}

bool batch_on_name(struct rules *r)
{
	struct batch *b = r->state;
	b->name = kept(r, rules_group(r, 0));
	return true;
}

bool batch_on_resources(struct rules *r)
{
	struct batch *b = r->state;
	b->resources = kept(r, rules_group(r, 0));
	return true;
}

/* PBS gives 256 + the number of the signal that ended the job. */
bool batch_on_exit(struct rules *r)
{
	struct batch *b = r->state;
	double code = 0, by_signal = 0;
	num_double(rules_group(r, 0), &code);
	num_double(rules_group(r, 1), &by_signal);
	if (code != 0 || by_signal != 0)
		fails_vaguely(r, r->text->line);
	if (code >= 256 || by_signal != 0)
		b->killed = true;
	return true;
}

bool batch_on_times(struct rules *r)
{
	struct batch *b = r->state;
	bool zoned;
	double start = date_read(rules_group(r, 0), &zoned), end = date_read(rules_group(r, 1), &zoned);
	if (!isnan(start)) {
		b->started = start;
		b->zoned = zoned;
	}
	if (!isnan(end))
		b->stopped = end;
	b->clock_assumed |= !isnan(start) || !isnan(end);
	return true;
}

bool batch_on_limit(struct rules *r)
{
	struct batch *b = r->state;
	if (!b->killed) {
		b->why = kept(r, rules_group(r, 0));
		b->why_pos = rules_here(r);
		b->why_vague = false;
	}
	b->killed = true;
	return true;
}

bool batch_on_abort(struct rules *r)
{
	fails_vaguely(r, rules_group(r, 0));
	return true;
}
