"""Reading settings from the environment, with the types they need.

Every setting of the site is read through one of these functions, so `.env.example` can be checked against `NAMES`.
A file `.env` in the project's root (or the one `BAOHUANG_ENV_FILE` names) is read first; the real environment wins.
"""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured
from dotenv import load_dotenv

NAMES: set[str] = set()


def load(root: Path) -> None:
    """Take values of the env file that the environment does not set."""
    name = text("BAOHUANG_ENV_FILE", ".env")
    if name:
        load_dotenv(root / name)


def text(name: str, default: str = "") -> str:
    NAMES.add(name)
    return os.environ.get(name, "").strip() or default


def words(name: str, default: str = "") -> list[str]:
    """A list separated by commas."""
    return [word.strip() for word in text(name, default).split(",") if word.strip()]


def switch(name: str, default: bool = False) -> bool:
    value = text(name, "1" if default else "0").lower()
    if value in {"1", "true", "yes", "on"}:
        return True
    if value in {"0", "false", "no", "off"}:
        return False
    raise ImproperlyConfigured(f"{name} must be 1 or 0, not {value!r}")


def whole(name: str, default: int, low: int = 0, high: int = 2**31 - 1) -> int:
    """A whole number within bounds, so that a wrong one is refused at the start and not at the first table."""
    value = text(name, str(default))
    try:
        number = int(value)
    except ValueError:
        raise ImproperlyConfigured(f"{name} must be a whole number, not {value!r}") from None
    if not low <= number <= high:
        raise ImproperlyConfigured(f"{name} must be {low} to {high}, not {value!r}")
    return number


def span(name: str, default: str) -> tuple[float, float]:
    """A range of seconds such as `0.8-1.8`; a single number is a range of no width."""
    value = text(name, default)
    low, _, high = value.partition("-")
    try:
        first, last = float(low), float(high or low)
    except ValueError:
        raise ImproperlyConfigured(f"{name} must look like {default}, not {value!r}") from None
    if not 0 <= first <= last:
        raise ImproperlyConfigured(f"{name} must be a rising range of seconds, not {value!r}")
    return first, last


def choice(name: str, default: str, allowed: tuple[str, ...]) -> str:
    value = text(name, default)
    if value not in allowed:
        raise ImproperlyConfigured(f"{name} must be one of {', '.join(allowed)}, not {value!r}")
    return value


def secret_key(data: Path) -> str:
    """`SECRET_KEY` of the environment, else the one kept in the data folder, made once and readable by its owner only.

    Two processes that start together on an empty folder end up with the same key: the file appears whole, by a
    link that only the first one can make.
    """
    given = text("SECRET_KEY")
    if given:
        return given
    path = data / "secret_key"
    if not path.exists():
        draft = data / f".secret_key.{os.getpid()}.{secrets.token_hex(4)}"
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(secrets.token_urlsafe(64))
        try:
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return path.read_text(encoding="ascii").strip()
