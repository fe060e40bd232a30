"""Protocol v2: /threads/{id}/commands and /threads/{id}/stream/events."""

import json
import uuid

from harness import INTERRUPT_ID, Ctx, Skip, check, eq, frames, has, is_uuid, ok, refused

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
    seqs = [f.json["seq"] for f in fs]
    eq(seqs, sorted(set(seqs)), "seq rises")
    for f in fs:
        e = f.json
        has(e, "type", "event_id", "seq", "method", "params")
        eq((e["type"], e["method"], f.id), ("event", f.event, str(e["seq"])))
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
def v2_tools_are_told(c: Ctx):
    if c.reference:
        raise Skip("its graph says when it calls a tool; ours is another")
    t = str(uuid.uuid4())
    start(c, t, "agent", {"messages": [{"role": "user", "content": "use tool"}]})
    told = [f.json["params"]["data"] for f in events(c, t, ["tools", "lifecycle"], ended) if f.event == "tools"]
    eq(
        told,
        [
            {"event": "tool-started", "tool_call_id": "call_1", "tool_name": "get_weather", "input": {"city": "SF"}},
            {"event": "tool-finished", "tool_call_id": "call_1", "output": "sunny"},
        ],
    )


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
def v2_custom(c: Ctx):
    t = str(uuid.uuid4())
    start(c, t, "slow", {"n": 2, "tick": 0.01})
    fs = events(c, t, ["custom", "lifecycle"], ended)
    d = data(fs, "custom")
    if c.reference:
        eq(d, [])
        raise Skip("the reference takes the channels custom, updates, tasks and checkpoints and sends nothing on them")
    eq([x["payload"] for x in d], [{"tick": 0}, {"tick": 1}])


@check()
def v2_since(c: Ctx):
    """`since` is a seq, and a seq means the same event on each connection with the same channels."""
    t = str(uuid.uuid4())
    start(c, t, "three", {"x": 1})
    fs = events(c, t, ["values", "lifecycle"], ended)
    rest = events(c, t, ["values", "lifecycle"], ended, since=fs[2].json["seq"])
    eq([f.json["event_id"] for f in rest], [f.json["event_id"] for f in fs[3:]])


@check("S")
def v2_last_event_id(c: Ctx):
    t = str(uuid.uuid4())
    start(c, t, "three", {"x": 1})
    fs = events(c, t, ["values", "lifecycle"], ended)
    at = next(i for i, f in enumerate(fs) if f.event == "values")
    rest = events(c, t, ["values", "lifecycle"], ended, headers={"last-event-id": fs[at].json["event_id"]})
    if c.reference:
        eq(len(rest), len(fs))
        raise Skip("the reference ignores Last-Event-ID here and replays everything")
    eq([f.json["event_id"] for f in rest], [f.json["event_id"] for f in fs[at + 1 :]])


@check()
def v2_enqueues(c: Ctx):
    """A second run.start on a busy thread waits its turn."""
    t = str(uuid.uuid4())
    runs = [start(c, t, "slow", {"n": 2, "tick": 0.1}, i) for i in (1, 2)]
    seen = []
    fs = events(c, t, ["values", "lifecycle"], lambda e: ended(e) and (seen.append(1) or len(seen) == 2))
    eq([d["event"] for d in data(fs, "lifecycle")], ["running", "completed"] * 2)
    c.until(lambda: c.sdk.threads.get(t)["status"] == "idle", "the thread is idle")
    eq(c.sdk.threads.get_state(t)["values"]["log"], ["s1", "s2"] * 2)
    eq([r["run_id"] for r in c.sdk.runs.list(t)], runs[::-1])


@check()
def v2_subgraph(c: Ctx):
    t = str(uuid.uuid4())
    start(c, t, "parent", {"x": 1})
    fs = events(c, t, ["values", "lifecycle"], ended)
    deep = [f.json["params"]["namespace"] for f in fs if f.json["params"]["namespace"]]
    assert deep and all(n[0].startswith("child:") for n in deep), deep
    (ns,) = {tuple(n) for n in deep}
    life = [f.json["params"]["data"] for f in fs if f.event == "lifecycle" and f.json["params"]["namespace"]]
    eq([d["event"] for d in life], ["started", "completed"])
    eq((life[0]["graph_name"], life[0]["namespace"], life[0]["trigger_call_id"]), ("child", list(ns), ns[0].split(":")[1]))
    eq([f.json["params"]["data"] for f in fs if f.event == "values"],
       [{"x": 1, "log": []}, {"x": 2, "log": ["a"]}, {"x": 2, "log": ["a"]}, {"x": 3, "log": ["a", "a"]}, {"x": 3, "log": ["a"] * 3}])


