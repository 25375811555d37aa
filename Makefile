# The only entry point. `make demo` and `make check` install what they need; `make help` lists the rest.
.DELETE_ON_ERROR:
.SUFFIXES:
.DEFAULT_GOAL := all

PREFIX  ?= /usr/local
CC      ?= cc
VERSION := 0.1.0

# Each flavour has a build directory of its own. SAN=1: AddressSanitizer and UndefinedBehaviorSanitizer.
# FLAVOUR=fuzz and FLAVOUR=analyze are used by `make fuzz` and `make lint`.
FLAVOUR ?= $(if $(SAN),san)
BUILD   ?= build$(if $(FLAVOUR),/$(FLAVOUR))
OPT_    := -O2 -g
ifeq ($(FLAVOUR),san)
OPT_    := -O1 -g
CHECKS  := -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
endif
ifeq ($(FLAVOUR),fuzz)
CC      := clang
OPT_    := -O1 -g
CHECKS  := -fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=undefined -fno-omit-frame-pointer \
           -Wno-format-nonliteral
endif
ifeq ($(FLAVOUR),analyze)
OPT_    := -O0
CHECKS  := -fanalyzer -Werror
endif
OPT     ?= $(OPT_)

PKGS     := libpcre2-8 libxml-2.0 libxslt libexslt gsl nettle libarchive zlib liburing blkid
CPPFLAGS += -I. -D_XOPEN_SOURCE=700 -DASSAY_VERSION='"$(VERSION)"' $(shell pkg-config --cflags $(PKGS) 2>/dev/null)
CFLAGS   += -std=c11 -pthread $(OPT) -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wwrite-strings \
            -Wpointer-arith -Wformat=2 -Wvla -Werror=implicit-function-declaration $(CHECKS) -MMD -MP
LDFLAGS  += -pthread $(CHECKS)
LDLIBS   += $(shell pkg-config --libs $(PKGS) 2>/dev/null) -lcsv -linih -lbz2 -laio -lm -pthread

