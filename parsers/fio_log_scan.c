#include "parsers/fio_logs.h"

#include "base/digits.h"

/* How many unreadable lines are shown; the rest is counted. */
enum { SHOWN = 10, SURVEY_ROWS = 4096 };

/* ---- one row, whatever its columns ---- */

struct row {
	uint64_t c[LOG_COLUMNS];
	int n;
	unsigned hex;          /* bit i: column i is 0x… */
	const char *value_end; /* behind the second column */
	const char *next;      /* behind the line end */
};

static const char *hex_read(const char *p, uint64_t *value)
{
	static const char digits[] = "0123456789abcdef";
	*value = 0;
	for (int n = 0; n < 8; n++, p++) {
		const char *at = *p ? strchr(digits, *p | 0x20) : NULL;
		if (!at)
			return n ? p : NULL;
		*value = *value << 4 | (uint64_t)(at - digits);
	}
	return NULL;
}

/* A whole line that ends with LF or CRLF; false when it is no row of at least two numbers. */
static bool row_read(const char *p, struct row *r)
{
	r->n = 0;
	r->hex = 0;
	for (;;) {
		if (r->n == LOG_COLUMNS)
			return false;
		bool hex = p[0] == '0' && p[1] == 'x';
		p = hex ? hex_read(p + 2, &r->c[r->n]) : digits_read(p, &r->c[r->n]);
		if (!p)
			return false;
		r->hex |= (unsigned)hex << r->n;
		if (++r->n == 2)
			r->value_end = p;
		if (*p == '\r')
			p++;
		if (*p == '\n') {
			r->next = p + 1;
			return r->n > 1;
		}
		if (*p++ != ',')
			return false;
		while (*p == ' ')
			p++;
	}
}

int fio_log_columns(struct slice head)
{
	char line[256 + LOG_PAD] = "";
	size_t n = slice_find_char(head, '\n');
	struct row r = { 0 };
	if (n == (size_t)-1)
		n = head.n;
	if (n > 255)
		return 0;
	memcpy(line, head.p, n);
	line[n] = '\n';
	return row_read(line, &r) ? r.n : 0;
}

/* ---- which columns ---- */

/* Where two have as many columns, the rows tell: a direction is 0 to 3, and no mean is above its maximum. The fifth of
 * five columns is offset or priority; both read alike. */
static const struct fio_log_layout layouts[] = {
	{ "time, value, direction, block size", 4, -1, 2, 3, -1, -1 },
	{ "time, value, direction, block size, offset or priority", 5, -1, 2, 3, 4, -1 },
	{ "time, value, direction, block size, offset, priority", 6, -1, 2, 3, 4, 5 },
	{ "time, mean, maximum, direction, block size, priority", 6, 2, 3, 4, -1, 5 },
	{ "time, value, direction, block size, offset, priority, time of issue", 7, -1, 2, 3, 4, 5 },
	{ "time, mean, maximum, direction, block size, offset, priority", 7, 2, 3, 4, 5, 6 },
	{ "time, mean, maximum, direction, block size, offset, priority, time of issue", 8, 2, 3, 4, 5, 6 },
};
enum { LAYOUTS = sizeof layouts / sizeof *layouts };

static bool fits(const struct fio_log_layout *y, const struct row *r)
{
	unsigned hex = y->prio >= 0 ? 1u << y->prio : y->columns == 5 ? 1u << 4 : 0;
	return r->n == y->columns && r->c[y->ddir] < LOG_OPS && !(r->hex & ~hex) && (y->max < 0 || r->c[y->max] >= r->c[1]);
}

