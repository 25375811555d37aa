/* Every format assay reads: one line each, and an empty line behind them. The order is of no meaning: bids decide. */
#include "parsers/parser.h"

#define PARSERS(X) \
	X(ab) \
	X(assay_load) \
	X(babelstream) \
	X(cloudharmony_csv) \
	X(cloudharmony_fio_csv) \
	X(cloudharmony_json) \
	X(cloudharmony_net_csv) \
	X(cloudharmony_net_options) \
	X(cloudharmony_net_parse) \
	X(cloudharmony_options) \
	X(cloudharmony_spec_csv) \
	X(cloudharmony_suites_csv) \
	X(curl) \
	X(curl_json) \
	X(dd) \
	X(dig) \
	X(elbencho) \
	X(elbencho_csv) \
	X(figures) \
	X(fio_json) \
	X(fio_log) \
	X(fio_log_ns) \
	X(fio_log_us) \
	X(fio_terse) \
	X(fio_text) \
	X(hdparm) \
	X(io500) \
	X(ioping) \
	X(ioping_json) \
	X(ioping_raw) \
	X(ior) \
	X(ior_csv) \
	X(ior_json) \
	X(iperf) \
	X(iperf3) \
	X(iperf3_json) \
	X(mdtest) \
	X(mdtest_csv) \
	X(ping) \
	X(qperf) \
	X(series) \
	X(spec_csv) \
	X(spec_html) \
	X(spec_log) \
	X(spec_rsf) \
	X(spec_text) \
	X(stream) \
	X(sysstat_binary) \
	X(sysstat_json) \
	X(sysstat_lines) \
	X(sysstat_sadf) \
	X(sysstat_text) \
	X(sysstat_unread) \
	X(sysstat_xml) \
	X(transcript) \
	X(unixbench) \
	X(unixbench_csv) \
	X(unixbench_html) \
	X(unixbench_log) \
	X(wrk) \

#define DECLARE(name) extern const struct parser parser_##name;
PARSERS(DECLARE)

#define REFER(name) &parser_##name,
const struct parser *const parsers[] = { PARSERS(REFER) NULL };
