"""Holds a server to checks, and prints one line for each. For whatever finds this folder in `PYTHONPATH`."""

import argparse
import asyncio
import sys
import traceback

CHECKS = []
# Seconds, on a machine that does much else.
WITHIN = 180


def check(function):
    CHECKS.append(function)
    return function


async def held(function, url):
    try:
        await asyncio.wait_for(function(url), WITHIN)
        return None
    except Exception as error:  # noqa: BLE001: every failure is a line
        traceback.print_exc()
        return f"{type(error).__name__}: {error}".replace("\n", " ")


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--url", required=True)
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    chosen = [function for function in CHECKS if function.__name__.startswith(args.only)]
    results = await asyncio.gather(*(held(function, args.url) for function in chosen))
    for function, failed in zip(chosen, results):
        print(f"FAIL {function.__name__}: {failed}" if failed else f"ok {function.__name__}")
    sys.exit(any(results))


def run():
    asyncio.run(main())
