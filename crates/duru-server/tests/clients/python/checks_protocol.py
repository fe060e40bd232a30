"""Protocol v2: /threads/{id}/commands and /threads/{id}/stream/events."""

import uuid

from harness import INTERRUPT_ID, Ctx, check, eq, frames, has, is_uuid, ok

ALL = ["values", "updates", "messages", "lifecycle", "input", "tools", "custom"]


def command(c: Ctx, t: str, method: str, params: dict, n: int = 1) -> dict:
    return ok(c.http.post(f"/threads/{t}/commands", json={"id": n, "method": method, "params": params}))


def start(c: Ctx, t: str, graph: str, given: dict, n: int = 1) -> str:
    r = command(c, t, "run.start", {"assistant_id": graph, "input": given}, n)
    eq((r["type"], r["id"]), ("success", n))
    has(r["meta"], "applied_through_seq")
    return r["result"]["run_id"]


def events(c: Ctx, t: str, channels: list, stop, headers=None, **body):
    """The events until `stop` says so; the stream itself stays open."""
    got = []
    with c.sse("POST", f"/threads/{t}/stream/events", {"channels": channels, **body}, headers=headers) as r:
        eq(r.headers["content-type"].replace(" ", "").lower(), "text/event-stream;charset=utf-8")
        for f in frames(r):
            got.append(f)
            if stop(f.json):
                return got
    raise AssertionError(f"the stream ended after {[(f.event, f.json['params']['data']) for f in got]}")


def ended(e):
    return e["method"] == "lifecycle" and e["params"]["namespace"] == [] and e["params"]["data"]["event"] in ("completed", "interrupted", "failed")


def data(fs, method):
    return [f.json["params"]["data"] for f in fs if f.event == method and not f.json["params"]["namespace"]]


@check()
def v2_run(c: Ctx):
    t = str(uuid.uuid4())  # as a page does: an id of its own, for a thread that does not exist yet
    run = start(c, t, "agent", {"messages": [{"role": "user", "content": "use tool"}]})
    is_uuid(run)
    fs = events(c, t, ALL, ended)
    for i, f in enumerate(fs):
        e = f.json
        has(e, "type", "event_id", "seq", "method", "params")
        eq((e["type"], e["method"], e["seq"], f.id), ("event", f.event, i + 1, str(i + 1)))
        has(e["params"], "namespace", "timestamp", "data")
        eq([k for k, _ in f.fields], ["event", "data", "id"])
    eq(len({f.json["event_id"] for f in fs}), len(fs), "event ids are unique")
    eq([d["event"] for d in data(fs, "lifecycle")], ["running", "completed"])
    eq(data(fs, "lifecycle")[0]["graph_name"], "agent")
    eq(fs[0].event, "lifecycle")
    final = data(fs, "values")[-1]["messages"]
    eq([m["type"] for m in final], ["human", "ai", "tool", "ai"])
    eq(c.sdk.threads.get(t)["thread_id"], t, "the thread was made on the way")


@check()
def v2_messages(c: Ctx):
    t = str(uuid.uuid4())
    start(c, t, "agent", {"messages": [{"role": "user", "content": "use tool"}]})
    fs = events(c, t, ALL, ended)
    m = data(fs, "messages")
    eq(
        [x["event"] for x in m],
        ["message-start", "content-block-start"] + ["content-block-delta"] * 2 + ["content-block-finish", "message-finish"]
        + ["message-start", "content-block-start"] + ["content-block-delta"] * 3 + ["content-block-finish", "message-finish"],
    )
    starts = [x for x in m if x["event"] == "message-start"]
    eq([x["role"] for x in starts], ["ai", "ai"])
    final = data(fs, "values")[-1]["messages"]
    eq([x["id"] for x in starts], [final[1]["id"], final[3]["id"]], "the ids of the messages in values")
    eq(m[1]["content"]["type"], "tool_call_chunk")
    eq((m[1]["content"]["name"], m[1]["content"]["id"]), ("get_weather", "call_1"))
    eq("".join(x["delta"]["args"] for x in m[2:4]), '{"city":"SF"}')
    eq({x["delta"]["type"] for x in m[2:4]}, {"tool-call-delta"})
    eq(m[4]["content"], {"type": "tool_call", "id": "call_1", "name": "get_weather", "args": {"city": "SF"}})
    eq(m[7]["content"], {"type": "text", "text": ""})
    eq([x["delta"] for x in m[8:11]], [{"type": "text-delta", "text": x} for x in ("Hel", "lo ", "from fake")])
    eq(m[11]["content"], {"type": "text", "text": "Hello from fake"})
    eq(m[12]["usage"], {"input_tokens": 3, "output_tokens": 3, "total_tokens": 6})
    eq({x["index"] for x in m if "index" in x}, {0})


