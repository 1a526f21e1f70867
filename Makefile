# Two targets matter: `make demo` and `make test`. Each sets up what it needs, from Python 3.11 and make alone.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
UV     := .uv/bin/uv
RUN    := $(UV) run --no-sync

export UV_PYTHON := $(PYTHON)
export UV_PYTHON_DOWNLOADS := never
export THINKTWICE_DATA_DIR ?= $(CURDIR)/.data

.DEFAULT_GOAL := help
.PHONY: help demo test check unit integration acceptance format docs bench clean

help:  ## Show this list
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 14

demo: .venv/.runtime model  ## Set up, index the handbook, and watch the bot answer and correct itself
	$(RUN) thinktwice index
	$(RUN) python -m bot.demo

test: check unit integration acceptance  ## Lint, format, types, all tests, and the real embedded model
	@echo "make test: everything passed"

check: .venv/.development  ## Lint, formatting, strict types
	$(RUN) ruff check .
	$(RUN) ruff format --check .
	$(RUN) mypy bot rag tests bench

unit: .venv/.development  ## Pure tests: no network, no model
	$(RUN) pytest tests/unit -q

integration: .venv/.development  ## Real SQLite, Chroma, HTTP on loopback, embeddings, processes
	$(RUN) pytest tests/integration tests/crash -q

acceptance: .venv/.development model  ## The real embedded model answers
	THINKTWICE_TEST_DATA_DIR=$(THINKTWICE_DATA_DIR) $(RUN) pytest tests/acceptance tests/integration -m acceptance -q

format: .venv/.development  ## Format the code
	$(RUN) ruff check --fix .
	$(RUN) ruff format .

docs: .venv/.development  ## Write the generated parts of README and docs anew
	$(RUN) python -m bot.generated

bench: .venv/.runtime  ## Print the benchmarks, as ratios against a baseline in the same run
	for benchmark in bench/overhead.py bench/index.py bench/search.py; do $(RUN) python $$benchmark || exit 1; done

clean:  ## Remove what these targets made, the model included
	rm -rf .venv .uv .data

.PHONY: model
model: .venv/.runtime
	$(RUN) thinktwice models pull

.venv/.runtime: $(UV) pyproject.toml uv.lock
	$(UV) sync --locked --inexact --no-default-groups --group embedded
	@touch $@

.venv/.development: $(UV) pyproject.toml uv.lock
	$(UV) sync --locked --inexact --group dev --group embedded
	@touch $@ .venv/.runtime

$(UV): scripts/install_uv.sh
	@PYTHON="$(PYTHON)" sh scripts/install_uv.sh .uv
	@touch $@
