#include "parsers/spec_tables.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

static const struct spec_benchmark intrate2017[] = {
	{ "500.perlbench_r", 1592 }, { "502.gcc_r", 1416 }, { "505.mcf_r", 1616 }, { "520.omnetpp_r", 1312 },
	{ "523.xalancbmk_r", 1056 }, { "525.x264_r", 1751 }, { "531.deepsjeng_r", 1146 }, { "541.leela_r", 1656 },
	{ "548.exchange2_r", 2620 }, { "557.xz_r", 1080 },
};
static const struct spec_benchmark fprate2017[] = {
	{ "503.bwaves_r", 10028 }, { "507.cactuBSSN_r", 1266 }, { "508.namd_r", 950 }, { "510.parest_r", 2616 },
	{ "511.povray_r", 2335 }, { "519.lbm_r", 1054 }, { "521.wrf_r", 2240 }, { "526.blender_r", 1523 },
	{ "527.cam4_r", 1749 }, { "538.imagick_r", 2487 }, { "544.nab_r", 1683 }, { "549.fotonik3d_r", 3897 },
	{ "554.roms_r", 1589 },
};
static const struct spec_benchmark intspeed2017[] = {
	{ "600.perlbench_s", 1775 }, { "602.gcc_s", 3982 }, { "605.mcf_s", 4721 }, { "620.omnetpp_s", 1631 },
	{ "623.xalancbmk_s", 1417 }, { "625.x264_s", 1764 }, { "631.deepsjeng_s", 1433 }, { "641.leela_s", 1706 },
	{ "648.exchange2_s", 2940 }, { "657.xz_s", 6182 },
};
static const struct spec_benchmark fpspeed2017[] = {
	{ "603.bwaves_s", 58998 }, { "607.cactuBSSN_s", 16670 }, { "619.lbm_s", 5238 }, { "621.wrf_s", 13226 },
	{ "627.cam4_s", 8863 }, { "628.pop2_s", 11873 }, { "638.imagick_s", 14426 }, { "644.nab_s", 17472 },
	{ "649.fotonik3d_s", 9116 }, { "654.roms_s", 15745 },
};
static const struct spec_benchmark int2006[] = {
	{ "400.perlbench", 9770 }, { "401.bzip2", 9650 }, { "403.gcc", 8050 }, { "429.mcf", 9120 }, { "445.gobmk", 10490 },
	{ "456.hmmer", 9330 }, { "458.sjeng", 12100 }, { "462.libquantum", 20720 }, { "464.h264ref", 22130 },
	{ "471.omnetpp", 6250 }, { "473.astar", 7020 }, { "483.xalancbmk", 6900 },
};
static const struct spec_benchmark fp2006[] = {
	{ "410.bwaves", 13590 }, { "416.gamess", 19580 }, { "433.milc", 9180 }, { "434.zeusmp", 9100 },
	{ "435.gromacs", 7140 }, { "436.cactusADM", 11950 }, { "437.leslie3d", 9400 }, { "444.namd", 8020 },
	{ "447.dealII", 11440 }, { "450.soplex", 8340 }, { "453.povray", 5320 }, { "454.calculix", 8250 },
	{ "459.GemsFDTD", 10610 }, { "465.tonto", 9840 }, { "470.lbm", 13740 }, { "481.wrf", 11170 },
	{ "482.sphinx3", 19490 },
};
static const struct spec_benchmark intrate2026[] = {
	{ "706.stockfish_r", 0 }, { "707.ntest_r", 0 }, { "708.sqlite_r", 0 }, { "710.omnetpp_r", 0 },
	{ "714.cpython_r", 0 }, { "721.gcc_r", 0 }, { "723.llvm_r", 0 }, { "727.cppcheck_r", 0 }, { "729.abc_r", 0 },
	{ "734.vpr_r", 0 }, { "735.gem5_r", 0 }, { "750.sealcrypto_r", 0 }, { "753.ns3_r", 0 }, { "777.zstd_r", 0 },
};
static const struct spec_benchmark fprate2026[] = {
	{ "709.cactus_r", 0 }, { "722.palm_r", 0 }, { "731.astcenc_r", 0 }, { "736.ocio_r", 0 }, { "737.gmsh_r", 0 },
	{ "748.flightdm_r", 0 }, { "749.fotonik3d_r", 0 }, { "765.roms_r", 0 }, { "766.femflow_r", 0 },
	{ "767.nest_r", 0 }, { "772.marian_r", 0 }, { "782.lbm_r", 0 },
};