/* What the first rows say: the layout, and whether they are windows. */
static enum status survey(struct fio_log *log, struct slice block)
{
	unsigned possible = (1u << LAYOUTS) - 1, some = 0;
	const char *p = block.p, *end = block.p + block.n;
	uint64_t last[LOG_OPS] = { 0 }, gap = UINT64_MAX;
	bool seen[LOG_OPS] = { false };
	struct row r = { 0 };
	for (int n = 0; p < end && n < SURVEY_ROWS; n++) {
		if (!row_read(p, &r)) {
			p = (const char *)memchr(p, '\n', (size_t)(end - p)) + 1;
			continue;
		}
		p = r.next;
		unsigned of_row = 0;
		for (int i = 0; i < LAYOUTS; i++)
			of_row |= (unsigned)fits(&layouts[i], &r) << i;
		if (of_row & possible)
			possible &= of_row;
		some |= of_row;
		for (int i = 0; i < LAYOUTS && of_row & possible; i++)
			log->some_bs |= fits(&layouts[i], &r) && r.c[layouts[i].bs];
		if (r.n == 4 && r.c[2] < LOG_OPS) {
			uint64_t d = r.c[0] - last[r.c[2]];
			if (seen[r.c[2]] && r.c[0] >= last[r.c[2]] && d < gap)
				gap = d;
			seen[r.c[2]] = true;
			last[r.c[2]] = r.c[0];
		}
	}
	possible &= some;
	if (!possible)
		return STATUS_REJECT;
	unsigned first = (unsigned)__builtin_ctz(possible);
	log->layout = &layouts[first];
	if (possible & (possible - 1)) {
		unsigned second = (unsigned)__builtin_ctz(possible & (possible - 1));
		fio_log_say(log->p, DIAG_ERROR, 1, "has %d columns, which may be (%s) or (%s), and nothing in them tells: not read",
			layouts[first].columns, layouts[first].title, layouts[second].title);
		return STATUS_FATAL;
	}
	/* Up to 2.2 a bandwidth log always had a row for each bwavgtime (500 ms), with the block size of one I/O. */
	log->by_time = log->kind == LOG_BW && log->some_bs && gap != UINT64_MAX && gap >= LOG_WINDOW_MS;
	log->windows = log->by_time || !log->some_bs;
	return STATUS_OK;
}

/* ---- rows to directions and time ---- */

static void add_op(struct fio_log *log, struct fio_log_op *o)
{
	o->stretch = ARENA_ARRAY(log->p->arena, log->windows ? 1 : LOG_STRETCHES, struct hist);
	o->values = ARENA_ARRAY(log->p->arena, LOG_EXACT, uint64_t);
	o->slots = ARENA_ARRAY(log->p->arena, LOG_SLOTS, struct fio_log_slot);
	o->per_slot = 1;
}

static void add_slot(struct fio_log_slot *into, const struct fio_log_slot *from)
{
	if (into->n == 0)
		into->line = from->line;
	into->n += from->n;
	into->sum += from->sum;
	into->bytes += from->bytes;
	if (from->n)
		into->end = from->end;
}

/* Two neighbours become one, so that there is room. */
static void halve(struct fio_log_op *o)
{
	for (size_t i = 0; i < o->n_slots; i += 2) {
		struct fio_log_slot pair = o->slots[i];
		if (i + 1 < o->n_slots)
			add_slot(&pair, &o->slots[i + 1]);
		o->slots[i / 2] = pair;
	}
	size_t n = (o->n_slots + 1) / 2;
	memset(o->slots + n, 0, (LOG_SLOTS - n) * sizeof *o->slots);
	o->n_slots = n;
	o->per_slot *= 2;
}

static void take_window(struct fio_log_op *o, uint64_t time, uint64_t value, uint64_t line)
{
	o->repeats += o->n_slots > 0 && o->last_time == time;
	o->last_time = time;
	if (o->rows_of_last == o->per_slot || o->n_slots == 0) {
		if (o->n_slots == LOG_SLOTS)
			halve(o);
		o->rows_of_last = 0;
		o->n_slots++;
	}
	o->rows_of_last++;
	add_slot(&o->slots[o->n_slots - 1], &(struct fio_log_slot){ .n = 1, .sum = value, .end = time, .line = (uint32_t)line });
}

