#define PCRE2_CODE_UNIT_WIDTH 8
#include "base/regex.h"

#include "base/arena.h"

#include <pcre2.h>
#include <stdio.h>
#include <stdlib.h>

_Static_assert(PCRE2_UNSET == SIZE_MAX, "regex_part relies on it");

/* A pattern that needs more than this on one line is hostile input; the line then does not match. */
enum { MATCH_LIMIT = 200000, DEPTH_LIMIT = 2000, HEAP_LIMIT_KIB = 4096 };

/* The first bytes come from PCRE2's study of a pattern. For matching the study is left out: it makes each attempt look
 * thousands of bytes ahead for a byte that every match has, which in long lines costs more than it saves. */
struct regex {
	pcre2_code *code;
	bool first[256];
	pcre2_match_data *data;
	const PCRE2_SIZE *at;    /* in data: where each group begins and ends */
	pcre2_match_context *limits;
	bool jit;
};

static bool prepare(struct regex *r, char *error, size_t size)
{
	uint32_t groups = 0;
	pcre2_pattern_info(r->code, PCRE2_INFO_CAPTURECOUNT, &groups);
	if (groups >= REGEX_GROUPS) {
		snprintf(error, size, "has %u groups, at most %d are possible", (unsigned)groups, REGEX_GROUPS - 1);
		return false;
	}
	r->data = pcre2_match_data_create_from_pattern(r->code, NULL);
	r->limits = pcre2_match_context_create(NULL);
	if (!r->data || !r->limits) {
		snprintf(error, size, "is too large for the memory");
		return false;
	}
	r->at = pcre2_get_ovector_pointer(r->data);
	pcre2_set_match_limit(r->limits, MATCH_LIMIT);
	pcre2_set_depth_limit(r->limits, DEPTH_LIMIT);
	pcre2_set_heap_limit(r->limits, HEAP_LIMIT_KIB);
	r->jit = pcre2_jit_compile(r->code, PCRE2_JIT_COMPLETE) == 0;
	return true;
}

static void study_first_bytes(const pcre2_code *code, bool set[256])
{
	const uint8_t *map = NULL;
	uint32_t type = 0, unit = 0;
	pcre2_pattern_info(code, PCRE2_INFO_FIRSTBITMAP, &map);
	pcre2_pattern_info(code, PCRE2_INFO_FIRSTCODETYPE, &type);
	pcre2_pattern_info(code, PCRE2_INFO_FIRSTCODEUNIT, &unit);
	for (unsigned b = 0; b < 256; b++) {
		if (type == 1) /* whether case counts is not told: both cases are possible */
			set[b] = b == unit || ((b | 0x20) == (unit | 0x20) && (b | 0x20) >= 'a' && (b | 0x20) <= 'z');
		else
			set[b] = !map || map[b / 8] >> b % 8 & 1;
	}
}

struct regex *regex_compile(const char *pattern, char *error, size_t size)
{
	int code;
	PCRE2_SIZE at;
	const uint32_t options = PCRE2_ANCHORED | PCRE2_NEVER_UTF | PCRE2_NEVER_BACKSLASH_C;
	struct regex *r = mem_alloc(sizeof *r);
	*r = (struct regex){ .code = pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED, options, &code, &at, NULL) };
	if (r->code) {
		study_first_bytes(r->code, r->first);
		pcre2_code_free(r->code);
		r->code = pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED, options | PCRE2_NO_START_OPTIMIZE, &code, &at,
			NULL);
	}
	if (!r->code) {
		PCRE2_UCHAR text[128];
		pcre2_get_error_message(code, text, sizeof text);
		snprintf(error, size, "%s at offset %zu", (const char *)text, (size_t)at);
	} else if (prepare(r, error, size)) {
		return r;
	}
	regex_free(r);
	return NULL;
}

void regex_free(struct regex *r)
{
	if (!r)
		return;
	pcre2_match_context_free(r->limits);
	pcre2_match_data_free(r->data);
	pcre2_code_free(r->code);
	free(r);
}

static int match(const struct regex *r, struct slice text, size_t from)
{
	PCRE2_SPTR p = (PCRE2_SPTR)(text.p ? text.p : "");
	return r->jit ? pcre2_jit_match(r->code, p, text.n, from, 0, r->data, r->limits)
	              : pcre2_match(r->code, p, text.n, from, 0, r->data, r->limits);
}

unsigned regex_match(const struct regex *r, struct slice text, size_t from, struct slice groups[REGEX_GROUPS])
{
	if (match(r, text, from) <= 0)
		return 0;
	unsigned all = pcre2_get_ovector_count(r->data);
	for (unsigned i = 0; i < all; i++)
		groups[i] = regex_part(r->at, text, i);
	return all;
}

const size_t *regex_find(const struct regex *r, struct slice text, size_t from)
{
	return match(r, text, from) > 0 ? r->at : NULL;
}

unsigned regex_groups(const struct regex *r)
{
	return pcre2_get_ovector_count(r->data);
}

unsigned regex_group(const struct regex *r, const char *name)
{
	int n = pcre2_substring_number_from_name(r->code, (PCRE2_SPTR)name);
	return n > 0 ? (unsigned)n : 0;
}

void regex_first_bytes(const struct regex *r, bool set[256])
{
	memcpy(set, r->first, sizeof r->first);
}
