"""The four statements of a move, built by the ORM once and then only executed.

Building a query costs Django three to five times what the database needs to answer it, and every move makes the same
four: read the table, read its hand, add a row to the log, change the hand. Here their SQL is taken from the models and
kept for the database in use; values go in and out through the models' own fields. Nothing else should need this.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

from django.db import connection, models

M = TypeVar("M", bound=models.Model)


class OneRow(Generic[M]):
    """A query for one row with one parameter. `query` builds it, given a stand-in for the parameter."""

    def __init__(self, query: Callable[[Any], models.QuerySet[M]], stand_in: str) -> None:
        self._query = query
        self._stand_in = stand_in
        self._made: dict[str, tuple[str, int, tuple[Any, ...], type[M], list[str], Any]] = {}

    def _make(self) -> tuple[str, int, tuple[Any, ...], type[M], list[str], Any]:
        """SQL, where the parameter goes, the other parameters, and how a row becomes an instance."""
        queryset = self._query(self._stand_in)
        compiler = queryset.query.get_compiler(connection=connection)
        sql, params = compiler.as_sql()
        at = params.index(self._stand_in)
        names = [column[0].target.attname for column in compiler.select]
        converters = compiler.get_converters([column[0] for column in compiler.select])
        return sql, at, tuple(params), queryset.model, names, converters

    def get(self, value: str) -> M | None:
        """The row for this parameter, None if there is none."""
        made = self._made.get(connection.vendor)
        if made is None:
            made = self._made[connection.vendor] = self._make()
        sql, at, params, model, names, converters = made
        with connection.cursor() as cursor:
            cursor.execute(sql, (*params[:at], value, *params[at + 1 :]))
            row = cursor.fetchone()
        if row is None:
            return None
        values = list(row)
        for place, (convert, expression) in converters.items():
            for converter in convert:
                values[place] = converter(values[place], expression, connection)
        return model.from_db(connection.alias, names, values)


_sql: dict[tuple[str, str, tuple[str, ...]], str] = {}


def _columns(model: type[models.Model], names: Sequence[str]) -> list[models.Field[Any, Any]]:
    fields = {field.attname: field for field in model._meta.concrete_fields}
    return [fields[name] for name in names]


def _quoted(field: models.Field[Any, Any]) -> str:
    assert field.column is not None
    return connection.ops.quote_name(field.column)


def insert(row: models.Model, names: tuple[str, ...]) -> None:
    """Add a row of which these attributes are set; its automatic key is not read back."""
    model = type(row)
    key = ("insert", model._meta.label, names)
    fields = _columns(model, names)
    if key not in _sql:
        quote = connection.ops.quote_name
        columns = ", ".join(map(_quoted, fields))
        marks = ", ".join(["%s"] * len(fields))
        _sql[key] = f"INSERT INTO {quote(model._meta.db_table)} ({columns}) VALUES ({marks})"
    with connection.cursor() as cursor:
        cursor.execute(_sql[key], _values(row, fields))


def update(row: models.Model, names: tuple[str, ...]) -> None:
    """Write these attributes of an existing row. Raises LookupError when the row is gone."""
    model = type(row)
    key = ("update", model._meta.label, names)
    fields = _columns(model, names)
    if key not in _sql:
        quote = connection.ops.quote_name
        sets = ", ".join(f"{_quoted(field)} = %s" for field in fields)
        own = _quoted(_primary(model))
        _sql[key] = f"UPDATE {quote(model._meta.db_table)} SET {sets} WHERE {own} = %s"
    with connection.cursor() as cursor:
        cursor.execute(_sql[key], [*_values(row, fields), row.pk])
        if cursor.rowcount != 1:
            raise LookupError(f"{model._meta.label} {row.pk} is gone")


def _primary(model: type[models.Model]) -> models.Field[Any, Any]:
    assert model._meta.pk is not None
    return model._meta.pk


def _values(row: models.Model, fields: Sequence[models.Field[Any, Any]]) -> list[Any]:
    return [field.get_db_prep_save(getattr(row, field.attname), connection) for field in fields]
