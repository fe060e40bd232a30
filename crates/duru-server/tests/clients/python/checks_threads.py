"""Threads: the row, its state, its history."""

import uuid

from harness import STAMP, UNKNOWN, Ctx, Skip, assistant_id, check, eq, has, is_uuid, ok, refused

THREAD = ("thread_id", "created_at", "updated_at", "state_updated_at", "metadata", "status", "config", "values")
STATE = ("values", "next", "tasks", "metadata", "created_at", "checkpoint", "parent_checkpoint", "interrupts", "checkpoint_id", "parent_checkpoint_id")


@check()
def threads_create(c: Ctx):
    t = ok(c.http.post("/threads", json={}))
    has(t, *THREAD)
    is_uuid(t["thread_id"], 7)
    eq((t["status"], t["metadata"], t["values"], t["config"]), ("idle", {}, None, {}))
    assert STAMP.match(t["created_at"])
    eq(ok(c.http.get(f"/threads/{t['thread_id']}")), t)


@check()
def threads_create_with_id(c: Ctx):
    tid = str(uuid.uuid4())
    t = c.sdk.threads.create(thread_id=tid, metadata={"user": "u"})
    eq((t["thread_id"], t["metadata"]), (tid, {"user": "u"}))
    refused(c.http.post("/threads", json={"thread_id": tid}), 409, "already exists")
    eq(c.sdk.threads.create(thread_id=tid, if_exists="do_nothing"), t)
    refused(c.http.post("/threads", json={"thread_id": "not-a-uuid"}), 422)


@check()
def threads_create_for_graph(c: Ctx):
    eq(c.sdk.threads.create(graph_id="three", metadata={"a": 1})["metadata"], {"a": 1, "graph_id": "three"})


@check()
def threads_get_unknown(c: Ctx):
    refused(c.http.get(f"/threads/{UNKNOWN}"), 404)
    refused(c.http.get("/threads/not-a-uuid"), 422)


@check("S")
def threads_update_merges(c: Ctx):
    t = c.thread(metadata={"a": 1, "b": {"c": 1}})
    eq(c.sdk.threads.update(t, metadata={"b": {"d": 2}, "e": 3})["metadata"], {"a": 1, "b": {"d": 2}, "e": 3})
    refused(c.http.patch(f"/threads/{UNKNOWN}", json={"metadata": {}}), 404)


@check()
def threads_delete(c: Ctx):
    t = c.thread()
    c.sdk.runs.wait(t, "three", input={"x": 1})
    ok(c.http.delete(f"/threads/{t}"), 204)
    refused(c.http.get(f"/threads/{t}"), 404)
    refused(c.http.delete(f"/threads/{t}"), 404)
    refused(c.http.get(f"/threads/{t}/state"), 404)


@check()
def threads_delete_while_busy(c: Ctx):
    t = c.thread()
    run = c.sdk.runs.create(t, "slow", input={"n": 30, "tick": 0.1})["run_id"]
    c.started(t, run)
    ok(c.http.delete(f"/threads/{t}"), 204)
    refused(c.http.get(f"/threads/{t}/runs/{run}"), 404)
    refused(c.http.get(f"/threads/{t}"), 404)


@check()
def threads_take_runs_of_another_graph(c: Ctx):
    t = c.thread()
    c.sdk.runs.wait(t, "hitl", input={"q": "a"})
    eq(c.sdk.runs.wait(t, "three", input={"x": 1})["x"], 4)
    eq(c.sdk.threads.get(t)["metadata"], {"graph_id": "three", "assistant_id": assistant_id("three")})


@check()
def threads_search_metadata(c: Ctx):
    mark = str(uuid.uuid4())
    ids = [c.thread(metadata={"mark": mark, "n": i}) for i in range(3)]
    eq({t["thread_id"] for t in c.sdk.threads.search(metadata={"mark": mark})}, set(ids))
    eq([t["thread_id"] for t in c.sdk.threads.search(metadata={"mark": mark, "n": 1})], [ids[1]])
    eq(c.sdk.threads.search(metadata={"mark": "none"}), [])


