# Two commands do everything: `make run` and `make test`. Both set up .venv first; nothing is installed outside of it.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
PEERS := $(VENV)/peers

.PHONY: run test lint fuzz bench engines suite faults clean

# The conformance suite against the reference and against transformers as installed from PyPI: failures, the table by
# topic, and upstream's faults one by one.
run: $(PEERS)
	$(BIN)/antiphon conformance run --level prompt --adapter reference --peer transformers --report build/report.json
	@$(BIN)/antiphon conformance matrix build/report.json --filter 'upstream/faults-*'

# Lint, format, types, and all tests; closes with pytest's summary line.
test: $(PEERS) lint
	$(BIN)/python -m pytest -n auto

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/mypy tests

# The randomised tests at twenty times their usual size.
fuzz: $(PEERS)
	ANTIPHON_FUZZ=20 $(BIN)/python -m pytest -n auto tests/patterns tests/oracles tests/reference tests/engines \
		tests/suite/test_random_texts.py

# Cost of a stream by its length, as ratios, for the reference and for transformers.
bench: $(PEERS)
	$(BIN)/python tests/bench.py

# Translated patterns on every regex engine that is here or can be had, against Python's regex. ARGUMENTS=--write puts
# the table of constructs into portability/README.md.
engines: $(PEERS)
	@PYTHONPATH=tests $(BIN)/python -m engines --install $(ARGUMENTS)

# Refreshes the expected events of every case from the oracles in tests/, and what suite.json counts.
suite: $(READY)
	PYTHONPATH=tests $(BIN)/python -m oracles.complete_suite
	$(BIN)/python tests/suite/seal.py

# Refreshes the table of transformers' faults in conformance/README.md.
faults: $(PEERS)
	$(BIN)/python tests/suite/faults_table.py

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or newer is needed: make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1" && \
		$(BIN)/python -m pip install --quiet --editable . --group dev || \
		{ echo "The packages in pyproject.toml could not be installed: is there a network?" >&2; exit 1; }
	@touch $@

$(PEERS): $(READY)
	@$(BIN)/python -m pip install --quiet --editable '.[peers]' && touch $@ || \
		echo "transformers could not be installed; what needs it is skipped, and says so"

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
