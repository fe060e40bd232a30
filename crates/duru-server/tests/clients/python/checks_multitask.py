"""A second run on a thread that is busy."""

import threading
from concurrent.futures import ThreadPoolExecutor

import httpx

from harness import Ctx, check, eq, ok, refused

BUSY = "Thread is already running a task. Wait for it to finish or choose a different multitask strategy."


def busy(c: Ctx, n=60):
    t = c.thread()
    run = c.sdk.runs.create(t, "slow", input={"n": n, "tick": 0.1})["run_id"]
    c.started(t, run)
    c.writing(t, run)
    return t, run


@check()
def multitask_reject(c: Ctx):
    t, run = busy(c)
    for path in ("", "/wait", "/stream"):
        r = c.http.post(f"/threads/{t}/runs{path}", json={"assistant_id": "slow", "input": {"n": 1, "tick": 0}, "multitask_strategy": "reject"})
        refused(r, 409, BUSY)
    eq(len(c.sdk.runs.list(t)), 1)
    c.sdk.runs.cancel(t, run, wait=True)


@check()
def multitask_reject_lets_one_in(c: Ctx):
    t = c.thread()
    # However long the eight of them take, the first is still under way.
    body = {"assistant_id": "slow", "input": {"n": 600, "tick": 0.1}, "multitask_strategy": "reject"}
    with ThreadPoolExecutor(8) as pool:
        codes = list(pool.map(lambda _: httpx.post(f"{c.url}/threads/{t}/runs", json=body, timeout=30).status_code, range(8)))
    eq(sorted(codes), [200] + [409] * 7)
    for run in c.sdk.runs.list(t):
        c.sdk.runs.cancel(t, run["run_id"], wait=True)


@check()
def multitask_enqueue(c: Ctx):
    t, first = busy(c, 10)
    second = c.sdk.runs.create(t, "slow", input={"n": 1, "tick": 0})["run_id"]
    eq(c.sdk.runs.get(t, second)["status"], "pending")
    third = c.sdk.runs.create(t, "slow", input={"n": 1, "tick": 0}, multitask_strategy="enqueue")["run_id"]
    eq(c.sdk.runs.join(t, second)["log"], ["s1", "s2"] * 2)
    eq(c.sdk.runs.join(t, third)["log"], ["s1", "s2"] * 3)
    eq([r["status"] for r in c.sdk.runs.list(t)], ["success"] * 3)


@check()
def multitask_cancel_of_a_waiting_run(c: Ctx):
    t, first = busy(c)
    second = c.sdk.runs.create(t, "slow", input={"n": 1, "tick": 0})["run_id"]
    c.sdk.runs.cancel(t, second, wait=True)
    eq([r["status"] for r in c.sdk.runs.list(t)], ["interrupted", "running"])
    # The reference says idle, though the first run goes on.
    eq(c.sdk.threads.get(t)["status"], "idle" if c.reference else "busy")
    c.sdk.runs.cancel(t, first, wait=True)


@check()
def multitask_interrupt(c: Ctx):
    t, first = busy(c)
    second = c.sdk.runs.create(t, "slow", input={"n": 1, "tick": 0}, multitask_strategy="interrupt")["run_id"]
    eq(c.sdk.runs.join(t, second), {"n": 1, "tick": 0, "log": ["s1", "s2"]})
    eq(c.sdk.runs.get(t, first)["status"], "interrupted")
    eq(c.sdk.runs.get(t, second)["status"], "success")
    sources = [(h["metadata"]["run_id"], h["metadata"]["source"]) for h in c.sdk.threads.get_history(t, limit=20)]
    assert (first, "input") in sources, "the checkpoints of the old run stay"
    eq(c.sdk.threads.get(t)["status"], "idle")


@check()
def multitask_rollback(c: Ctx):
    t, first = busy(c)
    second = c.sdk.runs.create(t, "slow", input={"n": 1, "tick": 0}, multitask_strategy="rollback")["run_id"]
    eq(c.sdk.runs.join(t, second), {"n": 1, "tick": 0, "log": ["s1", "s2"]})
    refused(c.http.get(f"/threads/{t}/runs/{first}"), 404)
    eq({h["metadata"]["run_id"] for h in c.sdk.threads.get_history(t, limit=20)}, {second})
    eq([r["run_id"] for r in c.sdk.runs.list(t)], [second])


@check()
def multitask_default_over_a_stream(c: Ctx):
    """A stream that has to wait its turn gets its frames once it is its turn."""
    t, first = busy(c, 10)
    fs = c.stream("slow", {"input": {"n": 2, "tick": 0}, "stream_mode": ["custom", "values"]}, t)
    eq([f.json for f in fs if f.event == "custom"], [{"tick": 0}, {"tick": 1}])
    eq(fs[-1].json["log"], ["s1", "s2"] * 2)


@check()
def two_resumes_at_once(c: Ctx):
    """They go one after the other: the first answer counts, the second run has nothing to do."""
    t = c.thread()
    c.sdk.runs.wait(t, "hitl", input={"q": "go"})
    gate = threading.Barrier(2)

    def resume(word):
        gate.wait()
        return httpx.post(f"{c.url}/threads/{t}/runs/wait", json={"assistant_id": "hitl", "command": {"resume": word}}, timeout=60)

    with ThreadPoolExecutor(2) as pool:
        got = list(pool.map(resume, ["one", "two"]))
    for r in got:
        ok(r)
    runs = c.sdk.runs.list(t)
    eq([r["status"] for r in runs], ["success"] * 3)
    winner = runs[1]["kwargs"]["command"]["resume"]  # newest first: the resume that was accepted first
    s = c.sdk.threads.get_state(t)
    eq((s["values"], s["next"]), ({"q": "go!", "answer": f"{winner} done"}, []))
    eq(c.sdk.threads.get(t)["status"], "idle")


@check()
def many_threads_at_once(c: Ctx):
    def one(i):
        with httpx.Client(base_url=c.url, timeout=60) as h:
            t = h.post("/threads", json={}).json()["thread_id"]
            return h.post(f"/threads/{t}/runs/wait", json={"assistant_id": "three", "input": {"x": i}}).json()["x"]

    with ThreadPoolExecutor(8) as pool:
        eq(list(pool.map(one, range(16))), [i + 3 for i in range(16)])