@check()
def threads_search_by_first_run(c: Ctx):
    t = c.thread(metadata={"mark": str(uuid.uuid4())})
    c.sdk.runs.wait(t, "three", input={"x": 1})
    m = c.sdk.threads.get(t)["metadata"]
    eq((m["graph_id"], m["assistant_id"]), ("three", assistant_id("three")))
    for want in ({"graph_id": "three"}, {"assistant_id": assistant_id("three")}):
        got = c.sdk.threads.search(metadata={**want, "mark": m["mark"]})
        eq([x["thread_id"] for x in got], [t])
        eq(got[0]["values"], {"x": 4, "log": ["a", "b", "c"]})


@check()
def threads_search_pages(c: Ctx):
    mark = str(uuid.uuid4())
    ids = [c.thread(metadata={"mark": mark}) for _ in range(3)]
    r = c.http.post("/threads/search", json={"metadata": {"mark": mark}, "limit": 2})
    eq(len(ok(r)), 2)
    eq(r.headers["x-pagination-total"], "3")
    eq(r.headers["x-pagination-next"], "2")
    r2 = c.http.post("/threads/search", json={"metadata": {"mark": mark}, "limit": 2, "offset": 2})
    eq(len(ok(r2)), 1)
    assert "x-pagination-next" not in r2.headers
    eq({t["thread_id"] for t in r.json() + r2.json()}, set(ids))


@check()
def threads_search_sorted(c: Ctx):
    mark = str(uuid.uuid4())
    ids = [c.thread(metadata={"mark": mark}) for _ in range(3)]
    s = lambda **k: [t["thread_id"] for t in c.sdk.threads.search(metadata={"mark": mark}, **k)]
    eq(s(), ids[::-1], "newest first unless told")
    eq(s(sort_by="created_at", sort_order="asc"), ids)
    eq(s(sort_by="thread_id", sort_order="desc"), sorted(ids, reverse=True))
    c.sdk.threads.update(ids[0], metadata={"z": 1})
    eq(s(sort_by="updated_at", sort_order="desc")[0], ids[0])


@check()
def threads_search_ids_status_select(c: Ctx):
    mark = str(uuid.uuid4())
    idle = c.thread(metadata={"mark": mark})
    held = c.thread(metadata={"mark": mark})
    c.sdk.runs.wait(held, "hitl", input={"q": "go"})
    got = c.sdk.threads.search(metadata={"mark": mark}, status="interrupted")
    eq([t["thread_id"] for t in got], [held])
    (entries,) = got[0]["interrupts"].values()
    eq(entries[0]["value"], {"question": "approve?", "q": "go!"})
    eq([t["thread_id"] for t in c.sdk.threads.search(metadata={"mark": mark}, status="idle")], [idle])
    eq([t["thread_id"] for t in c.sdk.threads.search(ids=[held])], [held])
    eq([set(t) for t in c.sdk.threads.search(ids=[held], select=["thread_id", "status"])], [{"thread_id", "status"}])


@check("S")
def threads_search_values(c: Ctx):
    mark = str(uuid.uuid4())
    t = c.thread(metadata={"mark": mark})
    c.sdk.runs.wait(t, "three", input={"x": 41})
    r = c.http.post("/threads/search", json={"metadata": {"mark": mark}, "values": {"x": 44}})
    eq([x["thread_id"] for x in ok(r)], [t])
    r = c.http.post("/threads/search", json={"values": {"x": 44}})
    if c.reference:
        eq(r.status_code, 500)
        raise Skip("the reference answers 500 to a values filter as soon as a thread without values is looked at")
    has([x["thread_id"] for x in ok(r)], t)
    eq(ok(c.http.post("/threads/search", json={"metadata": {"mark": mark}, "values": {"x": 0}})), [])


@check("C")
def threads_count(c: Ctx):
    mark = str(uuid.uuid4())
    for _ in range(2):
        c.thread(metadata={"mark": mark})
    r = c.http.post("/threads/count", json={"metadata": {"mark": mark}})
    eq(ok(r), 2)


@check("C")
def threads_copy(c: Ctx):
    t = c.thread(metadata={"mark": "x"})
    c.sdk.runs.wait(t, "three", input={"x": 1})
    copy = ok(c.http.post(f"/threads/{t}/copy"))
    assert copy["thread_id"] != t
    eq(c.sdk.threads.get_state(copy["thread_id"])["values"], {"x": 4, "log": ["a", "b", "c"]})
    eq(len(c.sdk.threads.get_history(copy["thread_id"])), len(c.sdk.threads.get_history(t)))
    # They are two threads from now on.
    c.sdk.runs.wait(copy["thread_id"], "three", input={"x": 10})
    eq(c.sdk.threads.get_state(t)["values"]["x"], 4)
    r = c.http.post(f"/threads/{UNKNOWN}/copy")
    if c.reference:
        assert r.status_code in (404, 409), r.status_code
    else:
        refused(r, 404)


