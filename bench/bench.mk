# SPDX-License-Identifier: MIT
# The benches: measured against peers in one run; see bench/README.md. Included by the Makefile.
# BENCH_ARGS goes to bench/run.py, such as BENCH_ARGS='--rate-s 60' or '--only fanout'.

CXX := g++
BENCH_BIN := $(BUILD)/bench
BENCH_QUICK := $(addprefix $(BENCH_BIN)/,encoder sampler)
BENCH_ALL := $(BENCH_QUICK) $(addprefix $(BENCH_BIN)/,load_client lateness raw_server)
BENCH_RUN = /usr/bin/python3 bench/run.py --bin $(BENCH_BIN) --oband $(OBAND) $(BENCH_ARGS)
CXXFLAGS_ALL = -std=c++17 -Wall -Wextra $(if $(filter 1,$(WERROR)),-Werror) $(OPT_$(VARIANT)) \
        -ffp-contract=off -I. -MMD -MP

$(BENCH_BIN)/%.o: bench/%.cc
	@mkdir -p $(@D)
	$(call say,CXX,$<)
	$(Q)$(CXX) $(CXXFLAGS_ALL) -c $< -o $@
$(BENCH_BIN)/encoder: $(BENCH_BIN)/encoder.o $(BENCH_BIN)/to_chars.o $(LIB_PROTO) $(LIB_CORE)
	$(call say,LINK,$@)
	$(Q)$(CXX) $(LDFLAGS) $^ $(LIBS_PROTO) -o $@
$(BENCH_BIN)/sampler: $(BENCH_BIN)/sampler.o $(LIB_CORE)
	$(call say,LINK,$@)
	$(Q)$(CC) $(CFLAGS_ALL) $(LDFLAGS) $^ -lm -o $@
$(BENCH_BIN)/load_client $(BENCH_BIN)/lateness: $(BENCH_BIN)/%: $(BENCH_BIN)/%.o $(BENCH_BIN)/dial.o
	$(call say,LINK,$@)
	$(Q)$(CC) $(CFLAGS_ALL) $(LDFLAGS) $^ -o $@
$(BENCH_BIN)/raw_server: $(BENCH_BIN)/raw_server.o
	$(call say,LINK,$@)
	$(Q)$(CC) $(CFLAGS_ALL) $(LDFLAGS) $^ -o $@
bench/node_modules/.package-lock.json: bench/package.json bench/package-lock.json
	$(Q)cd bench && npm ci --no-audit --no-fund
	@touch $@

.PHONY: bench bench-quick bench-build
bench-build: $(BENCH_ALL)
bench: $(OBAND) ## measure against peers: some minutes; writes bench/results/latest.md
	@tools/deps.sh bench
	@$(MAKE) --no-print-directory bench-build bench/node_modules/.package-lock.json
	@$(BENCH_RUN)
bench-quick: ## the encoder and the sampler only: ten seconds
	@tools/deps.sh bench
	@$(MAKE) --no-print-directory $(BENCH_QUICK)
	@$(BENCH_RUN) --quick
