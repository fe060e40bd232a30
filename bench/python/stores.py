"""Savers with nothing in them: `none`, `memory`, `sqlite` or `postgres`.

SQLite's file lies in BENCH_DATA_DIR, where ours is, too, and is removed afterwards; BENCH_PG_DSN names the PostgreSQL server.
"""
import contextlib
import os
import shutil
import tempfile

KINDS = ("none", "memory", "sqlite", "postgres")
TABLES = ("checkpoints", "checkpoint_blobs", "checkpoint_writes")
EMPTY = "TRUNCATE " + ", ".join(TABLES)


@contextlib.contextmanager
def _folder():
    place = os.environ.get("BENCH_DATA_DIR") or tempfile.gettempdir()
    os.makedirs(place, exist_ok=True)
    folder = tempfile.mkdtemp(prefix="langgraph-", dir=place)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _server():
    try:
        return os.environ["BENCH_PG_DSN"]
    except KeyError:
        raise SystemExit("BENCH_PG_DSN names no PostgreSQL server") from None


@contextlib.contextmanager
def saver(kind):
    """For `invoke`."""
    if kind == "none":
        yield None
    elif kind == "memory":
        from langgraph.checkpoint.memory import InMemorySaver

        yield InMemorySaver()
    elif kind == "sqlite":
        from langgraph.checkpoint.sqlite import SqliteSaver

        with _folder() as folder, SqliteSaver.from_conn_string(os.path.join(folder, "threads.db")) as store:
            store.setup()
            yield store
    else:
        from langgraph.checkpoint.postgres import PostgresSaver

        with PostgresSaver.from_conn_string(_server()) as store:
            store.setup()
            with store.conn.cursor() as cursor:
                cursor.execute(EMPTY)
            yield store


@contextlib.asynccontextmanager
async def async_saver(kind):
    """For `ainvoke`."""
    if kind in ("none", "memory"):
        with saver(kind) as store:
            yield store
    elif kind == "sqlite":
        from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

        with _folder() as folder:
            async with AsyncSqliteSaver.from_conn_string(os.path.join(folder, "threads.db")) as store:
                await store.setup()
                yield store
    else:
        from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver

        async with AsyncPostgresSaver.from_conn_string(_server()) as store:
            await store.setup()
            async with store.conn.cursor() as cursor:
                await cursor.execute(EMPTY)
            yield store


def stored(kind, store):
    """What a conversation takes on disk, everything moved out of the write-ahead log."""
    if kind == "sqlite":
        store.conn.commit()
        store.conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        file = store.conn.execute("SELECT file FROM pragma_database_list WHERE name = 'main'").fetchone()[0]
        return {"db_file_bytes": os.path.getsize(file)}
    if kind == "postgres":
        sizes = " + ".join(f"pg_total_relation_size('{table}')" for table in TABLES)
        with store.conn.cursor() as cursor:
            cursor.execute(f"SELECT {sizes} AS bytes")
            return {"db_file_bytes": int(cursor.fetchone()["bytes"])}
    return {}
