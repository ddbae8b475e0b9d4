"""The four statements of a move, built by the ORM once and then only executed.

Building a query costs Django three to five times what the database needs to answer it, and every move makes the same
four: read the table, read its hand, add a row to the log, change the hand. Here their SQL is taken from the models and
kept for the database in use, and goes straight to its driver; values go in and out through the models' own fields.
Nothing else should need this.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections, models
from django.db.backends.base.base import BaseDatabaseWrapper

M = TypeVar("M", bound=models.Model)

# their Python values are the database's
PLAIN = (models.CharField, models.IntegerField, models.BooleanField, models.ForeignKey)


def _database() -> BaseDatabaseWrapper:
    """This thread's connection; to ask Django's proxy for each of its parts costs more than some statements."""
    return connections[DEFAULT_DB_ALIAS]


def _execute(database: BaseDatabaseWrapper, sql: str, params: Sequence[Any]) -> Any:
    """The driver's cursor after this statement. Raises what Django would raise."""
    database.ensure_connection()
    database.validate_no_broken_transaction()
    with database.wrap_database_errors:
        return database.connection.execute(sql, params)


def _for_driver(database: BaseDatabaseWrapper, sql: str) -> str:
    return sql.replace("%s", "?") if database.vendor == "sqlite" else sql


class _Query(NamedTuple):
    sql: str
    at: int  # where the parameter goes
    params: tuple[Any, ...]
    model: type[Any]
    names: list[str]
    converters: list[tuple[int, list[Any], Any]]  # place, functions, expression


class OneRow(Generic[M]):
    """A query for one row with one parameter. `query` builds it, given a stand-in for the parameter."""

    def __init__(self, query: Callable[[Any], models.QuerySet[M]], stand_in: str) -> None:
        self._query = query
        self._stand_in = stand_in
        self._made: dict[str, _Query] = {}

    def _make(self, database: BaseDatabaseWrapper) -> _Query:
        queryset = self._query(self._stand_in)
        compiler = queryset.query.get_compiler(connection=database)
        sql, params = compiler.as_sql()
        names = [column[0].target.attname for column in compiler.select]
        converters = compiler.get_converters([column[0] for column in compiler.select])
        return _Query(
            _for_driver(database, sql),
            params.index(self._stand_in),
            tuple(params),
            queryset.model,
            names,
            [(place, convert, expression) for place, (convert, expression) in converters.items()],
        )

    def get(self, value: str) -> M | None:
        """The row for this parameter, None if there is none."""
        database = _database()
        made = self._made.get(database.vendor)
        if made is None:
            made = self._made[database.vendor] = self._make(database)
        row = _execute(database, made.sql, (*made.params[: made.at], value, *made.params[made.at + 1 :])).fetchone()
        if row is None:
            return None
        values = list(row)
        for place, convert, expression in made.converters:
            for converter in convert:
                values[place] = converter(values[place], expression, database)
        found: M = made.model.from_db(database.alias, made.names, values)
        return found


class _Columns(NamedTuple):
    sql: str
    fields: list[tuple[str, models.Field[Any, Any] | None]]  # None: the value as it is


_made: dict[tuple[str, str, str, tuple[str, ...]], _Columns] = {}


def _columns(
    database: BaseDatabaseWrapper,
    kind: str,
    model: type[models.Model],
    names: tuple[str, ...],
    write: Callable[[list[str], str], str],
) -> _Columns:
    """The statement that `write` makes of quoted columns and the quoted table, and how its values are prepared."""
    key = (database.vendor, kind, model._meta.label, names)
    found = _made.get(key)
    if found is None:
        quote = database.ops.quote_name
        known = {field.attname: field for field in model._meta.concrete_fields}
        fields = [known[name] for name in names]
        sql = write([quote(str(field.column)) for field in fields], quote(model._meta.db_table))
        found = _made[key] = _Columns(
            _for_driver(database, sql), [(f.attname, None if isinstance(f, PLAIN) else f) for f in fields]
        )
    return found


def _values(database: BaseDatabaseWrapper, row: models.Model, columns: _Columns) -> list[Any]:
    return [
        getattr(row, name) if field is None else field.get_db_prep_save(getattr(row, name), database)
        for name, field in columns.fields
    ]


def insert(row: models.Model, names: tuple[str, ...]) -> None:
    """Add a row of which these attributes are set; its automatic key is not read back."""

    def write(columns: list[str], table: str) -> str:
        return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join(['%s'] * len(columns))})"

    database = _database()
    columns = _columns(database, "insert", type(row), names, write)
    _execute(database, columns.sql, _values(database, row, columns))


def update(row: models.Model, names: tuple[str, ...]) -> None:
    """Write these attributes of an existing row. Raises LookupError when the row is gone."""

    def write(columns: list[str], table: str) -> str:
        key = row._meta.pk
        assert key is not None
        own = database.ops.quote_name(str(key.column))
        return f"UPDATE {table} SET {', '.join(f'{column} = %s' for column in columns)} WHERE {own} = %s"

    database = _database()
    columns = _columns(database, "update", type(row), names, write)
    if _execute(database, columns.sql, [*_values(database, row, columns), row.pk]).rowcount != 1:
        raise LookupError(f"{row._meta.label} {row.pk} is gone")
