# Echelon: everything a person or a machine does with a checkout. Needs Python >= 3.11 and make, nothing else.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
OUT ?= echelon-out
# The kernels that `make demo` runs. Other commands of a checkout without `make setup` use the reference engine.
DEMO_KERNELS := machine,swf,allocation
LOCK := uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate
PACKAGE := pyproject.toml hatch_build.py
BUILDING := $(VENV)/building
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
# Python compiles each module when it is first imported; to compile all of them here takes longer than the rest.
INSTALL := $(PIP) install --no-compile --require-hashes
EDITABLE := $(PIP) install --no-compile --no-deps --no-build-isolation --editable .
# Where there is no C compiler, one comes from the package index: it links what the kernels were compiled to.
LINKER = $(if $(shell command -v cc || command -v gcc || command -v clang),,-r requirements-linker.lock)
# Tests run on every core (tests/conftest.py says by how many workers), and a worker that is done takes over tests of others; PYTEST="-n 0"
# runs them in one process.
PYTEST ?= -n auto --dist worksteal

# Tests start hundreds of processes. Where Python is told to keep no bytecode, each would compile every module again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
# One environment: two commands must not install into it at once. These all need the same installation, which is
# made once, and only read it: with --jobs they run side by side, as in CI.
BESIDE := check lint types test package
ifneq ($(filter-out $(BESIDE),$(MAKECMDGOALS)),)
.NOTPARALLEL:
endif
.PHONY: help setup demo quick test check package lint types bench docs picture lock clean

help: ## list the targets
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /  make \1\t/'

setup: $(VENV)/.ready ## make .venv with everything in it: Echelon, all its kernels, and what tests need

$(VENV)/.ready: $(VENV)/.installed
	$(BIN)/python -m echelon.libraries.build
	@touch $(VENV)/.plain $@

# All but the kernels, which lint and types do not need: they run while kernels are built.
$(VENV)/.installed: requirements.lock requirements-linker.lock $(PACKAGE) | $(BIN)/python
	$(INSTALL) -r requirements.lock $(LINKER)
	ECHELON_BUILD_KERNELS=none $(EDITABLE)
	@touch $@

# Echelon and what it needs to run, no more. Its kernels are built by libraries in a folder that is gone afterwards.
$(VENV)/.plain: requirements-plain.lock requirements-build.lock requirements-linker.lock $(PACKAGE) | $(BIN)/python
	$(INSTALL) -r requirements-plain.lock
	@rm -rf $(BUILDING)
	$(INSTALL) --target $(BUILDING) -r requirements-build.lock $(LINKER)
	PYTHONPATH=$(BUILDING) ECHELON_BUILD_KERNELS=$(DEMO_KERNELS) $(EDITABLE)
	@rm -rf $(BUILDING)
	@touch $@

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Echelon needs Python >= 3.11, got " + sys.version.split()[0] + "; run make PYTHON=python3.12 setup")'
	@$(PYTHON) -m venv $(VENV) || { echo "Python's venv module is missing; on Debian and Ubuntu: apt install python3-venv"; rm -rf $(VENV); exit 1; }

demo: $(VENV)/.plain ## compare policies on a real year of a real machine
	$(BIN)/echelon compare kth-sp2 --policies fcfs,first-fit,easy,easy:shortest-first,conservative,plan --out $(OUT)/demo

quick: setup ## in a minute: the fast unit tests, or those of the file FOR, and lint
	$(BIN)/ruff check --quiet .
	$(BIN)/ruff format --check --quiet .
	HYPOTHESIS_PROFILE=quick $(BIN)/python -m pytest $(PYTEST) --quiet -m "not slow" $(if $(FOR),--for=$(FOR),tests/unit)

test: setup ## run the tests
	$(BIN)/python -m pytest $(PYTEST)

check: lint types test ## lint, types and tests

package: setup ## build the source archive, and from it the wheel, into dist/, and try the wheel; CI runs this, too
	@rm -rf dist
	ECHELON_BUILT_KERNELS=$(CURDIR)/src/echelon/libraries/built $(BIN)/python -m build --no-isolation --outdir dist
	ECHELON_DIST=dist $(BIN)/python -m pytest -n 0 tests/package

lint: $(VENV)/.installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.installed
	$(BIN)/mypy

bench: setup ## measure speed and memory beside a naive simulator; writes tables; BEFORE=SRC measures another src, too
	$(BIN)/python benchmarks/starts.py $(if $(BEFORE),--before $(BEFORE))
	$(BIN)/python benchmarks/run.py
	$(BIN)/python benchmarks/multiclusters.py
	$(BIN)/python benchmarks/immediate.py
	$(BIN)/python benchmarks/co_allocation.py
	$(BIN)/python benchmarks/selections.py
	$(BIN)/python benchmarks/studies.py
	$(BIN)/python benchmarks/submissions.py
	$(BIN)/python benchmarks/dependencies.py
	$(BIN)/python benchmarks/reservations.py

docs: setup ## write the reference pages from the code and build the documentation into site/
	$(BIN)/python docs/generator
	$(BIN)/mkdocs build --strict --quiet

picture: setup ## take the pictures of the report, of figures and of the live page again (needs Chromium)
	$(BIN)/python docs/pictures/take.py
	$(BIN)/python docs/pictures/take_figures.py
	$(BIN)/python docs/pictures/take_live.py

lock: ## resolve all requirements*.lock again (needs uv)
	$(LOCK) --upgrade --group dev --group bench --group docs --extra all pyproject.toml --output-file requirements.lock
	$(LOCK) --constraint requirements.lock pyproject.toml --output-file requirements-plain.lock
	$(LOCK) --constraint requirements.lock --group build --output-file requirements-build.lock
	$(LOCK) --group linker --output-file requirements-linker.lock

clean: ## remove what these commands made
	rm -rf $(VENV) site dist src/echelon/libraries/built $(OUT) .mypy_cache .ruff_cache .pytest_cache .hypothesis
