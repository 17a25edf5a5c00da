# One command for each thing; `make check` is what .ci/run demands of a change.
.PHONY: check format lint types imports test sim coverage nightly bench docs languages wheelhouse clean
.DELETE_ON_ERROR:

BIN := .venv/bin

check: lint types imports test

# The environment is made again when pyproject.toml has changed.
.venv/dev: pyproject.toml
	python3 -m venv .venv
	$(BIN)/python -m pip install -q -e '.[dev]'
	touch $@

format: .venv/dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lint: .venv/dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: .venv/dev
	$(BIN)/mypy

imports: .venv/dev
	$(BIN)/lint-imports

test: .venv/dev
	$(BIN)/python -m pytest -q -n auto

# Each package by its own tests alone; one below its floor fails. Some of them: make coverage COVERAGE="deal ui"
COVERAGE :=
coverage: .venv/dev
	$(BIN)/python -m tests.covered $(COVERAGE)

# A LAN of tables in one process where everything goes wrong (docs/reliability.md), and all planted faults: a minute.
# For a night: make sim SIM="--matches 10000 --workers 2"
SIM := --seconds 40
sim: .venv/dev
	$(BIN)/python -m tests.sim.run $(SIM)

# Everything, the long tests included, with twenty times as many examples for each property.
nightly: .venv/dev
	HYPOTHESIS_PROFILE=nightly $(BIN)/python -m pytest -q -n auto -m "nightly or not nightly" --timeout 3600

# A table of figures with their rivals and goals; a quarter of an hour. Some of it: make bench BENCH="--only engine arrange"
BENCH :=
bench: .venv/dev
	@$(BIN)/python tests/bench/run.py $(BENCH)

# What is made out of the program itself; a test tells when it is stale.
docs: .venv/dev
	$(BIN)/python docs/screens.py
	$(BIN)/python docs/house_rules.py > docs/house-rules.md.new && mv docs/house-rules.md.new docs/house-rules.md

# Takes new sentences into the catalogues of all languages and compiles them; a test tells what is not translated.
languages: .venv/dev
	$(BIN)/python docs/catalogues.py

# Everything that an installation without internet needs, in one folder; rummy-p2p share serves it. For other machines
# than this one: make wheelhouse PLATFORMS="win_amd64 macosx_11_0_arm64" PYTHONS="3.11 3.12 3.13"
PLATFORMS :=
PYTHONS := 3.12
wheelhouse: .venv/dev
	rm -rf wheelhouse
	$(BIN)/python -m pip wheel -q --wheel-dir wheelhouse '.[ssh,qr]'
	@for platform in $(PLATFORMS); do for python in $(PYTHONS); do \
		$(BIN)/python -m pip download -q --dest wheelhouse --only-binary :all: --find-links wheelhouse \
			--platform $$platform --python-version $$python 'rummy-p2p[ssh,qr]' || exit 1; done; done
	@ls wheelhouse | wc -l

clean:
	rm -rf wheelhouse .venv .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache build dist *.egg-info .coverage*
