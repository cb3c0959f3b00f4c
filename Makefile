# SPDX-License-Identifier: MIT
# One non-recursive Makefile. Variants live in build/<variant>/; `make help` lists the targets.
#   VARIANT=release|debug|asan|clang|clang-asan|gcc-O0|clang-O0|clang-O3   which build (default: release)
#   WERROR=1                                                   warnings are errors

VARIANT ?= release
PREFIX  ?= /usr/local
BUILD   := build/$(VARIANT)
VERSION := 0.1.0

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules
# V=1 shows the commands.
Q := $(if $(V),,@)
say = $(if $(V),,@printf '  %-5s %s\n' $(1) $(2))
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(shell nproc)
endif

# ---- variants ----------------------------------------------------------------------------------
CC_release    := gcc
OPT_release   := -O2 -g
CC_debug      := gcc
OPT_debug     := -O0 -g
CC_asan       := gcc
OPT_asan      := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
CC_clang      := clang
OPT_clang     := -O2 -g
CC_clang-asan := clang
OPT_clang-asan := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
CC_gcc-O0     := gcc
OPT_gcc-O0    := -O0
CC_clang-O0   := clang
OPT_clang-O0  := -O0
CC_clang-O3   := clang
OPT_clang-O3  := -O3
CC_gcc-O3     := gcc
OPT_gcc-O3    := -O3
CC := $(CC_$(VARIANT))
ifeq ($(CC),)
$(error unknown VARIANT '$(VARIANT)'; see the top of the Makefile)
endif

WARN := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wstrict-prototypes \
        -Wmissing-prototypes -Wvla -Wcast-qual -Wwrite-strings -Wundef -Wdouble-promotion -Wformat=2 \
        -Wimplicit-fallthrough
ifeq ($(WERROR),1)
WARN += -Werror
endif
# -ffp-contract=off: the same bits whatever the compiler and optimisation (docs/behaviour.md 1).
override CFLAGS_ALL = -std=c17 $(WARN) $(OPT_$(VARIANT)) -ffp-contract=off -fno-strict-aliasing \
        -D_GNU_SOURCE -DOBAN_VERSION='"$(VERSION)"' -I. -I$(BUILD)/gen -MMD -MP $(CPPFLAGS) $(CFLAGS)

# Looked up only when something is built.
PKG = $(shell pkg-config --libs $(1) 2>/dev/null)
LIBS_PROTO  = -lcjson -lexpat -lm
LIBS_SERVER = -lwebsockets -luv -linih $(LIBS_PROTO)
LIBS_CTL    = -lwebsockets $(LIBS_PROTO)