@check()
def v2_errors_are_answers(c: Ctx):
    t = c.thread()
    r = command(c, t, "bogus", {}, 7)
    eq((r["type"], r["id"], r["error"]), ("error", 7, "unknown_command"))
    assert "bogus" in r["message"]
    r = command(c, t, "run.start", {"assistant_id": "none-such", "input": {}}, 8)
    eq((r["type"], r["id"]), ("error", 8))
    r = command(c, t, "run.start", {}, 9)
    eq((r["type"], r["error"]), ("error", "invalid_argument"))
    r = command(c, t, "input.respond", {"namespace": [], "interrupt_id": "0" * 32, "response": 1})
    eq((r["type"], r["error"]), ("error", "no_such_interrupt"))
    r = command(c, t, "input.respond", {})
    eq((r["type"], r["error"]), ("error", "invalid_argument"))
    for body in ({}, {"id": "a", "method": "run.start"}, {"id": 1}, []):
        r = c.http.post(f"/threads/{t}/commands", json=body)
        eq((r.status_code, r.json()["type"], r.json()["error"]), (400, "error", "invalid_argument"), str(body))
    refused(c.http.post(f"/threads/{t}/commands", content=b"{", headers={"content-type": "application/json"}), 400)
    for body in ({}, {"channels": []}, {"channels": ["bogus"]}):
        refused(c.http.post(f"/threads/{t}/stream/events", json=body), 400, "channels")


@check()
def v2_second_answer_is_refused(c: Ctx):
    t = str(uuid.uuid4())
    start(c, t, "hitl", {"q": "go"})
    seen = events(c, t, ["lifecycle", "input"], ended)
    (asked,) = data(seen, "input.requested")
    c.until(lambda: c.sdk.threads.get(t)["status"] == "interrupted", "the thread is interrupted")
    p = {"namespace": [], "interrupt_id": asked["interrupt_id"], "response": "yes"}
    eq(command(c, t, "input.respond", p, 2)["type"], "success")
    c.until(lambda: c.sdk.threads.get(t)["status"] == "idle", "the answer is taken")
    r = command(c, t, "input.respond", p, 3)
    eq((r["type"], r["error"]), ("error", "no_such_interrupt"))


@check()
def v2_stays_open_when_idle(c: Ctx):
    """Heartbeats go on after the run has ended; the stream does not close."""
    t = str(uuid.uuid4())
    start(c, t, "three", {"x": 1})
    beats = 0
    with c.sse("POST", f"/threads/{t}/stream/events", {"channels": ["lifecycle"]}) as r:
        for f in frames(r, comments=True):
            if f.comment is not None:
                eq(f.comment, "heartbeat")
                beats += 1
                if beats == 2:
                    return
    raise AssertionError("the stream closed")


@check("S")
def v2_python_client(c: Ctx):
    with c.sdk.threads.stream(assistant_id="three") as s:
        s.run.start(input={"x": 1})
        eq(s.output["x"], 4)


@check("C")
def v2_sdk_thread_stream_over_a_websocket(c: Ctx):
    with c.sdk.threads.stream(assistant_id="three", transport="websocket") as s:
        s.run.start(input={"x": 1})
        eq(s.output["x"], 4)


@check("C")
def v2_websocket_is_the_same_as_http(c: Ctx):
    from websockets.sync.client import connect

    if c.reference:
        raise Skip("what is compared are our own answers")
    t = str(uuid.uuid4())
    with connect(c.url.replace("http", "ws") + f"/threads/{t}/stream/events") as socket:

        def say(n, method, **params):
            socket.send(json.dumps({"id": n, "method": method, "params": params}))

        def hear(wanted):
            got = []
            while True:
                got.append(json.loads(socket.recv(timeout=30)))
                if wanted(got[-1]):
                    return got

        say(1, "subscription.subscribe", channels=ALL)
        sub = hear(lambda m: m.get("id") == 1)[-1]
        eq(sub["type"], "success")
        say(2, "run.start", assistant_id="agent", input={"messages": [{"role": "user", "content": "use tool"}]})
        got = hear(lambda m: m["type"] == "event" and ended(m))
        eq([m["type"] for m in got if m.get("id") == 2], ["success"])
        over_socket = [m for m in got if m["type"] == "event"]
        eq(over_socket, [f.json for f in events(c, t, ALL, ended)], "event by event")
        # Whoever comes back has seen some of it.
        half = over_socket[len(over_socket) // 2]
        say(3, "subscription.subscribe", channels=ALL, since=half["seq"])
        rest = [m for m in hear(lambda m: m["type"] == "event" and ended(m)) if m["type"] == "event"]
        eq(rest, [m for m in over_socket if m["seq"] > half["seq"]])
        say(4, "subscription.unsubscribe", subscription_id=sub["result"]["subscription_id"])
        eq(hear(lambda m: m.get("id") == 4)[-1]["type"], "success")
        for n, method, params, error in [
            (5, "subscription.unsubscribe", {"subscription_id": "sub-1"}, "no_such_subscription"),
            (6, "subscription.subscribe", {"channels": ["bogus"]}, "invalid_argument"),
            (7, "dance", {}, "unknown_command"),
            (8, "input.respond", {"interrupt_id": "x", "response": 1}, "no_such_interrupt"),
        ]:
            say(n, method, **params)
            answer = hear(lambda m: m.get("id") == n)[-1]
            eq((answer["type"], answer["error"]), ("error", error), method)
        for nonsense in ["no json", "[]", "{}", b"\x00"]:
            socket.send(nonsense)
            eq(json.loads(socket.recv(timeout=30))["error"], "invalid_argument")
    refused(c.http.get(f"/threads/{t}/stream/events"), 400, None)
