"""What is read from the clocks and from /proc, and the line that tells it.

The names of the fields are those that `duru-bench` prints: the two lines of a case are compared field by field.
"""
import json
import os
import platform
import statistics
import time
from importlib.metadata import PackageNotFoundError, version

PACKAGES = ("langgraph", "langgraph-checkpoint", "langgraph-checkpoint-sqlite", "langgraph-checkpoint-postgres", "psycopg")


class Lap:
    """Wall and CPU time of a block, in seconds; the CPU time of the whole process, all threads."""

    def __enter__(self):
        self._wall, self._cpu = time.perf_counter(), time.process_time()
        return self

    def __exit__(self, *_):
        self.wall = time.perf_counter() - self._wall
        self.cpu = time.process_time() - self._cpu


def _busy_everywhere():
    """Seconds that all cores together were not idle."""
    with open("/proc/stat") as stat:
        ticks = [int(field) for field in stat.readline().split()[1:9]]
    idle = ticks[3] + ticks[4]
    return (sum(ticks) - idle) / os.sysconf("SC_CLK_TCK")


def _busy_here():
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


_BEGAN = time.perf_counter(), _busy_everywhere(), _busy_here()


def others_cores():
    """How many cores other processes kept busy since this one began. A database server is another process."""
    wall, everywhere, here = time.perf_counter(), _busy_everywhere(), _busy_here()
    others = (everywhere - _BEGAN[1]) - (here - _BEGAN[2])
    return round(max(0.0, others / (wall - _BEGAN[0])), 2)


def memory_mib(field="VmRSS"):
    """This process's memory now, or with `VmHWM` at its peak."""
    with open("/proc/self/status") as status:
        for line in status:
            if line.startswith(field + ":"):
                return int(line.split()[1]) / 1024
    return float("nan")


def versions():
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            pass
    return found


def middle(values, digits=3):
    return round(statistics.median(values), digits)


def tell(bench, unit, samples, params, **more):
    """Prints one line. `samples` has one figure for every repetition."""
    line = {
        "bench": bench,
        "impl": "python-langgraph",
        "params": params,
        "unit": unit,
        "runs": len(samples),
        "median": middle(samples),
        "min": round(min(samples), 3),
        "max": round(max(samples), 3),
        "samples": [round(sample, 3) for sample in samples],
        **more,
        "contention": {"other_busy_cores": others_cores()},
        "versions": versions(),
    }
    print(json.dumps(line), flush=True)
