# The only entry point. `make demo` and `make check` install what they need; see README.md.
.DELETE_ON_ERROR:
.SUFFIXES:

PREFIX  ?= /usr/local
CC      ?= cc
BUILD   ?= build
VERSION := 0.1.0

ifdef SAN
BUILD    := build/san
SANFLAGS := -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
OPT      ?= -O1 -g
endif
OPT      ?= -O2 -g

PKGS     := libpcre2-8 libxml-2.0 libxslt libexslt gsl nettle
CPPFLAGS += -I. -D_POSIX_C_SOURCE=200809L -DASSAY_VERSION='"$(VERSION)"' $(shell pkg-config --cflags $(PKGS) 2>/dev/null)
CFLAGS   += -std=c11 $(OPT) -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wwrite-strings \
            -Wpointer-arith -Wformat=2 -Wvla $(SANFLAGS) -MMD -MP
LDFLAGS  += $(SANFLAGS)
LDLIBS   += $(shell pkg-config --libs $(PKGS) 2>/dev/null) -lcsv -linih -lm

ROOMS    := base model parsers ingest report
SOURCES  := $(foreach room,$(ROOMS),$(wildcard $(room)/*.c))
OBJECTS  := $(SOURCES:%.c=$(BUILD)/%.o)
CLI      := $(patsubst %.c,$(BUILD)/%.o,$(wildcard cli/*.c))
UNITS    := $(patsubst tests/%.c,$(BUILD)/tests/%,$(wildcard tests/test_*.c))

.PHONY: all clean check unit
all: $(BUILD)/assay

$(BUILD)/assay: $(CLI) $(BUILD)/libassay.a
	$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(BUILD)/libassay.a: $(OBJECTS)
	@rm -f $@
	$(AR) rcs $@ $^

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<

$(BUILD)/tests/test_%: tests/test_%.c $(BUILD)/libassay.a
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) -o $@ $< $(BUILD)/libassay.a $(LDLIBS) -lcmocka

# The JSON reader is compared with another one, whose header shares names with ours.
$(BUILD)/tests/test_json: $(BUILD)/tests/jansson_dump.o
$(BUILD)/tests/test_json: LDLIBS += $(BUILD)/tests/jansson_dump.o -ljansson

unit: $(UNITS)
	@set -e; for t in $(UNITS); do $$t; done

check: all unit

clean:
	rm -rf build

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
