# Echelon: everything a person or a machine does with a checkout. Needs Python >= 3.11 and make, nothing else.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
OUT ?= echelon-out
# Tests run on every core; PYTEST="-n 0" runs them in one process.
PYTEST ?= -n auto

.DEFAULT_GOAL := help
.PHONY: help setup demo test check lint types bench docs picture lock clean

help: ## say what there is
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /  make \1\t/'

setup: $(VENV)/.ready ## make .venv, install the package and compile its kernels

$(VENV)/.ready: requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Echelon needs Python >= 3.11, got " + sys.version.split()[0] + "; say make PYTHON=python3.12 setup")'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || { echo "Python's venv module is missing; on Debian and Ubuntu: apt install python3-venv"; rm -rf $(VENV); exit 1; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	$(BIN)/python -m echelon.engine.compiled.warm_up
	@touch $@

demo: setup ## compare policies on a real year of a real machine
	$(BIN)/echelon compare kth-sp2 --policies fcfs,first-fit,easy,easy:shortest-first,conservative,plan --out $(OUT)/demo

test: setup ## run the tests
	$(BIN)/python -m pytest $(PYTEST)

check: lint types test ## lint, types and tests: what CI runs

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: setup
	$(BIN)/mypy

bench: setup ## measure speed and memory beside a naive simulator; writes a table
	$(BIN)/python benchmarks/run.py
	$(BIN)/python benchmarks/multiclusters.py
	$(BIN)/python benchmarks/immediate.py
	$(BIN)/python benchmarks/co_allocation.py
	$(BIN)/python benchmarks/selections.py
	$(BIN)/python benchmarks/studies.py
	$(BIN)/python benchmarks/dependencies.py
	$(BIN)/python benchmarks/promises.py

docs: setup ## write the reference pages from the code and build the documentation into site/
	$(BIN)/python docs/generator
	$(BIN)/mkdocs build --strict --quiet

picture: setup ## take the README's picture of the report anew (needs Chromium)
	$(BIN)/python docs/pictures/take.py

lock: ## resolve requirements.lock anew (needs uv)
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
		--group dev --group bench --group docs --extra distributed --extra exact --extra history --extra stats pyproject.toml --output-file requirements.lock --upgrade

clean: ## remove what these commands made
	rm -rf $(VENV) site $(OUT) .mypy_cache .ruff_cache .pytest_cache .hypothesis
