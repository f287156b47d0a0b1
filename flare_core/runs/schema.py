"""The tables that runs are kept in, and the numbered steps that lead an older database to them."""

from __future__ import annotations

from sqlalchemy import Column, Connection, Float, ForeignKey, Integer, MetaData, Table, Text

from flare_core.errors import LogError

METADATA = MetaData()

RUNS = Table(
    "runs",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("request_id", Text, unique=True),
    Column("topic", Text, nullable=False),
    Column("spec", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("created_at", Float, nullable=False),
    Column("heartbeat", Float, nullable=False),
    Column("ended_at", Float),
)

EVENTS = Table(
    "events",
    METADATA,
    Column("run_id", Text, ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("seq", Integer, primary_key=True),
    Column("type", Text, nullable=False),
    Column("json", Text, nullable=False),
)

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE runs (
            id TEXT NOT NULL PRIMARY KEY,
            request_id TEXT UNIQUE,
            topic TEXT NOT NULL,
            spec TEXT NOT NULL,
            status TEXT NOT NULL,
            created_at FLOAT NOT NULL,
            heartbeat FLOAT NOT NULL,
            ended_at FLOAT
        )""",
        "CREATE INDEX runs_by_time ON runs (created_at)",
        """CREATE TABLE events (
            run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
            seq INTEGER NOT NULL,
            type TEXT NOT NULL,
            json TEXT NOT NULL,
            PRIMARY KEY (run_id, seq)
        ) WITHOUT ROWID""",
    ),
)
"""Step n leads a database from version n-1 to n. A step that was released is never changed."""


def migrate(connection: Connection) -> None:
    """Bring the database to the newest version, inside the caller's transaction.

    Raises LogError for a database that a newer Flare wrote.
    """
    version = connection.exec_driver_sql("PRAGMA user_version").scalar_one()
    if version > len(MIGRATIONS):
        raise LogError(
            f"The runs were written by a newer Flare (format {version}, this one knows {len(MIGRATIONS)}).",
            "Update Flare, or set FLARE_HOME to another folder.",
        )
    for number, statements in enumerate(MIGRATIONS[version:], start=version + 1):
        for statement in statements:
            connection.exec_driver_sql(statement)
        connection.exec_driver_sql(f"PRAGMA user_version = {number}")
