"""Runs: create, wait, join, cancel, list; with a thread and without."""

import re
import time
import uuid

from harness import STAMP, UNKNOWN, Ctx, assistant_id, check, eq, frames, has, is_uuid, ok, refused

RUN = ("run_id", "thread_id", "assistant_id", "metadata", "status", "kwargs", "multitask_strategy", "created_at", "updated_at")


@check()
def wait_answers_the_final_values(c: Ctx):
    t = c.thread()
    r = c.http.post(f"/threads/{t}/runs/wait", json={"assistant_id": "three", "input": {"x": 1}})
    eq(ok(r), {"x": 4, "log": ["a", "b", "c"]})
    where = re.fullmatch(rf"/threads/{t}/runs/([0-9a-f-]{{36}})", r.headers["content-location"])
    assert where, r.headers["content-location"]
    eq(r.headers["location"], f"{where[0]}/join")
    eq(r.headers["content-type"], "application/json")
    is_uuid(where[1], 7)


@check()
def wait_messages(c: Ctx):
    t = c.thread()
    for i in (1, 2):
        v = c.sdk.runs.wait(t, "agent", input={"messages": [{"role": "user", "content": f"hi {i}"}]})
        m = v["messages"]
        eq([x["type"] for x in m], ["human", "ai"] * i)
        eq(m[-1]["content"], "Hello from fake")
        eq(m[-2]["content"], f"hi {i}")
    has(m[0], "content", "additional_kwargs", "response_metadata", "type", "name", "id")
    has(m[1], "content", "additional_kwargs", "response_metadata", "type", "name", "id", "tool_calls", "invalid_tool_calls", "usage_metadata")
    is_uuid(m[0]["id"])
    u = m[1]["usage_metadata"]
    eq((u["input_tokens"], u["output_tokens"], u["total_tokens"]), (3, 3, 6))


@check()
def messages_in_every_shape(c: Ctx):
    blocks = [{"type": "text", "text": "look"}, {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}}]
    for given, text in [
        ({"role": "user", "content": "hi"}, "hi"),
        ({"type": "human", "content": "hi"}, "hi"),
        ({"type": "human", "content": blocks}, blocks),
        ("hi", "hi"),
        (["user", "hi"], "hi"),
    ]:
        m = c.sdk.runs.wait(None, "agent", input={"messages": [given]})["messages"]
        eq((m[0]["type"], m[0]["content"]), ("human", text), f"given {given}")


@check()
def messages_are_upserted_and_removed_by_id(c: Ctx):
    t = c.thread()
    mid = str(uuid.uuid4())
    v = c.sdk.runs.wait(t, "agent", input={"messages": [{"type": "human", "content": "one", "id": mid}]})
    eq(v["messages"][0]["id"], mid)
    c.sdk.threads.update_state(t, {"messages": [{"type": "human", "content": "two", "id": mid}]}, as_node="agent")
    m = c.sdk.threads.get_state(t)["values"]["messages"]
    eq([(x["id"], x["content"]) for x in m][0], (mid, "two"))
    eq(len(m), 2)
    c.sdk.threads.update_state(t, {"messages": [{"type": "remove", "id": mid, "content": ""}]}, as_node="agent")
    eq([x["type"] for x in c.sdk.threads.get_state(t)["values"]["messages"]], ["ai"])


@check()
def wait_interrupt(c: Ctx):
    t = c.thread()
    v = c.sdk.runs.wait(t, "hitl", input={"q": "go"})
    eq(v["q"], "go!")
    eq([i["value"] for i in v["__interrupt__"]], [{"question": "approve?", "q": "go!"}])
    eq(c.sdk.runs.wait(t, "hitl", command={"resume": "yes"}), {"q": "go!", "answer": "yes done"})


@check()
def wait_error(c: Ctx):
    r = c.http.post(f"/threads/{c.thread()}/runs/wait", json={"assistant_id": "fail", "input": {"x": 1}})
    eq(ok(r), {"__error__": {"error": "ValueError", "message": "kaboom"}})
    try:
        c.sdk.runs.wait(c.thread(), "fail", input={"x": 1})
    except Exception as e:
        assert "kaboom" in str(e), repr(e)
    else:
        raise AssertionError("the client did not raise")
    v = c.sdk.runs.wait(c.thread(), "fail", input={"x": 1}, raise_error=False)
    eq(v, {"__error__": {"error": "ValueError", "message": "kaboom"}})


