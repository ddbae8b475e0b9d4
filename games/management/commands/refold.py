"""Fold every stored hand again from its deal and its log, and compare with what was stored."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db.models import QuerySet

from games.models import Hand
from games.services.audit import differences_at_rest


class Command(BaseCommand):
    help = "Checks that every stored hand, folded again from its log, gives the stored result. Fails on a difference."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--table", help="only the hands of this table")

    def handle(self, *args: Any, **options: Any) -> None:
        counts = dict.fromkeys(Hand.Status.values, 0)
        actions = wrong = 0
        for hand in self._hands(options["table"]):
            for difference in differences_at_rest(hand):
                wrong += 1
                self.stderr.write(f"hand {hand.id} (table {hand.table_id} #{hand.number}): {difference}")
            counts[hand.status] += 1
            actions += hand.seq
        demo = self._of(options["table"]).filter(demo=True).count()
        if demo:
            self.stdout.write(f"{demo} demo hands, which have no log, were left out")
        pruned = self._of(options["table"]).filter(pruned=True).count()
        if pruned:
            self.stdout.write(f"{pruned} hands have no log any more; of them only the deal was checked")
        told = ", ".join(f"{number} {status}" for status, number in counts.items())
        self.stdout.write(f"{sum(counts.values())} hands ({told}), {actions} actions, {wrong} differences")
        if wrong:
            raise CommandError(f"{wrong} differences", returncode=1)

    def _hands(self, table_id: str | None) -> Iterator[Hand]:
        return self._of(table_id).filter(demo=False).iterator(chunk_size=50)

    def _of(self, table_id: str | None) -> QuerySet[Hand]:
        hands = Hand.objects.order_by("started_at")
        return hands.filter(table_id=table_id) if table_id else hands