@check("C")
def threads_prune(c: Ctx):
    t = c.thread()
    c.sdk.runs.wait(t, "three", input={"x": 1})
    if not c.reference:  # 422: "keep_latest strategy is not supported in in-memory runtime"
        eq(c.sdk.threads.prune([t], strategy="keep_latest"), {"pruned_count": 1})
        eq(c.sdk.threads.get_state(t)["values"]["x"], 4)
    eq(c.sdk.threads.prune([t], strategy="delete"), {"pruned_count": 1})
    refused(c.http.get(f"/threads/{t}"), 404)


@check("C")
def threads_create_with_supersteps(c: Ctx):
    steps = [
        {"updates": [{"values": {"x": 1}, "as_node": "__input__"}]},
        {"updates": [{"values": {"x": 2, "log": ["a"]}, "as_node": "a"}]},
    ]
    t = c.sdk.threads.create(graph_id="three", supersteps=steps)["thread_id"]
    s = c.sdk.threads.get_state(t)
    eq((s["values"], s["next"]), ({"x": 2, "log": ["a"]}, ["b"]))


@check()
def state_of_an_empty_thread(c: Ctx):
    s = ok(c.http.get(f"/threads/{c.thread()}/state"))
    has(s, *STATE)
    eq((s["values"], s["next"], s["tasks"], s["checkpoint"], s["metadata"]), ({}, [], [], None, None))
    refused(c.http.get(f"/threads/{UNKNOWN}/state"), 404)


@check()
def state_after_a_run(c: Ctx):
    t = c.thread()
    c.sdk.runs.wait(t, "three", input={"x": 1})
    s = c.sdk.threads.get_state(t)
    has(s, *STATE)
    eq((s["values"], s["next"], s["tasks"], s["interrupts"]), ({"x": 4, "log": ["a", "b", "c"]}, [], [], []))
    eq(s["checkpoint"]["thread_id"], t)
    eq(s["checkpoint"]["checkpoint_ns"], "")
    eq(s["checkpoint"]["checkpoint_id"], s["checkpoint_id"])
    eq(s["parent_checkpoint"]["checkpoint_id"], s["parent_checkpoint_id"])
    is_uuid(s["checkpoint_id"], 6)
    assert s["parent_checkpoint_id"] < s["checkpoint_id"], "checkpoint ids are in order"
    m = s["metadata"]
    eq((m["source"], m["step"], m["thread_id"], m["graph_id"]), ("loop", 3, t, "three"))
    eq(m["run_id"], c.sdk.runs.list(t)[0]["run_id"])
    assert STAMP.match(s["created_at"])


@check()
def state_of_an_interrupt(c: Ctx):
    t = c.thread()
    c.sdk.runs.wait(t, "hitl", input={"q": "go"})
    s = c.sdk.threads.get_state(t)
    eq((s["values"], s["next"]), ({"q": "go!"}, ["ask"]))
    (task,) = s["tasks"]
    has(task, "id", "name", "path", "error", "interrupts", "checkpoint", "state", "result")
    eq((task["name"], task["error"], task["path"]), ("ask", None, ["__pregel_pull", "ask"]))
    eq(task["interrupts"][0]["value"], {"question": "approve?", "q": "go!"})
    eq(s["interrupts"], task["interrupts"])
    row = c.sdk.threads.get(t)
    eq(list(row["interrupts"]), [task["id"]], "the thread's interrupts go by task id")
    eq(row["interrupts"][task["id"]][0]["id"], task["interrupts"][0]["id"])


@check()
def state_of_an_error(c: Ctx):
    t = c.thread()
    c.http.post(f"/threads/{t}/runs/wait", json={"assistant_id": "fail", "input": {"x": 1}})
    s = c.sdk.threads.get_state(t)
    eq((s["values"], s["next"]), ({"x": 2, "log": ["a"]}, ["boom"]))
    assert "kaboom" in s["tasks"][0]["error"], s["tasks"]
    row = c.sdk.threads.get(t)
    eq((row["status"], row["error"]), ("error", {"error": "ValueError", "message": "kaboom"}))
    eq(c.sdk.runs.list(t)[0]["status"], "error")