/* Doubles the slots' length until `time` has one. */
static size_t slot_of(struct fio_log *log, uint64_t time)
{
	while (time / log->slot_ms >= LOG_SLOTS) {
		for (int i = 0; i < LOG_OPS; i++)
			if (log->op[i].values)
				halve(&log->op[i]);
		log->slot_ms *= 2;
	}
	return (size_t)(time / log->slot_ms);
}

/* ---- the bulk ---- */

/* A text of up to 16 bytes that many rows share; where there is none (n = 0), no text is it, as no byte can be 1 under a
 * mask of 0. */
struct common {
	uint64_t bytes[2], mask[2];
	size_t n;
};

static void common_none(struct common *c)
{
	*c = (struct common){ .bytes = { 1, 0 } };
}

static void common_set(struct common *c, const char *p, size_t n)
{
	if (n > 16) {
		common_none(c);
		return;
	}
	c->n = n;
	c->mask[0] = n >= 8 ? UINT64_MAX : (UINT64_C(1) << 8 * n) - 1;
	c->mask[1] = n <= 8 ? 0 : n == 16 ? UINT64_MAX : (UINT64_C(1) << 8 * (n - 8)) - 1;
	c->bytes[0] = digits_load(p) & c->mask[0];
	c->bytes[1] = digits_load(p + 8) & c->mask[1];
}

static inline bool common_is(const struct common *c, const char *p)
{
	return !(((digits_load(p) & c->mask[0]) ^ c->bytes[0]) | ((digits_load(p + 8) & c->mask[1]) ^ c->bytes[1]));
}

/* What a row has behind its value (", 0, 4096, 0\n") is mostly what the last one of that direction had; its time, too.
 * With offsets, what stands before and behind them is. */
struct lane {
	struct common tail;        /* up to the offset where that varies, else all of it */
	struct common rest;        /* behind the offset, where that varies */
	uint64_t bs;
	struct fio_log_slot *slot; /* of the present time; NULL: to be looked up, and always where rows are windows */
	uint64_t *next, *stop;     /* where the op's next value goes; no further than stop */
	uint64_t *settled;         /* values before it are counted in their slot */
};

struct bulk {
	struct common time;
	struct lane lane[LOG_OPS];
	size_t tail_n;                 /* length of the last row's tail: mostly the next one's, which then need not be waited for */
	bool split;                    /* tails are parted at their offset */
	bool begun;                    /* there was a row */
	uint64_t now;                  /* the time that `time` stands for */
	uint64_t at;                   /* the same from the origin */
	uint64_t slot_start, slot_end; /* ms from the origin: where the lanes' slots hold */
	uint64_t stretch_start, stretch_end;
	size_t stretch;                /* that values are of which are not counted yet */
	uint64_t limit;                /* a value above it is looked at more closely */
};

/* Counts the lane's values since the last time in their slot. */
static void settle(struct lane *lane)
{
	uint64_t n = (uint64_t)(lane->next - lane->settled);
	if (lane->slot) {
		lane->slot->n += n;
		lane->slot->bytes += n * lane->bs;
	}
	lane->settled = lane->next;
}

static void leave(struct bulk *b)
{
	for (int i = 0; i < LOG_OPS; i++) {
		settle(&b->lane[i]);
		b->lane[i].slot = NULL;
	}
}

/* Counts the op's values since the last time in their stretch. */
static void count(struct fio_log_op *o, struct lane *lane, size_t stretch)
{
	settle(lane);
	size_t n = (size_t)(lane->next - o->values);
	hist_add_all(&o->stretch[stretch], o->values + o->counted, n - o->counted);
	o->counted = n;
	if (o->emptied) {
		lane->next = lane->settled = o->values;
		o->counted = 0;
	}
}

