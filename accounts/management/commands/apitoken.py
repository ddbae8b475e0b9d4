"""Print a new token for programs, for one account or for a numbered row of accounts.

`apitoken NAME` prints one for NAME; `--count N` prints one for each of NAME1 … NAMEN, a line each; `--create` opens
accounts that do not exist yet, without a password.
"""

from argparse import ArgumentParser
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from accounts.models import Player
from accounts.services import players


class Command(BaseCommand):
    help = __doc__ or ""

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="name of the account")
        parser.add_argument("--create", action="store_true", help="open accounts that do not exist yet")
        parser.add_argument("--count", type=int, metavar="N", help="for NAME1 … NAMEN")

    @transaction.atomic
    def handle(self, *args: Any, **options: Any) -> None:
        name, count = str(options["name"]), options["count"]
        if count is not None and count < 1:
            raise CommandError("--count must be at least 1")
        names = [name] if count is None else [f"{name}{number}" for number in range(1, count + 1)]
        texts = [players.make_token(self._player(each, create=options["create"]), "apitoken") for each in names]
        for text in texts:
            self.stdout.write(text)

    def _player(self, name: str, *, create: bool) -> Player:
        name = Player.normalize_username(name)
        player = Player.objects.filter(username__iexact=name).first()
        if player is not None:
            return player
        if not create:
            raise CommandError(f"there is no account {name!r}; --create opens it")
        try:
            Player._meta.get_field("username").clean(name, None)
        except ValidationError as error:
            raise CommandError(f"{name!r}: {' '.join(error.messages)}") from error
        return players.sign_up(username=name, password=None)
