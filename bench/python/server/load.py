"""Clients that ask a server for a stateless run of three steps, wait for its result, check it, and ask again.

    load.py --url http://127.0.0.1:2024 --clients 16 --seconds 5 --pid PID

Prints one JSON line: how many runs a second, how long they took, and what the process PID and its children used meanwhile.
"""
import argparse
import asyncio
import json
import os
import time

import httpx

WANTED = {"x": 4, "log": ["a", "b", "c"]}


def family(pid):
    """A process and its children."""
    found = [pid]
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat") as stat:
                # The name before it is in brackets and may hold anything.
                parent = int(stat.read().rsplit(")", 1)[1].split()[1])
        except (OSError, ValueError):
            continue
        if parent == pid:
            found.append(int(name))
    return found


def cpu_seconds(pid):
    ticks = 0
    for one in family(pid):
        try:
            with open(f"/proc/{one}/stat") as stat:
                fields = stat.read().rsplit(")", 1)[1].split()
        except OSError:
            continue
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def memory_mib(pid):
    kib = 0
    for one in family(pid):
        try:
            with open(f"/proc/{one}/status") as status:
                kib += sum(int(line.split()[1]) for line in status if line.startswith("VmRSS:"))
        except OSError:
            continue
    return kib / 1024


async def client(http, until, took, failed):
    body = {"assistant_id": "three", "input": {"x": 1}}
    while time.perf_counter() < until:
        began = time.perf_counter()
        try:
            reply = await http.post("/runs/wait", json=body)
            said = reply.json() if reply.status_code == 200 else None
        except (httpx.HTTPError, ValueError) as error:
            failed.append(repr(error)[:200])
            continue
        if said is not None and all(said.get(key) == value for key, value in WANTED.items()):
            took.append(time.perf_counter() - began)
        else:
            failed.append(f"{reply.status_code}: {reply.text[:200]}")


async def load(http, clients, seconds):
    took, failed, until = [], [], time.perf_counter() + seconds
    await asyncio.gather(*(client(http, until, took, failed) for _ in range(clients)))
    return took, failed


async def main(args):
    many = httpx.Limits(max_connections=args.clients, max_keepalive_connections=args.clients)
    async with httpx.AsyncClient(base_url=args.url, timeout=60, limits=many) as http:
        await load(http, args.clients, min(2.0, args.seconds))
        cpu, began = cpu_seconds(args.pid), time.perf_counter()
        took, failed = await load(http, args.clients, args.seconds)
        cpu, wall = cpu_seconds(args.pid) - cpu, time.perf_counter() - began
    took.sort()
    at = lambda share: round(took[min(len(took) - 1, int(share * len(took)))] * 1e3, 3) if took else None
    line = {
        "clients": args.clients,
        "runs": len(took),
        "failed": len(failed),
        "first_failure": failed[0] if failed else None,
        "runs_per_s": round(len(took) / wall, 1),
        "p50_ms": at(0.5),
        "p99_ms": at(0.99),
        "max_ms": at(1),
        "cpu_us_per_run": round(cpu * 1e6 / len(took), 1) if took else None,
        "rss_mib": round(memory_mib(args.pid), 1),
    }
    print(json.dumps(line), flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", required=True)
    parser.add_argument("--clients", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--pid", type=int, required=True)
    asyncio.run(main(parser.parse_args()))
