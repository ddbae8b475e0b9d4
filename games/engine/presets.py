"""The nine presets of RULES §10, as data: `presets.json` beside this file, each a complete ruleset but for its `id`."""

import json
from pathlib import Path
from typing import Any

PRESETS: dict[str, dict[str, Any]] = json.loads((Path(__file__).parent / "presets.json").read_text(encoding="utf-8"))
DEFAULT_PRESET = "lianzhong-simple"


def preset_ids() -> tuple[str, ...]:
    """The ids in the order in which they are offered."""
    return tuple(PRESETS)