static void count_all(struct fio_log *log, struct bulk *b)
{
	for (int i = 0; i < LOG_OPS; i++)
		if (log->op[i].values)
			count(&log->op[i], &b->lane[i], b->stretch);
}

/* Out of the way of the loop that calls it for each thousandth row. */
static __attribute__((noinline)) void flush(struct fio_log *log, struct bulk *b, size_t ddir)
{
	struct fio_log_op *o = &log->op[ddir];
	o->emptied = true;
	count(o, &b->lane[ddir], b->stretch);
	b->lane[ddir].stop = o->values + LOG_BATCH;
}

/* Neighbouring stretches become one, so that there is room. */
static void join_stretches(struct fio_log *log)
{
	size_t of = fio_log_join_factor(log->stretch_ms / 1000);
	for (int i = 0; i < LOG_OPS; i++)
		if (log->op[i].stretch)
			fio_log_join(log->op[i].stretch, of);
	log->stretch_ms *= of;
}

/* Windows are means: all of them are in one. */
static void enter_stretch(struct fio_log *log, struct bulk *b)
{
	count_all(log, b);
	if (log->windows) {
		b->stretch_end = UINT64_MAX;
		return;
	}
	while (b->at / log->stretch_ms >= LOG_STRETCHES)
		join_stretches(log);
	b->stretch = (size_t)(b->at / log->stretch_ms);
	b->stretch_start = b->stretch * log->stretch_ms;
	b->stretch_end = b->stretch_start + log->stretch_ms;
}

/* `text`: the time with what parts it from the value. */
static void set_time(struct fio_log *log, struct bulk *b, uint64_t time, struct slice text, uint64_t line)
{
	common_set(&b->time, text.p, text.n);
	if (!b->begun)
		log->origin = fio_log_origin(time);
	b->begun = true;
	if (time < log->last_time) {
		uint32_t *where = log->windows && time == 0 ? &log->restarts : &log->backwards;
		*where = *where ? *where : (uint32_t)line;
	}
	log->last_time = time;
	b->now = time;
	b->at = time < log->origin ? 0 : time - log->origin;
	/* A latency in us is not older than the log; ten times and 5 ms more leave room for every rounding. */
	b->limit = LOG_VALUE_LIMIT - 1;
	if (log->kind >= LOG_LAT && !log->beyond && time < LOG_VALUE_LIMIT / 20000)
		b->limit = (time + 5) * 1000 * 10;
	if (b->at < b->slot_start || b->at >= b->slot_end)
		leave(b);
	if (b->at < b->stretch_start || b->at >= b->stretch_end)
		enter_stretch(log, b);
}

/* False: no value at all. */
static bool look_closely(struct fio_log *log, struct bulk *b, uint64_t value, uint64_t line)
{
	if (value >= LOG_VALUE_LIMIT)
		return false;
	log->beyond = (uint32_t)line;
	b->limit = LOG_VALUE_LIMIT - 1;
	return true;
}

static void find_slot(struct fio_log *log, struct bulk *b, size_t ddir, uint64_t line)
{
	if (b->at / log->slot_ms >= LOG_SLOTS)
		leave(b); /* slots move */
	size_t at = slot_of(log, b->at);
	struct fio_log_op *o = &log->op[ddir];
	b->slot_start = at * log->slot_ms;
	b->slot_end = b->slot_start + log->slot_ms;
	b->lane[ddir].slot = &o->slots[at];
	if (o->slots[at].n == 0)
		o->slots[at].line = (uint32_t)line;
	if (o->n_slots <= at)
		o->n_slots = at + 1;
}

static inline void keep(struct fio_log *log, struct bulk *b, struct lane *lane, size_t ddir, uint64_t value)
{
	*lane->next++ = value;
	if (__builtin_expect(lane->next == lane->stop, 0))
		flush(log, b, ddir);
}