@check()
def wait_command_update_and_goto(c: Ctx):
    t = c.thread()
    c.sdk.runs.wait(t, "three", input={"x": 1})
    v = c.sdk.runs.wait(t, "three", command={"update": {"x": 10}, "goto": "c"})
    eq((v["x"], v["log"]), (11, ["a", "b", "c", "c"]))


@check()
def if_not_exists_creates_the_thread(c: Ctx):
    tid = str(uuid.uuid4())
    refused(c.http.post(f"/threads/{tid}/runs/wait", json={"assistant_id": "three", "input": {"x": 1}}), 404, "not found")
    eq(c.sdk.runs.wait(tid, "three", input={"x": 1}, if_not_exists="create")["x"], 4)
    eq(c.sdk.threads.get(tid)["status"], "idle")


@check()
def create_a_run(c: Ctx):
    t = c.thread()
    r = c.http.post(f"/threads/{t}/runs", json={"assistant_id": "slow", "input": {"n": 3, "tick": 0.2}, "metadata": {"m": 1}})
    run = ok(r)
    has(run, *RUN)
    is_uuid(run["run_id"], 7)
    eq((run["thread_id"], run["assistant_id"], run["status"], run["multitask_strategy"]), (t, assistant_id("slow"), "pending", "enqueue"))
    eq(r.headers["content-location"], f"/threads/{t}/runs/{run['run_id']}")
    eq(run["metadata"]["m"], 1)
    eq(run["kwargs"]["input"], {"n": 3, "tick": 0.2})
    assert STAMP.match(run["created_at"])
    eq(c.sdk.threads.get(t)["status"], "busy")
    eq(c.sdk.runs.join(t, run["run_id"]), {"n": 3, "tick": 0.2, "log": ["s1", "s2"]})
    eq(c.sdk.runs.get(t, run["run_id"])["status"], "success")
    eq(c.sdk.threads.get(t)["status"], "idle")


@check()
def join_after_the_end(c: Ctx):
    t = c.thread()
    c.sdk.runs.wait(t, "three", input={"x": 1})
    run = c.sdk.runs.list(t)[0]["run_id"]
    r = c.http.get(f"/threads/{t}/runs/{run}/join")
    eq(ok(r), {"x": 4, "log": ["a", "b", "c"]})
    eq(r.headers["location"], f"/threads/{t}/runs/{run}/join")


@check()
def join_of_an_error_and_of_nothing(c: Ctx):
    t = c.thread()
    run = c.sdk.runs.create(t, "fail", input={"x": 1})["run_id"]
    eq(ok(c.http.get(f"/threads/{t}/runs/{run}/join")), {"__error__": {"error": "ValueError", "message": "kaboom"}})
    got = ok(c.http.get(f"/threads/{t}/runs/{UNKNOWN}/join"))
    assert "Run not found" in got["__error__"]["message"], got


@check("S")
def join_of_an_interrupted_thread(c: Ctx):
    t = c.thread()
    run = c.sdk.runs.create(t, "hitl", input={"q": "go"})["run_id"]
    v = c.sdk.runs.join(t, run)
    eq(v["q"], "go!")
    eq([i["value"] for i in v["__interrupt__"]], [{"question": "approve?", "q": "go!"}])


@check()
def runs_list(c: Ctx):
    t = c.thread()
    ids = []
    for _ in range(3):
        c.sdk.runs.wait(t, "three", input={"x": 1})
        ids.insert(0, c.sdk.runs.list(t, limit=1)[0]["run_id"])
    eq([r["run_id"] for r in c.sdk.runs.list(t)], ids, "newest first")
    eq([r["run_id"] for r in c.sdk.runs.list(t, limit=1, offset=1)], [ids[1]])
    eq(c.sdk.runs.list(t, status="error"), [])
    eq(len(c.sdk.runs.list(t, status="success")), 3)
    eq([set(r) for r in c.sdk.runs.list(t, select=["run_id", "status"], limit=1)], [{"run_id", "status"}])
    eq(c.sdk.runs.list(c.thread()), [])