@check("S")
def state_at_a_checkpoint_by_path(c: Ctx):
    t = c.thread()
    c.sdk.runs.wait(t, "three", input={"x": 1})
    for want in c.sdk.threads.get_history(t):
        got = ok(c.http.get(f"/threads/{t}/state/{want['checkpoint_id']}"))
        eq((got["values"], got["next"], got["checkpoint_id"]), (want["values"], want["next"], want["checkpoint_id"]))


@check()
def state_at_a_checkpoint_by_post(c: Ctx):
    t = c.thread()
    c.sdk.runs.wait(t, "three", input={"x": 1})
    want = c.sdk.threads.get_history(t)[1]
    got = c.sdk.threads.get_state(t, checkpoint=want["checkpoint"])
    eq((got["values"], got["next"], got["checkpoint_id"]), ({"x": 3, "log": ["a", "b"]}, ["c"], want["checkpoint_id"]))
    newest = ok(c.http.post(f"/threads/{t}/state/checkpoint", json={"checkpoint": {"thread_id": t}, "subgraphs": False}))
    eq(newest["values"]["x"], 4, "a checkpoint without an id is the newest one")


@check()
def state_update(c: Ctx):
    t = c.thread()
    c.sdk.runs.wait(t, "three", input={"x": 1})
    r = ok(c.http.post(f"/threads/{t}/state", json={"values": {"x": 9}, "as_node": "a"}))
    has(r, "checkpoint", "configurable", "checkpoint_id")
    eq(r["checkpoint"], {"thread_id": t, "checkpoint_ns": "", "checkpoint_id": r["checkpoint_id"]})
    eq(r["configurable"], r["checkpoint"])
    s = c.sdk.threads.get_state(t)
    eq((s["values"], s["next"], s["metadata"]["source"]), ({"x": 9, "log": ["a", "b", "c"]}, ["b"], "update"))
    eq(s["checkpoint_id"], r["checkpoint_id"])
    eq(c.sdk.threads.get(t)["values"]["x"], 9)
    # And a run without input goes on from there.
    eq(c.sdk.runs.wait(t, "three"), {"x": 11, "log": ["a", "b", "c", "b", "c"]})


@check()
def state_update_refused(c: Ctx):
    t = c.thread()
    c.sdk.runs.wait(t, "three", input={"x": 1})
    refused(c.http.post(f"/threads/{t}/state", json={"values": {"x": 9}, "as_node": "zzz"}), 400, "zzz")
    refused(c.http.post(f"/threads/{UNKNOWN}/state", json={"values": {"x": 9}}), 404)


@check()
def state_update_of_a_thread_without_a_graph(c: Ctx):
    refused(c.http.post(f"/threads/{c.thread()}/state", json={"values": {"x": 9}}), 400, "no assigned graph ID")
    t = c.thread(graph_id="three")
    c.sdk.threads.update_state(t, {"x": 9}, as_node="a")
    eq(c.sdk.threads.get_state(t)["next"], ["b"])
    eq(c.sdk.runs.wait(t, "three")["x"], 11)


@check()
def state_update_of_a_busy_thread(c: Ctx):
    t = c.thread()
    run = c.sdk.runs.create(t, "slow", input={"n": 60, "tick": 0.1})["run_id"]
    c.started(t, run)
    refused(c.http.post(f"/threads/{t}/state", json={"values": {"log": ["x"]}, "as_node": "s1"}), 409, "in-flight")
    c.sdk.runs.cancel(t, run, wait=True)


@check()
def state_update_forks_at_a_checkpoint(c: Ctx):
    t = c.thread()
    c.sdk.runs.wait(t, "three", input={"x": 1})
    at = next(h for h in c.sdk.threads.get_history(t) if h["next"] == ["b"])
    r = c.sdk.threads.update_state(t, {"x": 100}, as_node="a", checkpoint=at["checkpoint"])
    s = c.sdk.threads.get_state(t)
    eq((s["checkpoint_id"], s["parent_checkpoint_id"]), (r["checkpoint"]["checkpoint_id"], at["checkpoint_id"]))
    eq((s["values"], s["next"]), ({"x": 100, "log": ["a"]}, ["b"]))
    eq(c.sdk.runs.wait(t, "three", checkpoint=r["checkpoint"]), {"x": 102, "log": ["a", "b", "c"]})