static bool take(struct fio_log *log, struct bulk *b, size_t ddir, uint64_t value, uint64_t bs, uint64_t line)
{
	struct fio_log_op *o = &log->op[ddir];
	struct lane *lane = &b->lane[ddir];
	if (value > b->limit && !look_closely(log, b, value, line))
		return false;
	if (!o->values) {
		add_op(log, o);
		lane->next = lane->settled = o->values;
		lane->stop = o->values + LOG_EXACT;
	}
	if (lane->bs != bs) {
		settle(lane);
		lane->bs = bs;
		common_none(&lane->tail); /* is of the other size */
	}
	if (log->windows)
		take_window(o, b->at, value, line);
	else if (!lane->slot)
		find_slot(log, b, ddir, line);
	keep(log, b, lane, ddir, value);
	return true;
}

/* What the columns behind the direction hold over all rows. Rows with the tail of a former one add nothing. */
static void note_columns(struct fio_log *log, const struct row *r)
{
	const struct fio_log_layout *y = log->layout;
	log->some_bs |= r->c[y->bs] > 0;
	if (y->offset >= 0) {
		log->offset_bits |= r->c[y->offset];
		log->prio_hex |= r->hex >> y->offset & 1;
	}
}

/* Where column n of a row that was read begins. */
static const char *column_of(const char *p, int n)
{
	for (; n > 0; n--) {
		while (*p != ',')
			p++;
		while (*++p == ' ')
			;
	}
	return p;
}

static void set_lane(const struct fio_log *log, struct bulk *b, const char *p, const struct row *r)
{
	const struct fio_log_layout *y = log->layout;
	struct lane *lane = &b->lane[r->c[y->ddir]];
	size_t n = (size_t)(r->next - r->value_end);
	/* The fifth of five columns is an offset once it changes. */
	if (y->columns == 5 && lane->tail.n && !b->split && !common_is(&lane->tail, r->value_end))
		b->split = true;
	if (!b->split) {
		common_set(&lane->tail, r->value_end, n);
		return;
	}
	const char *offset = column_of(p, y->offset), *behind = offset;
	while (*behind >= '0' && *behind <= '9')
		behind++;
	common_set(&lane->tail, r->value_end, (size_t)(offset - r->value_end));
	common_set(&lane->rest, behind, (size_t)(r->next - behind));
}

/* A row in full. */
static const char *take_row(struct fio_log *log, struct bulk *b, const char *p, const char *end, uint64_t line)
{
	const struct fio_log_layout *y = log->layout;
	struct row r = { 0 };
	bool read = row_read(p, &r) && fits(y, &r);
	if (read) {
		if (b->now != r.c[0] || !b->time.n) {
			set_time(log, b, r.c[0], (struct slice){ p, (size_t)(column_of(p, 1) - p) }, line);
		}
		read = take(log, b, (size_t)r.c[y->ddir], r.c[1], r.c[y->bs], line);
	}
	if (!read) {
		const char *stop = memchr(p, '\n', (size_t)(end - p));
		if (log->bad++ < SHOWN) {
			struct slice text = slice_trim((struct slice){ p, (size_t)(stop - p) });
			fio_log_say(log->p, DIAG_WARNING, line, "'%.*s' is no row of this log: it is left out", SLICE_ARG(slice_head(text, 60)));
		}
		return stop + 1;
	}
	note_columns(log, &r);
	size_t ddir = (size_t)r.c[y->ddir];
	if (y->max >= 0) {
		if (r.c[y->max] < LOG_VALUE_LIMIT && r.c[y->max] > log->op[ddir].max)
			log->op[ddir].max = r.c[y->max];
		return r.next;
	}
	set_lane(log, b, p, &r);
	return r.next;
}

/* The end of a row whose tail is its lane's but for the offset; NULL: it is not. */
static const char *skip_offset(struct fio_log *log, const struct lane *lane, const char *offset)
{
	uint64_t value;
	const char *behind = digits_read(offset, &value);
	if (!behind || !common_is(&lane->rest, behind))
		return NULL;
	log->offset_bits |= value;
	return behind + lane->rest.n;
}