@check()
def runs_get_unknown(c: Ctx):
    refused(c.http.get(f"/threads/{c.thread()}/runs/{UNKNOWN}"), 404)
    refused(c.http.get(f"/threads/{c.thread()}/runs/nope"), 422)


@check("C")
def runs_delete(c: Ctx):
    t = c.thread()
    c.sdk.runs.wait(t, "three", input={"x": 1})
    run = c.sdk.runs.list(t)[0]["run_id"]
    ok(c.http.delete(f"/threads/{t}/runs/{run}"), 204)
    refused(c.http.get(f"/threads/{t}/runs/{run}"), 404)
    refused(c.http.delete(f"/threads/{t}/runs/{run}"), 404)


# ---- cancel


def long_run(c: Ctx, t: str, **kw) -> str:
    run = c.sdk.runs.create(t, "slow", input={"n": 100, "tick": 0.1}, **kw)["run_id"]
    c.started(t, run)
    return run


@check()
def cancel_and_wait(c: Ctx):
    t = c.thread()
    run = long_run(c, t)
    c.writing(t, run)
    r = c.http.post(f"/threads/{t}/runs/{run}/cancel", params={"wait": 1, "action": "interrupt"})
    eq(r.status_code, 200, r.text)
    r.json()
    eq(r.headers["location"], f"/threads/{t}/runs/{run}/join")
    eq(c.sdk.runs.get(t, run)["status"], "interrupted")
    eq(c.sdk.threads.get(t)["status"], "interrupted")
    s = c.sdk.threads.get_state(t)
    eq((s["values"], s["next"]), ({"n": 100, "tick": 0.1, "log": []}, ["s1"]), "what was committed stays")


@check("S")
def cancel_is_told_in_the_threads_error(c: Ctx):
    t = c.thread()
    run = long_run(c, t)
    c.writing(t, run)
    c.sdk.runs.cancel(t, run, wait=True)
    row = c.sdk.threads.get(t)
    eq((row["error"]["error"], row["interrupts"]), ("UserInterrupt", {}))
    eq(ok(c.http.get(f"/threads/{t}/runs/{run}/join")), {"n": 100, "tick": 0.1, "log": []}, "join answers what there is")


@check()
def cancel_without_waiting(c: Ctx):
    t = c.thread()
    run = long_run(c, t)
    r = c.http.post(f"/threads/{t}/runs/{run}/cancel", params={"wait": 0, "action": "interrupt"})
    eq((r.status_code, r.content), (202, b""))
    c.until(lambda: c.sdk.runs.get(t, run)["status"] == "interrupted", "the run is interrupted")
    c.until(lambda: c.sdk.threads.get(t)["status"] == "interrupted", "so is the thread")


@check()
def cancel_spells_booleans_both_ways(c: Ctx):
    t = c.thread()
    for wait in ("true", "1"):
        run = long_run(c, t)
        eq(c.http.post(f"/threads/{t}/runs/{run}/cancel", params={"wait": wait}).status_code, 200)
        eq(c.sdk.runs.get(t, run)["status"], "interrupted")
    run = long_run(c, t)
    eq(c.http.post(f"/threads/{t}/runs/{run}/cancel", params={"wait": "false"}).status_code, 202)


@check()
def cancel_closes_the_stream_without_an_error(c: Ctx):
    t = c.thread()
    body = {"assistant_id": "slow", "input": {"n": 100, "tick": 0.1}, "stream_mode": "custom"}
    got = []
    with c.sse("POST", f"/threads/{t}/runs/stream", body) as r:
        for f in frames(r):
            got.append(f)
            if f.pair == ("custom", {"tick": 1}):
                c.http.post(f"/threads/{t}/runs/{got[0].json['run_id']}/cancel")
    assert len(got) < 60 and all(f.event in ("metadata", "custom") for f in got), [f.event for f in got]
    eq(c.sdk.runs.get(t, got[0].json["run_id"])["status"], "interrupted")


