"""Which tests may run at the same time, when several processes run them.

Tests with a browser come one after another in one process, those with a server of their own in another, so that they
wait for little but their own server; all others stay together by file, which makes what a module shares only once.
"""

from __future__ import annotations

from functools import cache

from xdist.scheduler import LoadFileScheduling

from tests.template import ROOT


@cache
def _kind(path: str) -> str:
    text = (ROOT / path).read_text(encoding="utf-8")
    if "pytest.mark.browser" in text:
        return "browser"
    return "server" if "from tests.site import" in text else path


class ByKind(LoadFileScheduling):
    def _split_scope(self, nodeid: str) -> str:
        return _kind(nodeid.split("::", 1)[0])