@check()
def v2_interrupt_and_respond(c: Ctx):
    t = str(uuid.uuid4())
    start(c, t, "hitl", {"q": "go"})
    seen = events(c, t, ["values", "lifecycle", "input"], ended)
    (asked,) = data(seen, "input.requested")
    assert INTERRUPT_ID.match(asked["interrupt_id"]), asked
    eq(asked["payload"], {"question": "approve?", "q": "go!"})
    eq([d["event"] for d in data(seen, "lifecycle")], ["running", "interrupted"])
    eq(c.until(lambda: c.sdk.threads.get(t)["status"] != "busy" and c.sdk.threads.get(t), "the run ends")["status"], "interrupted")
    r = command(c, t, "input.respond", {"namespace": [], "interrupt_id": asked["interrupt_id"], "response": "yes"}, 2)
    eq((r["type"], r["id"]), ("success", 2))
    fs = events(c, t, ["values", "lifecycle", "input"], lambda e: ended(e) and e["params"]["data"]["event"] == "completed")
    eq(data(fs, "values")[-1], {"q": "go!", "answer": "yes done"})
    eq([d["event"] for d in data(fs, "lifecycle")], ["running", "interrupted", "running", "completed"], "a late reader gets both runs")


@check()
def v2_open_before_the_run(c: Ctx):
    """The stream is opened on a thread that does not exist, stays open, and shows two runs."""
    t = str(uuid.uuid4())
    with c.sse("POST", f"/threads/{t}/stream/events", {"channels": ["values", "lifecycle"]}) as r:
        it = frames(r)
        for i in (1, 2):
            start(c, t, "three", {"x": i}, i)
            got = []
            for f in it:
                got.append(f)
                if ended(f.json):
                    break
            eq([d["event"] for d in data(got, "lifecycle")], ["running", "completed"])
            # Whether the last values come before or after the end is not said; the state is.
    eq(len(c.sdk.runs.list(t)), 2)


@check()
def v2_channels_filter(c: Ctx):
    t = str(uuid.uuid4())
    start(c, t, "agent", {"messages": [{"role": "user", "content": "hi"}]})
    eq({f.event for f in events(c, t, ["lifecycle", "input"], ended)}, {"lifecycle"})
    eq({f.event for f in events(c, t, ["lifecycle", "messages"], ended)}, {"lifecycle", "messages"})


@check()
def v2_late_reader_sees_it_all(c: Ctx):
    t = str(uuid.uuid4())
    start(c, t, "agent", {"messages": [{"role": "user", "content": "hi"}]})
    first = events(c, t, ALL, ended)
    again = events(c, t, ALL, ended)
    eq([(f.event, f.json["params"]["data"]) for f in again], [(f.event, f.json["params"]["data"]) for f in first])


@check()
def v2_failed_run(c: Ctx):
    t = str(uuid.uuid4())
    start(c, t, "fail", {"x": 1})
    fs = events(c, t, ["values", "lifecycle"], ended)
    last = data(fs, "lifecycle")[-1]
    eq(last["event"], "failed")
    assert "kaboom" in str(last), last


@check("S")
def v2_custom_and_subgraph(c: Ctx):
    t = str(uuid.uuid4())
    start(c, t, "slow", {"n": 2, "tick": 0.01})
    fs = events(c, t, ["custom", "lifecycle"], ended)
    d = data(fs, "custom")
    assert len(d) == 2 and "tick" in str(d[0]), d
    t = str(uuid.uuid4())
    start(c, t, "parent", {"x": 1})
    fs = events(c, t, ["values", "lifecycle"], ended)
    deep = [f.json["params"]["namespace"] for f in fs if f.json["params"]["namespace"]]
    assert deep and all(n[0].startswith("child:") for n in deep), deep


@check()
def v2_errors_are_answers(c: Ctx):
    t = c.thread()
    r = command(c, t, "bogus", {}, 7)
    eq((r["type"], r["id"], r["error"]), ("error", 7, "unknown_command"))
    assert "bogus" in r["message"]
    r = command(c, t, "run.start", {"assistant_id": "none-such", "input": {}}, 8)
    eq((r["type"], r["id"]), ("error", 8))
    r = c.http.post(f"/threads/{t}/stream/events", json={"channels": []})
    eq(r.status_code, 400, r.text)


@check("S")
def v2_python_client(c: Ctx):
    with c.sdk.threads.stream(assistant_id="three") as s:
        s.run.start(input={"x": 1})
        eq(s.output["x"], 4)