@check()
def cancel_by_rollback(c: Ctx):
    t = c.thread()
    c.sdk.runs.wait(t, "slow", input={"n": 1, "tick": 0})
    before = c.sdk.threads.get_state(t)
    run = c.sdk.runs.create(t, "slow", input={"n": 100, "tick": 0.1})["run_id"]
    c.until(lambda: c.sdk.threads.get_state(t)["values"].get("n") == 100, "the input is stored")
    c.sdk.runs.cancel(t, run, wait=True, action="rollback")
    refused(c.http.get(f"/threads/{t}/runs/{run}"), 404)
    after = c.sdk.threads.get_state(t)
    eq((after["checkpoint_id"], after["values"], after["next"]), (before["checkpoint_id"], before["values"], []))
    eq(c.sdk.threads.get(t)["status"], "idle")
    # The thread is as good as before.
    eq(c.sdk.runs.wait(t, "slow", input={"n": 1, "tick": 0})["log"], ["s1", "s2"] * 2)


@check()
def cancel_of_what_is_not_running(c: Ctx):
    t = c.thread()
    c.sdk.runs.wait(t, "three", input={"x": 1})
    run = c.sdk.runs.list(t)[0]["run_id"]
    refused(c.http.post(f"/threads/{t}/runs/{run}/cancel"), 404, "No matching runs to cancel")
    refused(c.http.post(f"/threads/{t}/runs/{UNKNOWN}/cancel"), 404, "No runs found to cancel")


@check()
def cancelled_thread_goes_on(c: Ctx):
    t = c.thread()
    run = long_run(c, t)
    c.writing(t, run)
    c.sdk.runs.cancel(t, run, wait=True)
    eq(c.sdk.runs.wait(t, "slow", input={"n": 1, "tick": 0})["log"], ["s1", "s2"])
    eq(c.sdk.threads.get(t)["status"], "idle")


@check("S")
def after_seconds_delays(c: Ctx):
    t = c.thread()
    run = c.sdk.runs.create(t, "three", input={"x": 1}, after_seconds=30)["run_id"]
    time.sleep(0.6)
    eq(c.sdk.runs.get(t, run)["status"], "pending")
    c.sdk.runs.cancel(t, run)
    c.until(lambda: c.sdk.runs.get(t, run)["status"] == "interrupted", "a waiting run can be cancelled")
    run = c.sdk.runs.create(t, "three", input={"x": 1}, after_seconds=1)["run_id"]
    eq(c.sdk.runs.join(t, run)["x"], 4)


@check("S")
def on_disconnect_cancel(c: Ctx):
    t = c.thread()
    body = {"assistant_id": "slow", "input": {"n": 100, "tick": 0.1}, "stream_mode": "custom", "on_disconnect": "cancel"}
    with c.sse("POST", f"/threads/{t}/runs/stream", body) as r:
        for f in frames(r):
            if f.event == "custom":
                break
    c.until(lambda: c.sdk.runs.list(t)[0]["status"] == "interrupted", "the run stops once its reader has gone")


@check("S")
def cancel_on_disconnect_of_join(c: Ctx):
    t = c.thread()
    run = long_run(c, t, stream_mode="custom")
    with c.sse("GET", f"/threads/{t}/runs/{run}/stream", params={"cancel_on_disconnect": "1"}) as r:
        next(iter(frames(r)))
    c.until(lambda: c.sdk.runs.get(t, run)["status"] == "interrupted", "the run stops once its reader has gone")


@check("S")
def cancel_many_by_id(c: Ctx):
    t = c.thread()
    first = long_run(c, t)
    second = c.sdk.runs.create(t, "slow", input={"n": 100, "tick": 0.1})["run_id"]
    r = c.http.post("/runs/cancel", params={"action": "interrupt"}, json={"thread_id": t, "run_ids": [first, second]})
    eq(r.status_code, 204, r.text)
    for run in (first, second):
        c.until(lambda: c.sdk.runs.get(t, run)["status"] == "interrupted", "both stop")
    refused(c.http.post("/runs/cancel", json={"thread_id": t, "run_ids": [UNKNOWN]}), 404)