@check()
def run_from_an_old_checkpoint(c: Ctx):
    t = c.thread()
    c.sdk.runs.wait(t, "three", input={"x": 1})
    at = next(h for h in c.sdk.threads.get_history(t) if h["next"] == ["b"])
    eq(c.sdk.runs.wait(t, "three", checkpoint_id=at["checkpoint_id"]), {"x": 4, "log": ["a", "b", "c"]})
    eq(c.sdk.runs.wait(t, "three", checkpoint=at["checkpoint"]), {"x": 4, "log": ["a", "b", "c"]})
    forks = [h for h in c.sdk.threads.get_history(t, limit=50) if h["parent_checkpoint_id"] == at["checkpoint_id"]]
    assert len(forks) >= 2, f"{len(forks)} children of the checkpoint"


@check()
def history(c: Ctx):
    t = c.thread()
    eq(ok(c.http.post(f"/threads/{t}/history", json={"limit": 10})), [])
    c.sdk.runs.wait(t, "three", input={"x": 1})
    h = c.sdk.threads.get_history(t, limit=10)
    eq([s["next"] for s in h], [[], ["c"], ["b"], ["a"], ["__start__"]])
    eq([s["metadata"]["step"] for s in h], [3, 2, 1, 0, -1])
    eq([s["metadata"]["source"] for s in h], ["loop"] * 4 + ["input"])
    eq([s["values"].get("x") for s in h], [4, 3, 2, 1, None])
    for s in h:
        has(s, *STATE)
    for newer, older in zip(h, h[1:]):
        eq(newer["parent_checkpoint_id"], older["checkpoint_id"])
    eq(h[-1]["parent_checkpoint"], None)
    eq(h[1]["tasks"][0]["name"], "c")
    eq(h[1]["tasks"][0]["result"], {"x": 4, "log": ["c"]}, "a finished task carries its result")
    refused(c.http.post(f"/threads/{UNKNOWN}/history", json={}), 404)


@check()
def history_limit(c: Ctx):
    t = c.thread()
    for _ in range(3):
        c.sdk.runs.wait(t, "three", input={"x": 1})
    eq(len(c.sdk.threads.get_history(t, limit=2)), 2)
    eq(len(ok(c.http.post(f"/threads/{t}/history", json={}))), 1, "one unless told")
    eq(len(c.sdk.threads.get_history(t, limit=50)), 15)


@check()
def history_before(c: Ctx):
    t = c.thread()
    c.sdk.runs.wait(t, "three", input={"x": 1})
    h = c.sdk.threads.get_history(t)
    rest = [s["checkpoint_id"] for s in h[2:]]
    got = ok(c.http.get(f"/threads/{t}/history", params={"limit": 10, "before": h[1]["checkpoint_id"]}))
    eq([s["checkpoint_id"] for s in got], rest)
    r = c.http.post(f"/threads/{t}/history", json={"limit": 10, "before": h[1]["checkpoint"]})
    if c.reference:
        eq(r.status_code, 500)
        raise Skip("the reference answers 500 to POST history with before; its GET is right")
    eq([s["checkpoint_id"] for s in ok(r)], rest)
    eq([s["checkpoint_id"] for s in c.sdk.threads.get_history(t, before=h[1]["checkpoint"])], rest)
    eq([s["checkpoint_id"] for s in ok(c.http.post(f"/threads/{t}/history", json={"limit": 10, "before": {"configurable": h[1]["checkpoint"]}}))], rest)


@check("S")
def history_metadata(c: Ctx):
    t = c.thread()
    c.sdk.runs.wait(t, "three", input={"x": 1})
    eq([s["next"] for s in c.sdk.threads.get_history(t, metadata={"step": 1})], [["b"]])
    eq([s["next"] for s in c.sdk.threads.get_history(t, metadata={"source": "input"})], [["__start__"]])


@check("S")
def state_subgraphs_while_held(c: Ctx):
    t = c.thread()
    c.sdk.runs.wait(t, "parent", input={"x": 1}, interrupt_before=["child"])
    s = c.sdk.threads.get_state(t, subgraphs=True)
    eq((s["next"], s["values"]), (["child"], {"x": 2, "log": ["a"]}))
    eq(c.sdk.runs.wait(t, "parent"), {"x": 3, "log": ["a", "a", "a"]})
