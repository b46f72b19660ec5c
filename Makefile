# A thin front of CMake. `make` alone lists what there is.

JOBS      ?= $(shell nproc)
RUNS      ?= 1000000
# From cold the build is quickest with files joined; `make DEV=1` builds file by file, for those who edit.
# Where CI is set in the environment warnings are errors.
CONFIGURE := -DSKYHOOK_UNITY=$(if $(DEV),OFF,ON) $(if $(CI),-DSKYHOOK_WERROR=ON)
# Without node there is no viewer, and no report.
SHOWCASE   = build/skyhook run models/road/sedan/sedan.yaml iso3888_1 --out build/showcase.h5 \
             $$(test ! -s build/viewer/page.html || echo --report build/showcase.html)

# $(call build,preset,folder[,target]): progress on a terminal, otherwise only what went wrong.
define build
	@test -f $(2)/build.ninja || { echo "Configuring $(2)/"; cmake --preset $(1) $(CONFIGURE) >$(2).log 2>&1 || \
	  { cat $(2).log; rm -f $(2).log $(2)/CMakeCache.txt; exit 1; }; \
	  sed -n '/Left out/,/^$$/p' $(2).log; rm -f $(2).log; }
	@echo "Building $(2)/$(3)"
	@if [ -t 1 ]; then ninja -C $(2) -j$(JOBS) $(3); else ninja --quiet -C $(2) -j$(JOBS) $(3); fi
endef

.PHONY: help setup build test run docs bench sanitize fuzz format tidy size clean

help:  ## list the targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 18

setup:  ## install the Debian packages that are missing
	@tools/setup

build: setup  ## build everything; the program is build/skyhook
	$(call build,release,build)

test: build  ## build and run all tests
	@echo "Testing"
	@ctest --test-dir build -j$(JOBS) --output-on-failure

run: setup  ## build the program, simulate a car in a double lane change, write its report build/showcase.html
	$(call build,release,build,skyhook)
	@echo "Running $(SHOWCASE)"
	@$(SHOWCASE)

docs: setup  ## make the pictures and the documentation site, build/docs/index.html
	@tools/setup --docs
	$(call build,release,build,skyhook)
	@tools/make_docs

bench:  ## measure speed, side by side with the peers that Debian packages
	@tools/setup --peers
	@test -f benchmarks/CMakeLists.txt || { echo "There are no benchmarks: benchmarks/CMakeLists.txt is missing."; exit 1; }
	$(call build,bench,build-bench,bench)

sanitize: setup  ## run all tests under the address and undefined-behaviour sanitizers
	$(call build,asan,build-asan)
	@echo "Testing with sanitizers"
	@LSAN_OPTIONS=suppressions=$(CURDIR)/tools/lsan.supp:print_suppressions=0 ctest --test-dir build-asan -j$(JOBS) --output-on-failure

fuzz:  ## run each fuzzer of tests/fuzz for RUNS inputs (default 1000000)
	@tools/setup --clang
	@ls tests/fuzz/*.cpp >/dev/null 2>&1 || { echo "There are no fuzzers: tests/fuzz/*.cpp is missing."; exit 1; }
	$(call build,fuzz,build-fuzz,fuzzers)
	@for fuzzer in build-fuzz/fuzz/fuzz_*; do \
	  name=$${fuzzer##*/fuzz_}; found=build-fuzz/corpus/$$name; seeds=tests/fuzz/corpus/$$name; mkdir -p $$found; \
	  words=tests/fuzz/$$name.dict; \
	  echo "Fuzzing $$name, $(RUNS) inputs"; \
	  $$fuzzer -entropic=0 -timeout=60 -runs=$(RUNS) -print_final_stats=1 -artifact_prefix=build-fuzz/$$name- $$(test -f $$words && echo -dict=$$words) $$found \
	    $$(test -d $$seeds && echo $$seeds) 2>build-fuzz/$$name.log || { tail -40 build-fuzz/$$name.log; exit 1; }; \
	  tail -6 build-fuzz/$$name.log; done

SOURCES = $(shell git ls-files --cached --others --exclude-standard '*.h' '*.cpp')

format:  ## format all C++ files
	@tools/setup --clang
	@clang-format-16 -i $(SOURCES)

tidy:  ## run clang-tidy over all C++ files
	@tools/setup --clang
	@test -f build-clang/build.ninja || { echo "Configuring build-clang/"; cmake --preset clang >/dev/null; }
	@ninja --quiet -C build-clang skyhook_version
	@echo "Running clang-tidy"
	@run-clang-tidy-16 -quiet -p build-clang -j $(JOBS) '^$(CURDIR)/(src|apps|tests)/' 2>/dev/null | sed '/^clang-tidy-16 /d'

size:  ## report the sizes of files and functions
	@tools/size_report

clean:  ## remove all build folders
	@rm -rf build build-debug build-asan build-tsan build-clang build-fuzz build-bench
