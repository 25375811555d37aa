#include "parsers/spec2017.h"

static const struct spec2017_benchmark benchmarks[] = {
	{ "500.perlbench_r", SPEC2017_INTRATE, 1592 }, { "502.gcc_r", SPEC2017_INTRATE, 1416 },
	{ "505.mcf_r", SPEC2017_INTRATE, 1616 }, { "520.omnetpp_r", SPEC2017_INTRATE, 1312 },
	{ "523.xalancbmk_r", SPEC2017_INTRATE, 1056 }, { "525.x264_r", SPEC2017_INTRATE, 1751 },
	{ "531.deepsjeng_r", SPEC2017_INTRATE, 1146 }, { "541.leela_r", SPEC2017_INTRATE, 1656 },
	{ "548.exchange2_r", SPEC2017_INTRATE, 2620 }, { "557.xz_r", SPEC2017_INTRATE, 1080 },
	{ "503.bwaves_r", SPEC2017_FPRATE, 10028 }, { "507.cactuBSSN_r", SPEC2017_FPRATE, 1266 },
	{ "508.namd_r", SPEC2017_FPRATE, 950 }, { "510.parest_r", SPEC2017_FPRATE, 2616 },
	{ "511.povray_r", SPEC2017_FPRATE, 2335 }, { "519.lbm_r", SPEC2017_FPRATE, 1054 },
	{ "521.wrf_r", SPEC2017_FPRATE, 2240 }, { "526.blender_r", SPEC2017_FPRATE, 1523 },
	{ "527.cam4_r", SPEC2017_FPRATE, 1749 }, { "538.imagick_r", SPEC2017_FPRATE, 2487 },
	{ "544.nab_r", SPEC2017_FPRATE, 1683 }, { "549.fotonik3d_r", SPEC2017_FPRATE, 3897 },
	{ "554.roms_r", SPEC2017_FPRATE, 1589 },
	{ "600.perlbench_s", SPEC2017_INTSPEED, 1775 }, { "602.gcc_s", SPEC2017_INTSPEED, 3982 },
	{ "605.mcf_s", SPEC2017_INTSPEED, 4721 }, { "620.omnetpp_s", SPEC2017_INTSPEED, 1631 },
	{ "623.xalancbmk_s", SPEC2017_INTSPEED, 1417 }, { "625.x264_s", SPEC2017_INTSPEED, 1764 },
	{ "631.deepsjeng_s", SPEC2017_INTSPEED, 1433 }, { "641.leela_s", SPEC2017_INTSPEED, 1706 },
	{ "648.exchange2_s", SPEC2017_INTSPEED, 2940 }, { "657.xz_s", SPEC2017_INTSPEED, 6182 },
	{ "603.bwaves_s", SPEC2017_FPSPEED, 58998 }, { "607.cactuBSSN_s", SPEC2017_FPSPEED, 16670 },
	{ "619.lbm_s", SPEC2017_FPSPEED, 5238 }, { "621.wrf_s", SPEC2017_FPSPEED, 13226 },
	{ "627.cam4_s", SPEC2017_FPSPEED, 8863 }, { "628.pop2_s", SPEC2017_FPSPEED, 11873 },
	{ "638.imagick_s", SPEC2017_FPSPEED, 14426 }, { "644.nab_s", SPEC2017_FPSPEED, 17472 },
	{ "649.fotonik3d_s", SPEC2017_FPSPEED, 9116 }, { "654.roms_s", SPEC2017_FPSPEED, 15745 },
};

const struct spec2017_benchmark *spec2017_find(struct slice name)
{
	for (size_t i = 0; i < sizeof benchmarks / sizeof *benchmarks; i++)
		if (slice_is(name, benchmarks[i].name))
			return &benchmarks[i];
	return NULL;
}

size_t spec2017_count(enum spec2017_suite suite)
{
	size_t n = 0;
	for (size_t i = 0; i < sizeof benchmarks / sizeof *benchmarks; i++)
		n += benchmarks[i].suite == suite;
	return n;
}

const char *spec2017_metric(enum spec2017_suite suite)
{
	static const char *const names[SPEC2017_SUITES] = { "SPECrate2017_int", "SPECrate2017_fp", "SPECspeed2017_int",
		"SPECspeed2017_fp" };
	return names[suite];
}
