"""The rules of 保皇: pure Python, immutable values, nothing of Django.

Nothing is re-exported here on purpose: whoever imports `games.engine.state` or `games.engine.fold` shows it,
and the import contracts can forbid it (see `README.md` beside this file).
"""
