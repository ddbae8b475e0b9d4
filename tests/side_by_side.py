"""Which tests may run at the same time, when several processes run them.

Tests with a browser come one after another in one process, those with a server of their own in another, so that they
wait for little but their own server; all others stay together by file, which makes what a module shares only once.
Those two are few and long, so they begin; what is short fills up the end.
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


class ByKind(LoadFileScheduling):
    def _assign_work_unit(self, node: WorkerController) -> None:
        if not any(self.assigned_work.values()):
            for kind in ("server", "browser"):
                if kind in self.workqueue:
                    self.workqueue.move_to_end(kind, last=False)
        super()._assign_work_unit(node)

    def _split_scope(self, nodeid: str) -> str:
        return _kind(nodeid.split("::", 1)[0])
