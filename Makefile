# Every command of the project has a name here, and each sets up what it needs: on a fresh clone there is no other step.

SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help run test lint coverage soak bench wheel constraints clean

PYTHON ?= python3
PORT ?= 8501
ARGS ?=
# Test files run side by side in so many processes; tests/conftest.py says in which order, so that no process waits at the
# end for the other to finish a long one.
JOBS ?= 2

VENV := .venv
BIN := $(VENV)/bin
# A stamp is older than the requirements it was made from as soon as those change, and is then made again.
CREATED := $(VENV)/.created
RUNTIME := $(VENV)/.runtime-installed
DEVELOPMENT := $(VENV)/.development-installed
PEERS := $(VENV)/.peers-installed
# Every package at the version in constraints.txt, also those that only other packages ask for.
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

help: ## Show this list (the default)
	@echo "make TARGET, where TARGET is one of:"
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  %-11s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: $(RUNTIME) ## Start the app on localhost (PORT=8501; settings: docs/settings.md)
	$(BIN)/python -m streamlit run --server.port $(PORT)

test: lint ## Lint, then all tests, with a real browser too (ARGS="-k tagger" goes to pytest)
	@bash tools/ensure_browser.sh
	$(BIN)/python -m pytest -n $(JOBS) --dist loadfile --no-loadscope-reorder --durations=10 $(ARGS)

lint: $(DEVELOPMENT) ## Check style, formatting and types only
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

coverage: $(DEVELOPMENT) ## Which share of the lines the tests run, without a browser: those tests start servers
	$(BIN)/python -m pytest -n $(JOBS) --dist loadfile --ignore tests/e2e --ignore tests/bench --cov --cov-report= $(ARGS)
	$(BIN)/python -m coverage report --skip-covered --sort=cover

soak: $(DEVELOPMENT) ## The long repetitions, which the ordinary tests leave out (minutes to hours)
	@bash tools/ensure_browser.sh
	@$(BIN)/python -m pytest -m soak --timeout=0 --durations=10 $(ARGS) || { \
	    code=$$?; [ $$code -eq 5 ] && echo "No soak test was selected." || exit $$code; }

bench: $(PEERS) ## Speed of beam search against its peers; fails when a ratio got 20% worse (minutes)
	$(BIN)/python bench/decode.py --clock cpu --rounds 2 --repeats 2 --check bench/decode_record.json $(ARGS)

wheel: $(DEVELOPMENT) ## Build dist/*.whl, which installs the commands l2a and l2a-studio
	$(BIN)/python -m build --no-isolation

constraints: $(CREATED) ## Write constraints.txt anew, for requirements that changed (after clean: the newest of the rest)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt -r requirements-bench.txt
	$(BIN)/python tools/constraints.py --write

clean: ## Remove the virtual environment and the caches
	rm -rf $(VENV) .pytest_cache .ruff_cache .mypy_cache .hypothesis .coverage test-results build dist *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(CREATED):
	@command -v $(PYTHON) >/dev/null || { \
	    echo "$(PYTHON) was not found. Install Python 3.11 or newer, or name one: make PYTHON=python3.12 ..." >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	    echo "$$($(PYTHON) --version) is too old: Python 3.11 or newer is needed." >&2; \
	    echo "Install one, or name one that is there: make PYTHON=python3.12 ..." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(RUNTIME): requirements.txt constraints.txt $(CREATED)
	$(INSTALL) -r requirements.txt
	@touch $@

$(DEVELOPMENT): requirements-dev.txt requirements-ray.txt requirements-encoder.txt requirements.txt constraints.txt $(CREATED)
	$(INSTALL) -r requirements-dev.txt
	@touch $(RUNTIME) $@

$(PEERS): requirements-bench.txt requirements-encoder.txt requirements.txt constraints.txt $(CREATED)
	$(INSTALL) -r requirements-bench.txt
	@touch $(RUNTIME) $@