static uint64_t take_block(struct fio_log *log, struct bulk *b, struct slice block, uint64_t line)
{
	const char *p = block.p, *end = block.p + block.n;
	for (; p < end; line++) {
		uint64_t time = 0, value = 0;
		bool same = common_is(&b->time, p);
		const char *q = same ? p + b->time.n : digits_read(p, &time);
		if (!same && q)
			q = q[0] == ',' && q[1] == ' ' ? q + 2 : NULL;
		const char *tail = q ? digits_read(q, &value) : NULL;
		size_t ddir = tail ? (size_t)(unsigned char)(tail[2] - '0') : LOG_OPS;
		struct lane *lane = &b->lane[ddir % LOG_OPS];
		if (ddir < LOG_OPS && common_is(&lane->tail, tail)) {
			if (!same)
				set_time(log, b, time, (struct slice){ p, (size_t)(q - p) }, line);
			if (lane->tail.n != b->tail_n)
				b->tail_n = lane->tail.n;
			const char *next = tail + b->tail_n;
			if (b->split)
				next = skip_offset(log, lane, next);
			if (next && lane->slot && value <= b->limit) {
				keep(log, b, lane, ddir, value);
				p = next;
				continue;
			}
		}
		p = take_row(log, b, p, end, line);
	}
	return line;
}

/* A last line that nothing closes may have lost digits of its last number, unless it ends as other rows do. */
static void take_unended(struct fio_log *log, struct bulk *b, struct slice rest, uint64_t line)
{
	char *text = arena_alloc(log->p->arena, rest.n + 1 + LOG_PAD);
	struct row r = { 0 };
	memcpy(text, rest.p, rest.n);
	text[rest.n] = '\n';
	struct slice whole = { text, rest.n + 1 };
	if (row_read(text, &r) && fits(log->layout, &r) && common_is(&b->lane[r.c[log->layout->ddir]].tail, r.value_end))
		take_block(log, b, whole, line);
	else
		fio_log_say(log->p, DIAG_WARNING, line, "the last line has no end: it may be cut, and is left out");
}

/* All stretches together; the op knows how many rows there were, and whether it still has all values. */
static void total(struct fio_log *log, struct bulk *b)
{
	leave(b);
	count_all(log, b);
	for (int i = 0; i < LOG_OPS; i++) {
		struct fio_log_op *o = &log->op[i];
		for (size_t k = 0; o->stretch && k < (log->windows ? 1 : LOG_STRETCHES); k++)
			hist_merge(&o->hist, &o->stretch[k]);
		o->n_values = o->emptied ? 0 : o->counted;
		log->rows += o->rows = o->hist.n;
	}
}

enum status fio_log_scan(struct fio_log *log)
{
	struct fio_log_lines lines = fio_log_lines_of(log->p);
	struct bulk b = { .limit = LOG_VALUE_LIMIT - 1 };
	struct slice block;
	bool unended;
	common_none(&b.time);
	for (int i = 0; i < LOG_OPS; i++)
		common_none(&b.lane[i].tail);
	while (fio_log_more(&lines, &block, &unended)) {
		if (!log->layout) {
			enum status status = unended ? STATUS_REJECT : survey(log, block);
			if (status != STATUS_OK)
				return status;
			b.split = log->layout->columns > 5 && log->layout->offset >= 0;
		}
		if (unended)
			take_unended(log, &b, block, lines.line);
		else
			lines.line = take_block(log, &b, block, lines.line);
	}
	log->bad += lines.long_lines;
	total(log, &b);
	if (log->bad > SHOWN || lines.long_lines)
		fio_log_say(log->p, DIAG_WARNING, 0, "%llu lines are no rows of this log and are left out", (unsigned long long)log->bad);
	return (log->layout || lines.long_lines) && log->rows == 0 ? STATUS_REJECT : STATUS_OK;
}
