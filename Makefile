# Two commands do everything: `make run` and `make test`. Both set up .venv first; nothing is installed outside of it.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
PEERS := $(VENV)/peers
MODULES := web/node_modules/installed

.PHONY: run test lint web web-if-possible serve fuzz mutation bench engines javascript-types web-types suite faults \
	roundtrips results clean

# The whole suite, at level prompt: the reference and the port in JavaScript have to pass; transformers, as installed from
# PyPI, is shown beside them. Failures, the table by topic, and upstream's faults one by one.
run: $(PEERS)
	@if node -e 'process.exit(Number(parseInt(process.versions.node) < 20))' 2> /dev/null; then port="--adapter javascript"; \
	else port=; echo "there is no Node.js 20 or newer: the port in JavaScript is left out"; fi; \
	$(BIN)/antiphon conformance run --level prompt --jobs 2 --adapter reference $$port --peer transformers \
		--report build/report.json
	@$(BIN)/antiphon conformance matrix build/report.json --filter 'upstream/faults-*'

# Lint, format, types, and all tests; closes with pytest's summary line.
test: $(PEERS) lint web-if-possible
	$(BIN)/python -m pytest -n auto

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/mypy tests
	@$(MAKE) --no-print-directory javascript-types web-types

# The types of the port in JavaScript, by its comments. The compiler goes into .venv, like all else.
PORT := conformance/adapters/javascript
COMPILER := $(VENV)/javascript
javascript-types: $(READY)
	@command -v npm > /dev/null || { echo "there is no npm: the types of $(PORT) aren't checked"; exit 0; }; \
	mkdir -p $(COMPILER) && cp $(PORT)/package.json $(PORT)/package-lock.json $(COMPILER) && \
	{ cmp -s $(PORT)/package-lock.json $(COMPILER)/installed || \
		{ npm ci --silent --prefix $(COMPILER) && cp $(PORT)/package-lock.json $(COMPILER)/installed; }; } || \
	{ echo "TypeScript could not be installed: the types of $(PORT) aren't checked"; exit 0; }; \
	$(COMPILER)/node_modules/.bin/tsc --project $(PORT) --typeRoots $(COMPILER)/node_modules/@types

# The types of the playground and of the npm package.
web-types: $(READY)
	@if $(MAKE) --no-print-directory $(MODULES) 2> /dev/null; then npm run --silent --prefix web check; \
	else echo "there is no npm, or no network: the types of web/ aren't checked"; fi

# The playground, in web/dist: Python, the kit and its regex engine in WebAssembly, and the page around them.
PAGE = cd web && ../$(BIN)/python -m runtime && npx vite build --logLevel warn
web: $(READY) $(MODULES)
	@$(PAGE)

# Where npm or its packages can't be had, the tests that need the page are skipped, and say so.
web-if-possible: $(READY)
	@if $(MAKE) --no-print-directory $(MODULES) 2> /dev/null; then $(PAGE); \
	else echo "the playground isn't built: \`make web\` says why"; fi

# The playground in a browser, at the address that this prints; ARGUMENTS="--port 8080" takes another port.
serve: web
	@$(BIN)/antiphon serve $(ARGUMENTS)

$(MODULES): web/package-lock.json
	@node -e 'process.exit(Number(parseInt(process.versions.node) < 20))' 2> /dev/null && command -v npm > /dev/null || \
		{ echo "There is no Node.js 20 or newer with npm, which builds the playground; install it" >&2; exit 1; }
	@npm ci --silent --prefix web && touch $@ || \
		{ echo "The packages in web/package-lock.json could not be installed: is there a network?" >&2; exit 1; }

# The randomised tests at twenty times their usual size.
fuzz: $(PEERS)
	ANTIPHON_FUZZ=20 $(BIN)/python -m pytest -n auto tests/patterns tests/oracles tests/reference tests/engines \
		tests/suite/test_random_texts.py tests/javascript/test_random_texts.py

# The suite against the reference with one fault at a time: the score by module, and what no case notices; then against
# a violation of each clause. What is known from the last run is kept; ARGUMENTS="--jobs 2" takes two cores,
# tests/mutation/__init__.py tells more.
mutation: $(READY)
	@PYTHONPATH=tests $(BIN)/python -m mutation $(ARGUMENTS)

# Cost of a stream by its length, as ratios, for the reference and for transformers; and how fast the suite runs.
bench: $(PEERS)
	$(BIN)/python tests/bench.py
	@PYTHONPATH=tests $(BIN)/python -m javascript.throughput
	$(BIN)/python tests/bench_runs.py

# Translated patterns on every regex engine that is here or can be had, against Python's regex. ARGUMENTS=--write puts
# the table of constructs into portability/README.md.
engines: $(PEERS)
	@PYTHONPATH=tests $(BIN)/python -m engines --install $(ARGUMENTS)

# Refreshes the expected events of every case from the oracles in tests/, and what suite.json counts.
suite: $(READY)
	PYTHONPATH=tests $(BIN)/python -m oracles.complete_suite
	$(BIN)/python tests/suite/seal.py

# Runs real implementations over the whole suite, each in an environment of its own, and refreshes conformance/results/.
# ARGUMENTS=--page doesn't run them: it brings the page up to date after changes to the explanations, and checks those.
results: $(READY)
	@PYTHONPATH=tests $(BIN)/python -m results $(ARGUMENTS)

# Refreshes the table of transformers' faults in conformance/README.md.
faults: $(PEERS)
	PYTHONPATH=tests $(BIN)/python tests/suite/faults_table.py

# Refreshes the tables of round trips in portability/README.md: published response templates, and derived ones.
roundtrips: $(READY)
	PYTHONPATH=tests $(BIN)/python tests/autoparser/round_trip_table.py

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
	rm -rf $(VENV) build dist web/build web/dist web/node_modules .pytest_cache .mypy_cache .ruff_cache .hypothesis
