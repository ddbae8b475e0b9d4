"""Check the beans: every posting sums to 0, every balance is the sum of its entries, all beans together are 0."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.selectors import ledger_report


class Command(BaseCommand):
    help = __doc__ or ""

    def handle(self, *args: Any, **options: Any) -> None:
        report = ledger_report()
        for fault in report.faults:
            self.stderr.write(fault)
        counts = f"{report.accounts} accounts, {report.postings} postings, {report.entries} entries"
        if not report.balanced:
            raise CommandError(f"{counts}: {len(report.faults)} faults")
        self.stdout.write(f"{counts}: the ledger balances")
