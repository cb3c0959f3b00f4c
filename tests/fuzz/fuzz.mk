# SPDX-License-Identifier: MIT
# Fuzz targets: tests/fuzz/T.c, seeds and old findings in tests/fuzz/seeds/T/, a dictionary in T.dict.
#   make fuzz T=request S=60     one target for 60 s
#   make fuzz-short              every target for 10 s (part of make check)
FUZZ_TARGETS := request bsl bsl_program oban_xml oni scene handshake samples level collada gltf
FUZZ_BUILD := build/fuzz
FUZZ_FLAGS = -std=c17 -g -O1 -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all \
    -ffp-contract=off -fno-omit-frame-pointer -D_GNU_SOURCE -DOBAN_VERSION='"$(VERSION)"' -I. -MMD -MP
FUZZ_OBJ := $(patsubst %.c,$(FUZZ_BUILD)/%.o,$(CORE_SRC) $(PROTO_SRC) $(filter-out server/main.c,$(SERVER_SRC)))
$(FUZZ_BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(call say,FUZZ,$@)
	$(Q)clang $(FUZZ_FLAGS) -c $< -o $@
$(FUZZ_BUILD)/libfuzzed.a: $(FUZZ_OBJ)
	@rm -f $@
	$(Q)ar rcs $@ $^
$(FUZZ_BUILD)/%: $(FUZZ_BUILD)/tests/fuzz/%.o $(FUZZ_BUILD)/libfuzzed.a
	$(call say,LINK,$@)
	$(Q)clang $(FUZZ_FLAGS) -fsanitize=fuzzer,address,undefined $^ $(LIBS_SERVER) -o $@

T ?= request
S ?= 60
FUZZ_RUN = tests/fuzz/run.sh
.PHONY: fuzz fuzz-short fuzz-build
fuzz-build: $(addprefix $(FUZZ_BUILD)/,$(FUZZ_TARGETS))
fuzz: $(FUZZ_BUILD)/$(T) ## one fuzz target for a while: make fuzz T=request S=60
	@$(FUZZ_RUN) $(FUZZ_BUILD)/$(T) $(S)
fuzz-short: fuzz-build ## every fuzz target for 10 s
	@for t in $(FUZZ_TARGETS); do $(FUZZ_RUN) $(FUZZ_BUILD)/$$t 10 || exit 1; done

-include $(shell find $(FUZZ_BUILD) -name '*.d' 2>/dev/null)
.PRECIOUS: $(FUZZ_BUILD)/%.o