ROOMS    := base model parsers ingest report
SOURCES  := $(foreach room,$(ROOMS),$(wildcard $(room)/*.c))
CLI      := $(wildcard cli/*.c)
LOADGEN  := $(wildcard loadgen/*.c)
HELPERS  := $(filter-out tests/test_%,$(wildcard tests/*.c))
UNITS    := $(patsubst tests/%.c,$(BUILD)/tests/%,$(wildcard tests/test_*.c))
FUZZERS  := $(patsubst tests/fuzz/%.c,$(BUILD)/fuzz/%,$(wildcard tests/fuzz/fuzz_*.c))
BENCHES  := $(patsubst bench/%.c,$(BUILD)/bench/%,$(wildcard bench/bench_*.c))
TEMPLATES := $(wildcard templates/report/*)
JOBS     := $(wildcard templates/jobs/*)
objects   = $(patsubst %.c,$(BUILD)/%.o,$(1))

# V=1 shows the commands.
Q  = $(if $(V),,@echo '  $@'; )

.PHONY: all help demo check check-deps fuzz lint bench install dist clean
.PHONY: need-build unit run-demo run-check run-fuzz run-lint run-bench

all: need-build $(BUILD)/assay $(BUILD)/assay-load

help:
	@sed -n 's/^## //p' $(firstword $(MAKEFILE_LIST))

# A clear list of packages rather than a missing header.
need-build:
	@$(if $(shell pkg-config --exists $(PKGS) 2>/dev/null && echo yes),:,scripts/install-deps --check build)

$(BUILD)/assay: $(call objects,$(CLI)) $(BUILD)/libassay.a
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(BUILD)/assay-load: $(BUILD)/loadgen/main.o $(BUILD)/libload.a $(BUILD)/libassay.a
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(BUILD)/libload.a: $(call objects,$(filter-out loadgen/main.c,$(LOADGEN))) $(BUILD)/loadgen/profile_files.o
	@rm -f $@
	@$(AR) rcs $@ $^

$(BUILD)/libassay.a: $(call objects,$(SOURCES)) $(BUILD)/report/template.o
	@rm -f $@
	@$(AR) rcs $@ $^

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<

# The report's style sheets and schema become part of the program.
$(BUILD)/report/template.c: scripts/embed $(TEMPLATES)
	@mkdir -p $(@D)
	$(Q)scripts/embed report/template.h template templates $(TEMPLATES) >$@

# And the load profiles, so that their names work from anywhere.
$(BUILD)/loadgen/profile_files.c: scripts/embed $(JOBS)
	@mkdir -p $(@D)
	$(Q)scripts/embed loadgen/profile.h profile_file profile_files $(JOBS) >$@

$(BUILD)/report/template.o $(BUILD)/loadgen/profile_files.o: %.o: %.c
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<

$(UNITS): $(BUILD)/%: %.c $(call objects,$(HELPERS)) $(BUILD)/libload.a $(BUILD)/libassay.a
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) -o $@ $(filter %.c %.o %.a,$^) $(LDLIBS) -lcmocka -ljansson

$(FUZZERS): $(BUILD)/fuzz/%: tests/fuzz/%.c $(BUILD)/libload.a $(BUILD)/libassay.a
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) -fsanitize=fuzzer -o $@ $(filter %.c %.a,$^) $(LDLIBS)

$(BENCHES): $(BUILD)/bench/%: bench/%.c $(BUILD)/libload.a $(BUILD)/libassay.a
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) -o $@ $(filter %.c %.a,$^) $(LDLIBS) -ljansson -lcjson

unit: $(UNITS)

# What needs packages is made by a second make, which then sees them.
## make                  build build/assay
## make demo             install what is missing, build, audit the sample archive: demo/report.html and .xml
demo:
	@scripts/install-deps build demo
	@$(MAKE) --no-print-directory all run-demo

run-demo: $(BUILD)/assay
	@scripts/demo $(BUILD)/assay

## make check            install what the tests need, run all tests (SAN=1: under ASan and UBSan; UPDATE=1: rewrite
##                       expected.csv and diag.txt of the cases and show the differences; ONLY=PATTERN: a part;
##                       CORPUS=DIR: a collection outside the tree as well)
check:
	@scripts/install-deps build check browser
	@$(MAKE) --no-print-directory all unit
	@$(MAKE) --no-print-directory run-check

run-check:
	@tests/run $(BUILD) $(UNITS)

check-deps:
	@scripts/check-deps

## make fuzz             every fuzz target for FUZZ_SECONDS (30) each, seeded with the cases
fuzz:
	@scripts/install-deps build fuzz
	@$(MAKE) --no-print-directory FLAVOUR=fuzz run-fuzz

run-fuzz: $(FUZZERS)
	@tests/fuzz/run $(BUILD) $(FUZZERS)

## make lint             gcc -fanalyzer, clang-tidy, cppcheck, headers that compile alone, who includes whom
lint:
	@scripts/install-deps build lint
	@$(MAKE) --no-print-directory FLAVOUR=analyze run-lint

run-lint: $(call objects,$(SOURCES) $(CLI) $(LOADGEN))
	@scripts/lint '$(filter-out -DASSAY_VERSION%,$(CPPFLAGS))' $^

## make bench            speed against bounds and against other readers: build/bench/report.md and .svg
bench:
	@scripts/install-deps build bench
	@$(MAKE) --no-print-directory all run-bench

run-bench: $(BENCHES)
	@bench/run $(BUILD)

## make install          to $(DESTDIR)$(PREFIX): the program, its templates and manual pages
install: all
	install -D -m 755 $(BUILD)/assay '$(DESTDIR)$(PREFIX)/bin/assay'
	install -D -m 755 $(BUILD)/assay-load '$(DESTDIR)$(PREFIX)/bin/assay-load'
	for f in $$(find templates -type f); do install -D -m 644 "$$f" "$(DESTDIR)$(PREFIX)/share/assay/$$f"; done
	for f in docs/*.1; do install -D -m 644 "$$f" "$(DESTDIR)$(PREFIX)/share/man/man1/$${f##*/}"; done

## make dist             build/assay-VERSION.tar.gz of the committed tree
dist:
	@mkdir -p build
	git archive --prefix=assay-$(VERSION)/ -o build/assay-$(VERSION).tar.gz HEAD

## make clean            remove what was built
clean:
	rm -rf build demo

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
