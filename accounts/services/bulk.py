"""Rows by the hundred thousand, for data that is made in one go. Skips what the ORM does for single rows, so it is
meant for rows that no code but the caller's has ever seen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.core.management.color import no_style
from django.db import connection, models

CHUNK = 5000


class BulkInsert:
    """Insert rows of which only some columns are given; the others get the defaults of their fields."""

    def __init__(self, model: type[models.Model], names: Sequence[str]) -> None:
        quote = connection.ops.quote_name
        given = {name: place for place, name in enumerate(names)}
        fields = [
            field
            for field in model._meta.concrete_fields
            if field.attname in given or not isinstance(field, models.AutoField)
        ]
        self._prepare = [
            (given[field.attname], field)
            for field in fields
            if field.attname in given and isinstance(field, (models.JSONField, models.DateTimeField))
        ]
        self._columns = [given.get(field.attname) for field in fields]
        self._defaults = [
            None if field.attname in given else field.get_db_prep_save(field.get_default(), connection)
            for field in fields
        ]
        marks = ", ".join(["%s"] * len(fields))
        columns = ", ".join(quote(str(field.column)) for field in fields)
        self._sql = f"INSERT INTO {quote(model._meta.db_table)} ({columns}) VALUES ({marks})"
        self._rows: list[list[Any]] = []

    def add(self, *values: Any) -> None:
        """One row, its values in the order of the names. Text for a JSON column is taken as JSON already written."""
        row = list(values)
        for place, field in self._prepare:
            if not (isinstance(row[place], str) and isinstance(field, models.JSONField)):
                row[place] = field.get_db_prep_save(row[place], connection)
        self._rows.append(
            [
                default if place is None else row[place]
                for place, default in zip(self._columns, self._defaults, strict=True)
            ]
        )
        if len(self._rows) >= CHUNK:
            self.flush()

    def flush(self) -> None:
        """Send what is left."""
        if self._rows:
            with connection.cursor() as cursor:
                cursor.executemany(self._sql, self._rows)
            self._rows = []


def renumber(*tables: type[models.Model]) -> None:
    """After rows with ids of the caller's: the next automatic id is above them."""
    statements: Iterable[str] = connection.ops.sequence_reset_sql(no_style(), list(tables))
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
