"""Where log lines go: standard error for eyes, and a file of JSON lines in the data folder that turns over.

Log lines name tables, hands and players by id. They never hold a card, a role or a token (`baohuang_site.logs`).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

REFUSALS = ("DisallowedHost", "RequestDataTooBig", "TooManyFieldsSent", "TooManyFilesSent")
"""What Django refuses by itself before any of our code runs."""


def logging_config(folder: Path, level: str) -> dict[str, Any]:
    handlers = ["console", "file"]
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "line": {
                "()": "baohuang_site.logs.PlainLines",
                "format": "{asctime} {levelname} {name}: {message}",
                "style": "{",
            },
            "json": {"()": "baohuang_site.logs.JsonLines"},
        },
        "filters": {"one_line": {"()": "baohuang_site.logs.OneLine"}},
        "handlers": {
            "console": {"class": "logging.StreamHandler", "formatter": "line"},
            "file": {
                "class": "logging.handlers.RotatingFileHandler",
                "filename": str(folder / "baohuang.log"),
                "maxBytes": 5_000_000,
                "backupCount": 5,
                "delay": True,
                "encoding": "utf-8",
                "formatter": "json",
            },
        },
        "root": {"handlers": handlers, "level": level},
        "loggers": {
            # each of these would otherwise write a line for every request or print by itself
            "django": {"handlers": [], "level": level, "propagate": True},
            "django.server": {"handlers": [], "level": "WARNING", "propagate": True},
            # strangers can send what they like; what it was is worth a line, the path through Django is not
            **{f"django.security.{name}": {"filters": ["one_line"]} for name in REFUSALS},
            "daphne": {"level": "WARNING"},
            "axes": {"level": "WARNING"},
            "asyncio": {"level": "WARNING"},
        },
    }
