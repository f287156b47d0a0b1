# What is done with Flare from the command line. `make` alone lists it.
#
# Packages go into .venv, from requirements.lock, once: until a requirements file changes, nothing here
# touches the network again. Another Python than python3: make setup PYTHON=python3.13

PYTHON ?= python3
UV_VERSION := 0.13.9
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --disable-pip-version-check -qq --no-deps --only-binary :all:

sum = $(shell cat $(1) 2>/dev/null | cksum | cut -d' ' -f1)
APP := requirements.lock requirements-embedded.txt
DEV := requirements-dev.lock
APP_READY := .venv/.app-$(call sum,$(APP))
DEV_READY := .venv/.dev-$(call sum,$(APP) $(DEV))

.DEFAULT_GOAL := help
.PHONY: help setup run test bench bench-presets lint lock docs

help:
	@sed -n 's/^\([a-z-]*\):.*## /make \1@/p' Makefile | awk -F@ '{printf "%-18s %s\n", $$1, $$2}'

setup: $(APP_READY) $(DEV_READY) ## install everything into .venv (once; the only step that needs the network)
	@echo "Ready. 'make run' starts Flare, 'make test' tests it."

run: $(APP_READY) ## start Flare at http://localhost:8501
	@$(BIN)/streamlit run app.py

test: $(DEV_READY) ## run all tests
	@$(BIN)/python -m pytest

bench: $(DEV_READY) ## measure, one JSON object a line; fails when a target is missed
	@$(BIN)/python -m bench

bench-presets: $(DEV_READY) ## compare ways to retrieve on twelve topics (takes an hour or more)
	@$(BIN)/python -m bench.presets

lint: $(DEV_READY) ## check style, types, and which module imports which
	@$(BIN)/ruff check . && $(BIN)/ruff format --check --quiet . && $(BIN)/mypy && $(BIN)/lint-imports

docs: $(DEV_READY) ## write docs/events.md and docs/settings.md again, from the code
	@PYTHONPATH=. $(BIN)/python docs/make_events.py && PYTHONPATH=. $(BIN)/python docs/make_settings.py

lock: $(DEV_READY) ## write the lock files again, after a change in a requirements file
	@$(BIN)/python -m pip install --disable-pip-version-check --quiet uv==$(UV_VERSION)
	@$(BIN)/uv pip compile --quiet --universal --fork-strategy fewest --python-version 3.11 --annotation-style line \
		--custom-compile-command 'make lock' requirements.txt -o requirements.lock
	@$(BIN)/uv pip compile --quiet --universal --fork-strategy fewest --python-version 3.11 --annotation-style line \
		--custom-compile-command 'make lock' requirements-dev.txt -c requirements.lock -o requirements-dev.lock
	@echo "Locked. 'make setup' installs what changed."

.venv/bin/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "Flare needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) -V 2>&1)."; \
		echo "Install one and name it: make setup PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -m venv --clear .venv || { \
		echo "$(PYTHON) cannot make a virtual environment. On Debian and Ubuntu: apt install python3-venv"; exit 1; }

$(APP_READY): | .venv/bin/pip
	@echo "Installing Flare's packages into .venv (once; about 1 GB on disk) ..."
	@$(PIP) $(APP:%=-r %)
	@rm -f .venv/.app-*; touch $@

$(DEV_READY): | $(APP_READY)
	@echo "Installing the test tools into .venv ..."
	@$(PIP) -r $(DEV)
	@rm -f .venv/.dev-*; touch $@