# ---- sources -----------------------------------------------------------------------------------
CORE_SRC   := $(sort $(wildcard core/*/*.c))
PROTO_SRC  := $(sort $(wildcard proto/*/*.c))
SERVER_SRC := $(sort $(wildcard server/*.c))
CTL_SRC    := $(sort $(wildcard clients/obanctl/*.c))
TOOL_SRC   := $(sort $(wildcard clients/oban/*.c))
# The tool shares these with obanctl: text for terminals, memory.
TOOL_SHARED := clients/obanctl/page.c clients/obanctl/memory.c
TEST_SRC   := $(sort $(wildcard tests/unit/*/*_test.c tests/unit/*_test.c))
OBJ = $(patsubst %.c,$(BUILD)/%.o,$(1))

LIB_CORE  := $(BUILD)/liboban.a
LIB_PROTO := $(BUILD)/liboban-proto.a
LIB_SERVER := $(BUILD)/libserver.a
OBAND     := $(BUILD)/oband
OBANCTL   := $(BUILD)/obanctl
TOOL      := $(BUILD)/oban
TESTS     := $(patsubst tests/unit/%_test.c,$(BUILD)/tests/%_test,$(TEST_SRC))

.PHONY: all
all: $(OBAND) $(OBANCTL) $(TOOL) ## build oband, obanctl and oban (also as build/oband, build/obanctl, build/oban)
	@:
ifeq ($(VARIANT),release)
all: build/oband build/obanctl build/oban
build/oband: $(OBAND)
	@ln -sf release/oband $@
build/obanctl: $(OBANCTL)
	@ln -sf release/obanctl $@
build/oban: $(TOOL)
	@ln -sf release/oban $@
endif

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(CFLAGS_ALL) -c $< -o $@

$(LIB_CORE): $(call OBJ,$(CORE_SRC))
	@rm -f $@
	$(call say,AR,$@)
	$(Q)ar rcs $@ $^
$(LIB_PROTO): $(call OBJ,$(PROTO_SRC))
	@rm -f $@
	$(call say,AR,$@)
	$(Q)ar rcs $@ $^
$(LIB_SERVER): $(call OBJ,$(filter-out server/main.c,$(SERVER_SRC)))
	@rm -f $@
	$(call say,AR,$@)
	$(Q)ar rcs $@ $^
$(OBAND): $(call OBJ,server/main.c) $(LIB_SERVER) $(LIB_PROTO) $(LIB_CORE)
	$(call say,LINK,$@)
	$(Q)$(CC) $(CFLAGS_ALL) $(LDFLAGS) $^ $(LIBS_SERVER) -o $@
$(OBANCTL): $(call OBJ,$(CTL_SRC)) $(LIB_PROTO) $(LIB_CORE)
	$(call say,LINK,$@)
	$(Q)$(CC) $(CFLAGS_ALL) $(LDFLAGS) $^ $(LIBS_CTL) -o $@
$(TOOL): $(call OBJ,$(TOOL_SRC) $(TOOL_SHARED)) $(LIB_PROTO) $(LIB_CORE)
	$(call say,LINK,$@)
	$(Q)$(CC) $(CFLAGS_ALL) $(LDFLAGS) $^ $(LIBS_PROTO) -o $@

# ---- tests -------------------------------------------------------------------------------------
$(BUILD)/tests/%_test: $(BUILD)/tests/unit/%_test.o $(LIB_SERVER) $(LIB_PROTO) $(LIB_CORE)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(CC) $(CFLAGS_ALL) $(LDFLAGS) $^ -lcmocka $(LIBS_SERVER) -o $@
.PRECIOUS: $(BUILD)/%.o

.PHONY: unit
unit: $(TESTS) ## unit tests of core, proto and server (cmocka)
	@tools/run-unit.sh $(TESTS)

PYTEST := /usr/bin/python3 -m pytest -q -p no:cacheprovider
PROGRAMS = OBAND=$(abspath $(OBAND)) OBANCTL=$(abspath $(OBANCTL)) OBAN=$(abspath $(TOOL))

.PHONY: conformance integration limits docs-test
conformance: $(OBAND) ## the language-neutral transcripts, against the real daemon
	$(PROGRAMS) $(PYTEST) tests/conformance
integration: $(OBAND) $(OBANCTL) $(TOOL) ## the real daemon over real sockets
	$(PROGRAMS) OBAND_VARIANTS=$(VARIANTS) $(PYTEST) tests/integration

limits: $(OBAND) ## each limit at it and one over; slow and hostile clients (OBAND_LONG=1: the long form)
	$(PROGRAMS) $(PYTEST) -s tests/limits
docs-test: $(OBAND) $(OBANCTL) $(TOOL) ## what the documents promise
	$(PROGRAMS) $(PYTEST) tests/docs

.PHONY: test
test: ## install what the tests need, build, run all tests
	@tools/deps.sh build test
	@$(MAKE) --no-print-directory all
	@$(MAKE) --no-print-directory unit
	@$(MAKE) --no-print-directory conformance
	@$(MAKE) --no-print-directory integration
	@$(MAKE) --no-print-directory limits
	@$(MAKE) --no-print-directory docs-test

# ---- checks ------------------------------------------------------------------------------------
C_FILES = $(shell git ls-files --cached --others --exclude-standard '*.c' '*.h')
TIDY_FILES = $(CORE_SRC) $(PROTO_SRC) $(SERVER_SRC) $(CTL_SRC) $(TOOL_SRC)

.PHONY: format format-check tidy cppcheck layers warnings sanitize same-hash check
format: ## put all C files into the one format
	@clang-format -i $(C_FILES)
format-check: ## fail when a C file is not in the one format
	@clang-format --dry-run -Werror $(C_FILES) && echo "format: ok"
tidy: ## clang-tidy
	@printf '%s\n' $(TIDY_FILES) | xargs -P 2 -n 4 sh -c 'clang-tidy --quiet "$$@" -- -std=c17 -D_GNU_SOURCE -DOBAN_VERSION=\"x\" -I. 2>/dev/null' tidy && echo "tidy: ok"
cppcheck: ## cppcheck
	@cppcheck --quiet --std=c11 --enable=warning,performance,portability --inline-suppr \
	    --suppress=missingIncludeSystem --suppressions-list=tools/cppcheck.txt --error-exitcode=1 \
	    -D_GNU_SOURCE -DOBAN_VERSION='"x"' -I. core proto server clients && echo "cppcheck: ok"
layers: ## the include law, and what liboban needs from outside
	@$(MAKE) --no-print-directory $(LIB_CORE) >/dev/null
	@tools/layers.sh $(LIB_CORE)
warnings: ## everything by gcc and by clang, warnings as errors
	@$(MAKE) --no-print-directory VARIANT=release WERROR=1 all unit-build
	@$(MAKE) --no-print-directory VARIANT=clang WERROR=1 all unit-build
unit-build: $(TESTS)
.PHONY: unit-build
sanitize: ## unit, conformance and integration tests under ASan and UBSan
	@$(MAKE) --no-print-directory VARIANT=asan WERROR=1 all
	@$(MAKE) --no-print-directory VARIANT=asan WERROR=1 unit
	@$(MAKE) --no-print-directory VARIANT=asan conformance
	@$(MAKE) --no-print-directory VARIANT=asan integration
	@$(MAKE) --no-print-directory VARIANT=asan limits
SAME := gcc-O0 release gcc-O3 clang-O0 clang clang-O3
same-hash: ## the same state hash by gcc and clang, -O0 to -O3
	@for v in $(SAME); do $(MAKE) --no-print-directory VARIANT=$$v all || exit 1; done
	OBAND_VARIANTS=$$(for v in $(SAME); do printf '%s:' $(abspath build)/$$v/oband; done) \
	    OBAN_VARIANTS=$$(for v in $(SAME); do printf '%s:' $(abspath build)/$$v/oban; done) \
	    OBAND=$(abspath build/release/oband) OBANCTL=$(abspath build/release/obanctl) \
	    OBAN=$(abspath build/release/oban) \
	    $(PYTEST) tests/integration/test_determinism.py tests/integration/test_oban_many.py
check: ## everything that must be clean before a commit lands
	@tools/deps.sh build test check
	@$(MAKE) --no-print-directory format-check
	@$(MAKE) --no-print-directory cppcheck
	@$(MAKE) --no-print-directory tidy
	@$(MAKE) --no-print-directory warnings
	@$(MAKE) --no-print-directory layers
	@$(MAKE) --no-print-directory test
	@$(MAKE) --no-print-directory same-hash
	@$(MAKE) --no-print-directory sanitize
	@$(MAKE) --no-print-directory fuzz-short
	@echo "check: all clean"

# ---- people ------------------------------------------------------------------------------------
.PHONY: deps run help install clean
deps: ## install what is missing (apt), and say what
	@tools/deps.sh build test check && echo "deps: all there"
run: ## install what is missing, build, start the daemon on the example scene
	@tools/deps.sh build
	@$(MAKE) --no-print-directory all
	@tools/run.sh build/oband $(ARGS)
install: all ## install into DESTDIR/PREFIX (default /usr/local)
	install -Dm755 build/oband $(DESTDIR)$(PREFIX)/bin/oband
	install -Dm755 build/obanctl $(DESTDIR)$(PREFIX)/bin/obanctl
	install -Dm755 build/oban $(DESTDIR)$(PREFIX)/bin/oban
	install -Dm644 docs/man/oband.1 $(DESTDIR)$(PREFIX)/share/man/man1/oband.1
	install -Dm644 docs/man/obanctl.1 $(DESTDIR)$(PREFIX)/share/man/man1/obanctl.1
	install -Dm644 docs/man/oban.1 $(DESTDIR)$(PREFIX)/share/man/man1/oban.1
.PHONY: docker-test
docker-test: ## build the container image and run it for real, without an engine
	@tools/docker-test.sh .
clean: ## remove build/
	rm -rf build
help: ## this list
	@echo "make [TARGET] [VARIANT=release|debug|asan|clang|clang-asan|...] [WERROR=1]"
	@grep -shE '^[a-z-]+:.*## ' Makefile tests/fuzz/fuzz.mk bench/bench.mk | sed -E 's/^([a-z-]+):.*## (.*)/  \1\t\2/' | expand -t 18

-include tests/fuzz/fuzz.mk
-include bench/bench.mk
-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
