# The two commands are `make run` and `make test`. Both make the virtual environment they need.

PYTHON ?= python3
VENV := .venv
# so many processes run tests; 0 runs them one after another in one
JOBS ?= $(shell n=$$(nproc 2>/dev/null || echo 1); echo $$((n > 4 ? 4 : n)))
PY := $(VENV)/bin/python

# make run HOST=0.0.0.0 PORT=8123
ifdef HOST
export BAOHUANG_HOST := $(HOST)
endif
ifdef PORT
export BAOHUANG_PORT := $(PORT)
endif

.PHONY: run test fmt lint

run: $(VENV)/.runs
	@$(PY) manage.py prepare
	@exec $(PY) manage.py serve

# many processes start in the tests: what one has compiled is kept for the others
test: $(VENV)/.tests
	@.ci/browser
	@PYTHONDONTWRITEBYTECODE= $(PY) -m pytest -n $(JOBS) --dist loadfile -m "not slow and not timed$(if $(filter 1,$(NO_BROWSER)), and not browser)" $(ARGS)

lint: $(VENV)/.tests
	@$(VENV)/bin/ruff check . && $(VENV)/bin/ruff format --check .
	@$(VENV)/bin/mypy
	@$(VENV)/bin/lint-imports
	@$(PY) manage.py makemigrations --check --dry-run

fmt: $(VENV)/.tests
	@$(VENV)/bin/ruff check --fix . ; $(VENV)/bin/ruff format .

# the stamps say what has been installed, so that the next start takes seconds
$(VENV)/.runs: requirements.txt
	@PYTHON="$(PYTHON)" .ci/venv $(VENV) requirements.txt
	@touch $@

$(VENV)/.tests: requirements.txt requirements-dev.txt
	@PYTHON="$(PYTHON)" .ci/venv $(VENV) requirements-dev.txt
	@touch $@ $(VENV)/.runs
