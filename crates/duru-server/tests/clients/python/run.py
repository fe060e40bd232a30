#!/usr/bin/env python3
"""Conformance checks of a server that speaks the Agent Server API, with the Python clients.

    python run.py --url http://127.0.0.1:2024 [--only NAME]... [--reference] [--jobs N]

One line per check: `ok NAME`, `FAIL NAME: why` or `skip NAME: why`. The exit code is 1 if any fails.
"""

from __future__ import annotations

import argparse
import sys
import threading
import time
import traceback
from concurrent.futures import ThreadPoolExecutor

from harness import CHECKS, Ctx, Skip, short

import checks_assistants  # noqa: F401
import checks_threads  # noqa: F401
import checks_edits  # noqa: F401
import checks_stream  # noqa: F401
import checks_runs  # noqa: F401
import checks_multitask  # noqa: F401
import checks_store_crons  # noqa: F401
import checks_errors  # noqa: F401
import checks_remote  # noqa: F401
import checks_protocol  # noqa: F401

lock = threading.Lock()
count = {"ok": 0, "FAIL": 0, "skip": 0}


def one(check, ctx: Ctx, verbose: bool) -> None:
    start = time.monotonic()
    why = None
    try:
        check.run(ctx)
        word = "ok"
    except Skip as e:
        word, why = "skip", str(e)
    except BaseException as e:  # a check may fail in any way
        word, why = "FAIL", f"{type(e).__name__}: {e}" if not isinstance(e, AssertionError) else str(e)
        if verbose:
            traceback.print_exc()
        elif isinstance(e, AssertionError) and not str(e):
            at = traceback.extract_tb(e.__traceback__)[-1]
            why = f"line {at.lineno}: {at.line}"
    with lock:
        count[word] += 1
        line = f"{word} {check.name}" + (f": {short(' '.join((why or '').split()), 600)}" if why else "")
        if verbose:
            line += f"  [{check.priority}, {time.monotonic() - start:.1f} s]"
        print(line, flush=True)


def main() -> int:
    p = argparse.ArgumentParser()
    p.add_argument("--url", required=True)
    p.add_argument("--only", action="append", help="a check's name, or how it begins; may be repeated")
    p.add_argument("--priority", help="M, S or C, or several: MS")
    p.add_argument("--reference", action="store_true", help="the server is the reference one, with its known faults")
    p.add_argument("--slow", action="store_true", help="also the checks that take a minute")
    p.add_argument("--jobs", type=int, default=4)
    p.add_argument("--verbose", action="store_true")
    p.add_argument("--list", action="store_true")
    a = p.parse_args()
    chosen = [
        c
        for c in CHECKS
        if (not a.only or any(c.name.startswith(o) for o in a.only)) and (not a.priority or c.priority in a.priority)
        and (not c.slow or a.slow or a.list or c.name in (a.only or []))
    ]
    if a.list:
        for c in chosen:
            print(c.priority, c.name)
        return 0
    if not chosen:
        print("no such check", file=sys.stderr)
        return 2
    ctx = Ctx(a.url, a.reference)
    with ThreadPoolExecutor(a.jobs) as pool:
        list(pool.map(lambda c: one(c, ctx, a.verbose), [c for c in chosen if not c.alone]))
    for c in chosen:
        if c.alone:
            one(c, ctx, a.verbose)
    print(f"{count['ok']} ok, {count['FAIL']} failed, {count['skip']} skipped", file=sys.stderr)
    return 1 if count["FAIL"] else 0


if __name__ == "__main__":
    sys.exit(main())
