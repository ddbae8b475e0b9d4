"""Which tests may run at the same time, when several processes run them.

In the fast suite tests with a browser come one after another in one process, those with a server of their own in
another, so that they wait for little but their own server. In the long one browsers would keep their process busy for
minutes after the other has ended, so only those with a server are one after another. All others stay together by file,
which makes what a module shares only once. What takes long begins; what is short fills up the end.
"""

from __future__ import annotations

from functools import cache

from xdist.scheduler import LoadFileScheduling
from xdist.workermanage import WorkerController

from tests.template import ROOT


@cache
def _kind(path: str) -> str:
    text = (ROOT / path).read_text(encoding="utf-8")
    if "pytest.mark.browser" in text:
        return "browser"
    return "server" if "from tests.site import" in text else path


LONG = (
    "server",
    "browser",
    "tests/bots/test_laws.py",
    "tests/browser/test_presets.py",
    "tests/events/test_evening_in_browser.py",
)
"""In the order in which they begin."""


class ByKind(LoadFileScheduling):
    def _assign_work_unit(self, node: WorkerController) -> None:
        if not any(self.assigned_work.values()):
            for scope in reversed(LONG):
                if scope in self.workqueue:
                    self.workqueue.move_to_end(scope, last=False)
        super()._assign_work_unit(node)

    def _split_scope(self, nodeid: str) -> str:
        path = nodeid.split("::", 1)[0]
        fast = "not slow" in self.config.option.markexpr
        return path if _kind(path) == "browser" and not fast else _kind(path)