@check("S", alone=True)
def cancel_many_by_status(c: Ctx):
    a, b = c.thread(), c.thread()
    runs = [(t, long_run(c, t)) for t in (a, b)]
    c.sdk.runs.cancel_many(status="running")
    for t, run in runs:
        c.until(lambda: c.sdk.runs.get(t, run)["status"] == "interrupted", "every running one stops")


# ---- without a thread


@check()
def stateless_wait(c: Ctx):
    r = c.http.post("/runs/wait", json={"assistant_id": "three", "input": {"x": 1}})
    eq(ok(r), {"x": 4, "log": ["a", "b", "c"]})
    m = re.fullmatch(r"(/threads/([0-9a-f-]{36})/runs/[0-9a-f-]{36})/join", r.headers["location"])
    assert m, r.headers["location"]
    eq(r.headers["content-location"], m[1])
    refused(c.http.get(f"/threads/{m[2]}"), 404)
    eq(ok(c.http.post("/runs/wait", json={"assistant_id": "fail", "input": {"x": 1}})), {"__error__": {"error": "ValueError", "message": "kaboom"}})


@check()
def stateless_keep(c: Ctx):
    r = c.http.post("/runs/wait", json={"assistant_id": "three", "input": {"x": 1}, "on_completion": "keep"})
    ok(r)
    t = r.headers["location"].split("/")[2]
    eq(c.sdk.threads.get_state(t)["values"], {"x": 4, "log": ["a", "b", "c"]})


@check()
def stateless_stream(c: Ctx):
    with c.sse("POST", "/runs/stream", {"assistant_id": "three", "input": {"x": 1}, "stream_mode": ["updates", "values"]}) as r:
        fs = list(frames(r))
        h = r.headers
    run = fs[0].json["run_id"]
    eq((h["location"], h["content-location"]), (f"/runs/{run}/stream", f"/runs/{run}"))
    eq(fs[-1].pair, ("values", {"x": 4, "log": ["a", "b", "c"]}))
    eq(len(fs), 8)


@check()
def stateless_create(c: Ctx):
    r = c.http.post("/runs", json={"assistant_id": "three", "input": {"x": 1}})
    run = ok(r)
    has(run, *RUN)
    eq(run["status"], "pending")
    eq(r.headers["content-location"], f"/runs/{run['run_id']}")


@check("C")
def stateless_batch(c: Ctx):
    got = c.sdk.runs.create_batch([{"assistant_id": "three", "input": {"x": i}} for i in range(2)])
    eq(len(got), 2)
    for run in got:
        has(run, *RUN)


@check()
def client_sees_the_run_created(c: Ctx):
    t = c.thread()
    seen = []
    got = list(c.sdk.runs.stream(t, "three", input={"x": 1}, on_run_created=seen.append))
    eq(seen[0]["thread_id"], t)
    eq(seen[0]["run_id"], got[0].data["run_id"])
    seen.clear()
    list(c.sdk.runs.stream(None, "three", input={"x": 1}, on_run_created=seen.append))
    is_uuid(seen[0]["run_id"])


@check()
def config_and_context_reach_the_run(c: Ctx):
    t = c.thread()
    c.sdk.runs.wait(t, "three", input={"x": 1}, config={"configurable": {"k": "v"}, "tags": ["t"], "recursion_limit": 50}, metadata={"m": "1"})
    run = c.sdk.runs.list(t)[0]
    eq(run["kwargs"]["config"]["configurable"]["k"], "v")
    eq(run["metadata"]["m"], "1")
    eq(c.sdk.threads.get_state(t)["metadata"]["m"], "1", "the run's metadata is on its checkpoints")
    c.sdk.runs.wait(t, "three", input={"x": 1}, context={"k": "w"})
    eq(c.sdk.runs.list(t)[0]["kwargs"]["context"], {"k": "w"})


@check("S")
def recursion_limit(c: Ctx):
    r = c.http.post("/runs/wait", json={"assistant_id": "three", "input": {"x": 1}, "config": {"recursion_limit": 2}})
    eq(ok(r)["__error__"]["error"], "GraphRecursionError")


@check("S")
def durability_is_accepted(c: Ctx):
    for d in ("sync", "async", "exit"):
        eq(c.sdk.runs.wait(c.thread(), "three", input={"x": 1}, durability=d)["x"], 4)