#define METRICS_OF(stem) { stem "_base", stem "_peak" }, { stem "_energy_base", stem "_energy_peak" }
#define KNOWN(list) list, COUNT(list)

static const struct spec_suite suites[] = {
	{ "spec-cpu2017", "intrate", true, METRICS_OF("SPECrate2017_int"), KNOWN(intrate2017) },
	{ "spec-cpu2017", "fprate", true, METRICS_OF("SPECrate2017_fp"), KNOWN(fprate2017) },
	{ "spec-cpu2017", "intspeed", false, METRICS_OF("SPECspeed2017_int"), KNOWN(intspeed2017) },
	{ "spec-cpu2017", "fpspeed", false, METRICS_OF("SPECspeed2017_fp"), KNOWN(fpspeed2017) },
	{ "spec-cpu2006", "int", true, { "SPECint_rate_base2006", "SPECint_rate2006" }, { NULL, NULL }, KNOWN(int2006) },
	{ "spec-cpu2006", "fp", true, { "SPECfp_rate_base2006", "SPECfp_rate2006" }, { NULL, NULL }, KNOWN(fp2006) },
	{ "spec-cpu2006", "int", false, { "SPECint_base2006", "SPECint2006" }, { NULL, NULL }, KNOWN(int2006) },
	{ "spec-cpu2006", "fp", false, { "SPECfp_base2006", "SPECfp2006" }, { NULL, NULL }, KNOWN(fp2006) },
	{ "spec-cpu2026", "intrate", true, METRICS_OF("SPECrate2026_int"), KNOWN(intrate2026) },
	{ "spec-cpu2026", "fprate", true, METRICS_OF("SPECrate2026_fp"), KNOWN(fprate2026) },
	{ "spec-cpu2026", "intspeed", false, METRICS_OF("SPECspeed2026_int"), NULL, 0 },
	{ "spec-cpu2026", "fpspeed", false, METRICS_OF("SPECspeed2026_fp"), NULL, 0 },
};

const struct spec_suite *spec_suite_by_metric(struct slice metric, enum spec_tune *tune, bool *energy)
{
	for (size_t i = 0; i < COUNT(suites) && metric.n; i++)
		for (int t = 0; t < SPEC_TUNES; t++) {
			*energy = slice_eq_nocase(metric, slice_of(suites[i].energy[t]));
			*tune = (enum spec_tune)t;
			if (*energy || slice_eq_nocase(metric, slice_of(suites[i].metric[t])))
				return &suites[i];
		}
	return NULL;
}

const struct spec_suite *spec_suite_by_name(const char *tool, struct slice name, bool rate)
{
	for (size_t i = 0; i < COUNT(suites); i++) {
		bool both = strcmp(suites[i].tool, "spec-cpu2006") == 0;
		if (strcmp(suites[i].tool, tool) == 0 && slice_is(name, suites[i].name) && (!both || suites[i].rate == rate))
			return &suites[i];
	}
	return NULL;
}

const struct spec_suite *spec_suite_by_benchmark(struct slice benchmark, bool rate)
{
	const struct spec_suite *found = NULL;
	for (size_t i = 0; i < COUNT(suites); i++)
		if (spec_benchmark_find(&suites[i], benchmark) && (!found || suites[i].rate == rate))
			found = &suites[i];
	return found;
}

const struct spec_benchmark *spec_benchmark_find(const struct spec_suite *suite, struct slice name)
{
	for (unsigned i = 0; i < suite->n; i++)
		if (slice_is(name, suite->benchmarks[i].name))
			return &suite->benchmarks[i];
	return NULL;
}

const char *spec_tool(struct slice year)
{
	static const char *const tools[] = { "spec-cpu2006", "spec-cpu2017", "spec-cpu2026" };
	for (size_t i = 0; i < COUNT(tools); i++)
		if (year.n && slice_eq(slice_from(slice_of(tools[i]), 8), year))
			return tools[i];
	return NULL;
}

bool spec_is_benchmark(struct slice text)
{
	bool word = text.n > 4 && text.p[3] == '.';
	for (size_t i = 0; word && i < text.n; i++) {
		char c = text.p[i];
		bool digit = c >= '0' && c <= '9', letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
		word = i < 3 ? digit : i == 3 || digit || letter;
	}
	return word;
}
