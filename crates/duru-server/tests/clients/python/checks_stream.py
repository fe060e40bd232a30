"""Streams: the bytes, the headers, every mode, replay."""

import json
import re
import threading

from langgraph_sdk import get_sync_client

from harness import CuttingProxy, EVENT_ID, INTERRUPT_ID, UNKNOWN, Ctx, Skip, check, eq, frames, has, is_uuid, ok

TOOL = {"messages": [{"role": "user", "content": "use tool"}]}
HELLO = {"messages": [{"role": "user", "content": "hi"}]}


def pairs(fs):
    return [f.pair for f in fs]


def only(fs, event):
    return [f.json for f in fs if f.event == event]


def first_is_metadata(fs):
    eq(fs[0].event, "metadata")
    has(fs[0].json, "run_id", "attempt")
    is_uuid(fs[0].json["run_id"], 7)
    eq(fs[0].json["attempt"], 1)
    return fs[0].json["run_id"]


@check()
def stream_headers(c: Ctx):
    t = c.thread()
    with c.sse("POST", f"/threads/{t}/runs/stream", {"assistant_id": "three", "input": {"x": 1}}) as r:
        h = r.headers
        run = first_is_metadata(list(frames(r)))
    eq(h["content-type"].replace(" ", "").lower(), "text/event-stream;charset=utf-8")
    eq(h["cache-control"], "no-store")
    eq(h["x-accel-buffering"], "no")
    eq(h["location"], f"/threads/{t}/runs/{run}/stream")
    eq(h["content-location"], f"/threads/{t}/runs/{run}")


@check()
def stream_bytes(c: Ctx):
    """Every line ends in CRLF; event, then data, then nothing; the data is one line of JSON."""
    with c.sse("POST", f"/threads/{c.thread()}/runs/stream", {"assistant_id": "three", "input": {"x": 1}}) as r:
        raw = b"".join(r.iter_raw())
    assert b"\n" not in raw.replace(b"\r\n", b""), "a line without CR"
    blocks = [b for b in raw.split(b"\r\n\r\n") if b.strip() and not b.startswith(b":")]
    if blocks[-1].startswith(b"event: end"):
        blocks.pop()
    assert re.fullmatch(rb'event: metadata\r\ndata: \{"run_id":"[0-9a-f-]{36}","attempt":1\}', blocks[0]), blocks[0]
    eq(len(blocks), 5, f"frames {blocks}")
    want = [{"x": 1 + i, "log": list("abc"[:i])} for i in range(4)]
    for b, w in zip(blocks[1:], want):
        m = re.fullmatch(rb"event: values\r\ndata: (\{[^\r\n]*\})", b)
        assert m, b
        eq(json.loads(m[1]), w)


@check()
def stream_resumable_bytes(c: Ctx):
    """With stream_resumable each frame has an id, after its data."""
    fs = c.stream("three", {"input": {"x": 1}, "stream_resumable": True}, c.thread())
    eq(len(fs), 5)
    for f in fs:
        eq([k for k, _ in f.fields], ["event", "data", "id"], "field order")
        assert EVENT_ID.match(f.id), f.id
    ids = [tuple(int(n) for n in f.id.split("-")) for f in fs]
    eq(ids, sorted(set(ids)), "ids rise")


@check()
def stream_values(c: Ctx):
    fs = c.stream("three", {"input": {"x": 1}, "stream_mode": "values"}, c.thread())
    first_is_metadata(fs)
    eq(
        pairs(fs[1:]),
        [("values", {"x": n, "log": ["a", "b", "c"][: n - 1]}) for n in (1, 2, 3, 4)],
    )


@check()
def stream_default_mode_is_values(c: Ctx):
    eq({f.event for f in c.stream("three", {"input": {"x": 1}}, c.thread())}, {"metadata", "values"})


@check()
def stream_no_mode_is_values(c: Ctx):
    eq({f.event for f in c.stream("three", {"input": {"x": 1}, "stream_mode": []}, c.thread())}, {"metadata", "values"})


@check()
def stream_new_input_on_an_interrupted_thread(c: Ctx):
    """It starts over with that input; the old question is gone, the new one has an id of its own."""
    t = c.thread()
    one = c.sdk.runs.wait(t, "hitl", input={"q": "a"})["__interrupt__"][0]
    two = c.sdk.runs.wait(t, "hitl", input={"q": "b"})["__interrupt__"][0]
    eq((two["value"]["q"], one["id"] == two["id"]), ("b!", False))
    again = c.sdk.runs.wait(t, "hitl")["__interrupt__"][0]
    eq(again["id"], two["id"], "without input the same question is asked again")
    eq(c.sdk.runs.wait(t, "hitl", command={"resume": "ok"}), {"q": "b!", "answer": "ok done"})


@check()
def stream_updates(c: Ctx):
    fs = c.stream("three", {"input": {"x": 1}, "stream_mode": ["updates"]}, c.thread())
    eq(pairs(fs[1:]), [("updates", {n: {"x": i + 2, "log": [n]}}) for i, n in enumerate("abc")])


@check()
def stream_several_modes(c: Ctx):
    fs = c.stream("three", {"input": {"x": 1}, "stream_mode": ["updates", "values"]}, c.thread())
    want = [("values", {"x": 1, "log": []})]
    for i, n in enumerate("abc"):
        want.append(("updates", {n: {"x": i + 2, "log": [n]}}))
        want.append(("values", {"x": i + 2, "log": list("abc"[: i + 1])}))
    eq(pairs(fs[1:]), want)


@check()
def stream_custom(c: Ctx):
    fs = c.stream("slow", {"input": {"n": 3, "tick": 0.01}, "stream_mode": "custom"}, c.thread())
    eq(pairs(fs[1:]), [("custom", {"tick": i}) for i in range(3)])


@check()
def stream_custom_and_messages(c: Ctx):
    fs = c.stream("agent", {"input": TOOL, "stream_mode": ["custom", "messages-tuple", "values"]}, c.thread())
    eq(only(fs, "custom"), [{"progress": "calling tool"}])
    assert only(fs, "messages") and only(fs, "values")


def chunks(fs):
    return [(m, meta) for m, meta in only(fs, "messages")]


@check()
def stream_messages_tuple(c: Ctx):
    fs = c.stream("agent", {"input": HELLO, "stream_mode": "messages-tuple"}, c.thread())
    run = first_is_metadata(fs)
    eq({f.event for f in fs[1:]}, {"messages"}, "the event is called messages")
    got = chunks(fs)
    eq({m["type"] for m, _ in got}, {"AIMessageChunk"})
    eq("".join(m["content"] for m, _ in got), "Hello from fake")
    assert len([m for m, _ in got if m["content"]]) == 3, "three tokens, three chunks"
    eq(len({m["id"] for m, _ in got}), 1, "one id on every chunk")
    eq(got[-1][0]["chunk_position"], "last")
    usage = [m["usage_metadata"] for m, _ in got if m.get("usage_metadata")]
    eq([(u["input_tokens"], u["output_tokens"], u["total_tokens"]) for u in usage], [(3, 3, 6)])
    for m, meta in got:
        has(m, "content", "additional_kwargs", "response_metadata", "type", "name", "id", "tool_calls", "invalid_tool_calls", "usage_metadata", "tool_call_chunks")
        has(meta, "langgraph_node", "langgraph_step", "langgraph_triggers", "langgraph_path", "langgraph_checkpoint_ns", "run_id", "thread_id", "graph_id", "assistant_id")
        eq((meta["langgraph_node"], meta["langgraph_step"], meta["run_id"]), ("agent", 1, run))
        assert meta["langgraph_checkpoint_ns"].startswith("agent:"), meta["langgraph_checkpoint_ns"]


@check()
def stream_messages_tuple_tool_call(c: Ctx):
    fs = c.stream("agent", {"input": TOOL, "stream_mode": "messages-tuple"}, c.thread())
    got = chunks(fs)
    ai1 = [m for m, meta in got if meta["langgraph_step"] == 1]
    parts = [p for m in ai1 for p in m["tool_call_chunks"]]
    eq((parts[0]["name"], parts[0]["id"], parts[0]["index"], parts[0]["type"]), ("get_weather", "call_1", 0, "tool_call_chunk"))
    eq("".join(p["args"] for p in parts), '{"city":"SF"}')
    (tool,) = [m for m, _ in got if m["type"] == "tool"]
    eq((tool["content"], tool["name"], tool["tool_call_id"], tool["status"]), ("sunny", "get_weather", "call_1", "success"))
    assert tool["id"], "a tool message has an id"
    eq([meta["langgraph_node"] for m, meta in got if m["type"] == "tool"], ["tools"])
    ai2 = [m for m, meta in got if meta["langgraph_step"] == 3]
    eq("".join(m["content"] for m in ai2), "Hello from fake")
    eq(len({m["id"] for m in ai1 + ai2}), 2)


@check()
def stream_chunk_id_is_the_messages_id(c: Ctx):
    t = c.thread()
    fs = c.stream("agent", {"input": TOOL, "stream_mode": ["messages-tuple", "values", "updates"]}, t)
    final = only(fs, "values")[-1]["messages"]
    ids = []
    for m, _ in chunks(fs):
        if m["id"] not in ids:
            ids.append(m["id"])
    eq(ids, [m["id"] for m in final[1:]], "each message of the final values was streamed under its own id")
    eq([m["type"] for m in final], ["human", "ai", "tool", "ai"])
    eq([m["id"] for u in only(fs, "updates") for v in u.values() for m in v["messages"]], ids)
    eq([m["id"] for m in c.sdk.threads.get_state(t)["values"]["messages"]], [m["id"] for m in final])
    eq(final[1]["tool_calls"], [{"name": "get_weather", "args": {"city": "SF"}, "id": "call_1", "type": "tool_call"}])


@check()
def stream_messages(c: Ctx):
    fs = c.stream("agent", {"input": HELLO, "stream_mode": "messages"}, c.thread())
    names = [f.event for f in fs[1:]]
    eq(names[0], "messages/metadata")
    eq(set(names), {"messages/metadata", "messages/partial"})
    has(fs[1].json.popitem()[1]["metadata"], "langgraph_node", "run_id", "thread_id")
    meta = only(fs, "messages/metadata")
    partial = only(fs, "messages/partial")
    assert meta and partial, names
    (mid,) = {p[0]["id"] for p in partial}
    has({k: 1 for m in meta for k in m}, mid)
    texts = [p[0]["content"] for p in partial]
    assert all(b.startswith(a) for a, b in zip(texts, texts[1:])), f"each partial holds all so far: {texts}"
    eq(texts[-1], "Hello from fake")
    eq({p[0]["type"] for p in partial}, {"ai"}, "what is so far is a whole message, not a chunk")
    eq(partial[-1][0]["usage_metadata"]["total_tokens"], 6)


@check()
def stream_messages_tool_call(c: Ctx):
    fs = c.stream("agent", {"input": TOOL, "stream_mode": "messages"}, c.thread())
    names = [f.event for f in fs[1:]]
    order = [n for i, n in enumerate(names) if i == 0 or names[i - 1] != n]
    m, p, done = "messages/metadata", "messages/partial", "messages/complete"
    eq(order, [m, p, m, done, m, p])
    first = [x[0]["tool_calls"] for x in only(fs, p)]
    eq([t["args"] for t in first[0]], [{}])
    assert [{"name": "get_weather", "args": {"city": "SF"}, "id": "call_1", "type": "tool_call"}] in first, first
    ((tool,),) = only(fs, done)
    eq((tool["type"], tool["content"]), ("tool", "sunny"))


@check("S")
def stream_debug(c: Ctx):
    fs = c.stream("three", {"input": {"x": 1}, "stream_mode": "debug"}, c.thread())
    d = only(fs, "debug")
    eq([(x["type"], x["step"]) for x in d],
       [("checkpoint", -1), ("checkpoint", 0), ("task", 1), ("task_result", 1), ("checkpoint", 1), ("task", 2), ("task_result", 2),
        ("checkpoint", 2), ("task", 3), ("task_result", 3), ("checkpoint", 3)])
    for x in d:
        has(x, "step", "timestamp", "type", "payload")
    tasks = [x["payload"] for x in d if x["type"] == "task"]
    results = [x["payload"] for x in d if x["type"] == "task_result"]
    eq([p["name"] for p in tasks], ["a", "b", "c"])
    for p in tasks:
        has(p, "id", "name", "input", "triggers")
    for p in results:
        has(p, "id", "name", "error", "result", "interrupts")
    eq([p["id"] for p in tasks], [p["id"] for p in results])
    for x in d:
        if x["type"] == "checkpoint":
            has(x["payload"], "config", "parent_config", "values", "metadata", "next", "tasks")


@check("S")
def stream_tasks(c: Ctx):
    d = only(c.stream("three", {"input": {"x": 1}, "stream_mode": "tasks"}, c.thread()), "tasks")
    eq([(x["name"], "result" in x) for x in d], [(n, r) for n in "abc" for r in (False, True)])
    eq(d[0]["input"], {"x": 1, "log": []})
    eq(d[1]["result"], {"x": 2, "log": ["a"]})
    eq((d[1]["error"], d[1]["interrupts"], d[0]["id"]), (None, [], d[1]["id"]))


@check("S")
def stream_checkpoints(c: Ctx):
    t = c.thread()
    d = only(c.stream("three", {"input": {"x": 1}, "stream_mode": "checkpoints"}, t), "checkpoints")
    eq([x["next"] for x in d], [["__start__"], ["a"], ["b"], ["c"], []])
    eq([x["metadata"]["step"] for x in d], [-1, 0, 1, 2, 3])
    ids = [x["config"]["configurable"]["checkpoint_id"] for x in d]
    eq(ids[::-1], [h["checkpoint_id"] for h in c.sdk.threads.get_history(t)], "the ids the history has")
    eq(d[0]["parent_config"], None)
    eq([x["parent_config"]["configurable"]["checkpoint_id"] for x in d[1:]], ids[:-1])


@check("S")
def stream_events(c: Ctx):
    d = only(c.stream("agent", {"input": HELLO, "stream_mode": "events"}, c.thread()), "events")
    names = [x["event"] for x in d]
    has(names, "on_chain_start", "on_chain_end", "on_chat_model_start", "on_chat_model_stream", "on_chat_model_end")
    eq((names[0], names[-1]), ("on_chain_start", "on_chain_end"))
    for x in d:
        has(x, "event", "data", "name", "run_id", "metadata", "tags", "parent_ids")
    text = "".join(x["data"]["chunk"]["content"] for x in d if x["event"] == "on_chat_model_stream")
    eq(text, "Hello from fake")


@check()
def stream_all_modes_at_once(c: Ctx):
    modes = ["values", "updates", "messages-tuple", "custom", "debug", "tasks", "checkpoints"]
    fs = c.stream("agent", {"input": TOOL, "stream_mode": modes}, c.thread())
    eq({f.event for f in fs}, {"metadata", "values", "updates", "messages", "custom", "debug", "tasks", "checkpoints"})


@check()
def stream_subgraphs(c: Ctx):
    fs = c.stream("parent", {"input": {"x": 1}, "stream_mode": ["updates", "values"], "stream_subgraphs": True}, c.thread())
    (ns,) = {f.event.split("|", 1)[1] for f in fs if "|" in f.event}
    assert re.fullmatch(r"child:[0-9a-f-]{36}", ns), ns
    eq(
        pairs(fs[1:]),
        [
            ("values", {"x": 1, "log": []}),
            ("updates", {"p": {"x": 2, "log": ["a"]}}),
            ("values", {"x": 2, "log": ["a"]}),
            (f"values|{ns}", {"x": 2, "log": ["a"]}),
            (f"updates|{ns}", {"sa": {"x": 3, "log": ["a"]}}),
            (f"values|{ns}", {"x": 3, "log": ["a", "a"]}),
            ("updates", {"child": {"x": 3, "log": ["a", "a"]}}),
            ("values", {"x": 3, "log": ["a", "a", "a"]}),
        ],
    )


@check()
def stream_without_subgraphs(c: Ctx):
    fs = c.stream("parent", {"input": {"x": 1}, "stream_mode": ["updates"]}, c.thread())
    eq([f.event for f in fs], ["metadata", "updates", "updates"])


@check()
def stream_interrupt(c: Ctx):
    t = c.thread()
    fs = c.stream("hitl", {"input": {"q": "go"}, "stream_mode": ["values", "updates"]}, t)
    held = fs[-1].json["__interrupt__"]
    eq(len(held), 1)
    assert INTERRUPT_ID.match(held[0]["id"]), held
    eq(held[0]["value"], {"question": "approve?", "q": "go!"})
    eq(
        pairs(fs[1:]),
        [
            ("values", {"q": "go"}),
            ("updates", {"pre": {"q": "go!"}}),
            ("values", {"q": "go!"}),
            ("updates", {"__interrupt__": held}),
            ("values", {"q": "go!", "__interrupt__": held}),
        ],
    )
    eq(c.sdk.threads.get_state(t)["tasks"][0]["interrupts"][0]["id"], held[0]["id"])
    eq((c.sdk.threads.get(t)["status"], c.sdk.runs.list(t)[0]["status"]), ("interrupted", "success"))


@check()
def stream_interrupt_inside_values_alone(c: Ctx):
    """A page that asks for values and messages only must see the interrupt too."""
    fs = c.stream("hitl", {"input": {"q": "go"}, "stream_mode": ["values", "messages-tuple"]}, c.thread())
    eq(fs[-1].event, "values")
    eq(fs[-1].json["__interrupt__"][0]["value"], {"question": "approve?", "q": "go!"})


@check()
def stream_interrupt_in_updates_alone(c: Ctx):
    fs = c.stream("hitl", {"input": {"q": "go"}, "stream_mode": "updates"}, c.thread())
    eq([list(f.json) for f in fs[1:]], [["pre"], ["__interrupt__"]])


@check()
def stream_resume(c: Ctx):
    t = c.thread()
    c.stream("hitl", {"input": {"q": "go"}}, t)
    fs = c.stream("hitl", {"command": {"resume": "yes"}, "stream_mode": ["values", "updates"]}, t)
    eq(
        pairs(fs[1:]),
        [
            ("values", {"q": "go!"}),
            ("updates", {"ask": {"answer": "yes"}}),
            ("values", {"q": "go!", "answer": "yes"}),
            ("updates", {"fin": {"answer": "yes done"}}),
            ("values", {"q": "go!", "answer": "yes done"}),
        ],
    )
    eq(c.sdk.threads.get(t)["status"], "idle")
    eq(c.sdk.threads.get(t)["interrupts"], {})


@check("S")
def stream_resume_by_interrupt_id(c: Ctx):
    t = c.thread()
    fs = c.stream("hitl", {"input": {"q": "go"}}, t)
    iid = fs[-1].json["__interrupt__"][0]["id"]
    fs = c.stream("hitl", {"command": {"resume": {iid: "yes"}}}, t)
    eq(fs[-1].json["answer"], "yes done")


@check()
def stream_interrupt_before(c: Ctx):
    t = c.thread()
    fs = c.stream("three", {"input": {"x": 0}, "stream_mode": ["values", "updates"], "interrupt_before": ["b"]}, t)
    eq(pairs(fs[-2:]), [("values", {"x": 1, "log": ["a"]}), ("updates", {"__interrupt__": []})])
    eq(c.sdk.threads.get_state(t)["next"], ["b"])
    eq(c.sdk.threads.get(t)["status"], "interrupted")
    fs = c.stream("three", {"stream_mode": "updates"}, t)
    eq([list(f.json) for f in fs[1:]], [["b"], ["c"]])


@check("S")
def stream_interrupt_after_every_node(c: Ctx):
    t = c.thread()
    for want in (["b"], ["c"], []):
        body = {"stream_mode": "values", "interrupt_after": "*"}
        if want == ["b"]:
            body["input"] = {"x": 0}
        c.stream("three", body, t)
        eq(c.sdk.threads.get_state(t)["next"], want)


@check()
def stream_error(c: Ctx):
    t = c.thread()
    fs = c.stream("fail", {"input": {"x": 1}, "stream_mode": "values"}, t)
    eq(pairs(fs[1:]), [("values", {"x": 1, "log": []}), ("values", {"x": 2, "log": ["a"]}), ("error", {"error": "ValueError", "message": "kaboom"})])
    eq(c.sdk.runs.list(t)[0]["status"], "error")


@check()
def stream_error_raises_in_the_client(c: Ctx):

    try:
        got = list(c.sdk.runs.stream(c.thread(), "fail", input={"x": 1}))
    except Exception as e:
        assert "kaboom" in str(e), repr(e)
        return
    eq(got[-1].event, "error")
    assert "kaboom" in json.dumps(got[-1].data)


@check()
def stream_status_is_committed_before_the_close(c: Ctx):
    """As soon as the body has ended, the run and its thread say so."""
    for graph, body, run_status, thread_status in [
        ("three", {"input": {"x": 1}}, "success", "idle"),
        ("hitl", {"input": {"q": "go"}}, "success", "interrupted"),
        ("fail", {"input": {"x": 1}}, "error", "error"),
    ] * 3:
        t = c.thread()
        with c.sse("POST", f"/threads/{t}/runs/stream", {"assistant_id": graph, **body}) as r:
            where = r.headers["content-location"]
            for _ in r.iter_raw():
                pass
        run = c.http.get(where).json()
        row = c.http.get(f"/threads/{t}").json()
        eq((run["status"], row["status"]), (run_status, thread_status), graph)


@check()
def wait_status_is_committed_before_the_close(c: Ctx):
    for _ in range(4):
        t = c.thread()
        r = c.http.post(f"/threads/{t}/runs/wait", json={"assistant_id": "three", "input": {"x": 1}})
        eq((c.http.get(r.headers["content-location"]).json()["status"], c.http.get(f"/threads/{t}").json()["status"]), ("success", "idle"))


@check()
def stream_heartbeats(c: Ctx):
    """A comment every 5 s while nothing else is sent, and regularly."""
    with c.sse("POST", f"/threads/{c.thread()}/runs/stream", {"assistant_id": "slow", "input": {"n": 1, "tick": 16}}) as r:
        fs = list(frames(r, comments=True))
    beats = [f for f in fs if f.comment is not None]
    assert len(beats) >= 2, f"{len(beats)} heartbeats in 16 s"
    for b in beats:
        eq(b.raw.replace(b"\r\n", b"\n"), b": heartbeat\n\n")
    # A busy machine may be late with one and in time with the next; that they are not sent all the time is the point.
    gap = (fs[-1].at - fs[0].at) / len(beats)
    assert gap > 3, f"one in {gap} s"
    eq(fs[-1].json["log"], ["s1", "s2"])


@check()
def wait_heartbeats(c: Ctx):
    """`wait` sends newlines before the JSON, so that no proxy gives up."""
    t = c.thread()
    with c.http.stream("POST", f"/threads/{t}/runs/wait", json={"assistant_id": "slow", "input": {"n": 1, "tick": 16}}) as r:
        got = [b for b in r.iter_raw() if b]
    assert got[0].strip() == b"", f"first bytes {got[0]}"
    eq(json.loads(b"".join(got)), {"n": 1, "tick": 16, "log": ["s1", "s2"]})


# ---- replay


def background(c: Ctx, n=5, tick=0.2, **kw):
    t = c.thread()
    body = {"assistant_id": "slow", "input": {"n": n, "tick": tick}, "stream_mode": ["custom", "values"], "stream_resumable": True, **kw}
    run = ok(c.http.post(f"/threads/{t}/runs", json=body))
    return t, run["run_id"]


@check()
def replay_everything_after_the_end(c: Ctx):
    t, run = background(c, 4, 0.05)
    c.sdk.runs.join(t, run)
    fs = c.replay(t, run, "-1")
    eq(
        pairs(fs),
        [("metadata", {"run_id": run, "attempt": 1}), ("values", {"n": 4, "tick": 0.05, "log": []})]
        + [("custom", {"tick": i}) for i in range(4)]
        + [("values", {"n": 4, "tick": 0.05, "log": ["s1"]}), ("values", {"n": 4, "tick": 0.05, "log": ["s1", "s2"]})],
    )
    again = c.replay(t, run, "-1")
    eq([(f.id, f.pair) for f in again], [(f.id, f.pair) for f in fs], "the same ids each time")


@check()
def replay_from_each_id(c: Ctx):
    t, run = background(c, 3, 0.05)
    c.sdk.runs.join(t, run)
    fs = c.replay(t, run, "-1")
    assert len(fs) == 7, len(fs)
    for i, f in enumerate(fs):
        eq([g.id for g in c.replay(t, run, f.id)], [g.id for g in fs[i + 1 :]], f"after frame {i}")


@check()
def replay_of_a_streamed_run_is_what_was_streamed(c: Ctx):
    t = c.thread()
    fs = c.stream("three", {"input": {"x": 1}, "stream_mode": ["values", "updates"], "stream_resumable": True}, t)
    run = fs[0].json["run_id"]
    eq([(f.id, f.pair) for f in c.replay(t, run, "-1")], [(f.id, f.pair) for f in fs])


@check()
def replay_of_a_failed_run(c: Ctx):
    t = c.thread()
    fs = c.stream("fail", {"input": {"x": 1}, "stream_resumable": True}, t)
    eq(fs[-1].event, "error")
    assert EVENT_ID.match(fs[-1].id), fs[-1].fields
    again = c.replay(t, fs[0].json["run_id"], "-1")
    if c.reference:
        eq(pairs(again), pairs(fs[:-1]))
        raise Skip("the reference gives the error frame an id and then leaves it out of the replay")
    eq([(f.id, f.pair) for f in again], [(f.id, f.pair) for f in fs])


@check()
def replay_of_a_run_that_is_not_resumable(c: Ctx):
    t = c.thread()
    run = c.stream("three", {"input": {"x": 1}}, t)[0].json["run_id"]
    kept = c.replay(t, run, "-1")
    # The reference keeps nothing of it; a server that keeps all it shows may show it again.
    if c.reference:
        eq(kept, [], "nothing is kept of it")
    elif kept:
        eq(kept[-1].pair, ("values", {"x": 4, "log": ["a", "b", "c"]}))


@check()
def replay_then_tail_while_running(c: Ctx):
    t, run = background(c, 10, 0.2)
    seen = []
    with c.sse("GET", f"/threads/{t}/runs/{run}/stream", headers={"last-event-id": "-1"}) as r:
        for f in frames(r):
            seen.append(f)
            if f.pair == ("custom", {"tick": 2}):
                break
    seen += c.replay(t, run, seen[-1].id)
    eq([f.json["tick"] for f in seen if f.event == "custom"], list(range(10)), "no tick lost, none twice")
    eq(seen[-1].json["log"], ["s1", "s2"])
    eq(len({f.id for f in seen}), len(seen))


@check()
def replay_two_readers_see_the_same(c: Ctx):
    t, run = background(c, 6, 0.2)
    got = [None, None]

    def read(i):
        got[i] = [(f.id, f.pair) for f in c.replay(t, run, "-1")]

    both = [threading.Thread(target=read, args=(i,)) for i in (0, 1)]
    [x.start() for x in both]
    [x.join() for x in both]
    eq(got[0], got[1])
    eq(len(got[0]), 10)


@check()
def replay_without_the_header_is_live_only(c: Ctx):
    t, run = background(c, 2, 0.05)
    c.sdk.runs.join(t, run)
    eq(c.replay(t, run, None), [], "a finished run has nothing live")


@check()
def stream_cut_by_the_client_goes_on(c: Ctx):
    """on_disconnect is continue unless told: the run finishes, and the rest can be read."""
    t = c.thread()
    seen = []
    body = {"assistant_id": "slow", "input": {"n": 6, "tick": 0.2}, "stream_mode": "custom", "stream_resumable": True}
    with c.sse("POST", f"/threads/{t}/runs/stream", body) as r:
        location = r.headers["location"]
        for f in frames(r):
            seen.append(f)
            if f.event == "custom":
                break
    with c.sse("GET", location, headers={"last-event-id": seen[-1].id}) as r:
        seen += list(frames(r))
    eq([f.json for f in seen if f.event == "custom"], [{"tick": i} for i in range(6)])
    eq(c.sdk.runs.list(t)[0]["status"], "success")


@check()
def client_reconnects_when_the_line_is_cut(c: Ctx):
    """The connection breaks twice in the middle; the client goes on and sees each frame once."""
    t = c.thread()
    with CuttingProxy(c.url, cuts=2) as proxy:
        sdk = get_sync_client(url=proxy.url, api_key=None)
        got = list(sdk.runs.stream(t, "slow", input={"n": 15, "tick": 0.2}, stream_mode="custom", stream_resumable=True))
    eq([p.data["tick"] for p in got if p.event == "custom"], list(range(15)))
    eq(proxy.cuts, 0, "cuts left")


@check()
def join_stream_filters_by_mode(c: Ctx):
    t, run = background(c, 3, 0.2)
    got = list(c.sdk.runs.join_stream(t, run, stream_mode="custom", last_event_id="-1"))
    eq({p.event for p in got} - {"metadata", "end"}, {"custom"})
    eq([p.data for p in got if p.event == "custom"], [{"tick": i} for i in range(3)])


@check()
def join_stream_by_the_client(c: Ctx):
    t, run = background(c, 4, 0.2)
    got = list(c.sdk.runs.join_stream(t, run, last_event_id="-1"))
    eq([p.data for p in got if p.event == "custom"], [{"tick": i} for i in range(4)])
    assert all(p.id for p in got if p.event != "end")
    mid = next(p for p in got if p.data == {"tick": 1})
    rest = list(c.sdk.runs.join_stream(t, run, last_event_id=mid.id))
    eq([p.data for p in rest if p.event == "custom"], [{"tick": 2}, {"tick": 3}])


@check()
def join_stream_of_a_run_that_is_not_resumable(c: Ctx):
    t = c.thread()
    run = c.sdk.runs.create(t, "slow", input={"n": 8, "tick": 0.2}, stream_mode="custom")["run_id"]
    got = [f for f in c.replay(t, run, None)]
    ticks = [f.json["tick"] for f in got if f.event == "custom"]
    assert ticks and ticks == list(range(ticks[0], 8)), f"live ticks {ticks}"
    assert all(f.id is None for f in got), "no ids unless stream_resumable"


@check()
def join_stream_of_an_unknown_run(c: Ctx):
    fs = c.replay(c.thread(), UNKNOWN, None)
    eq(fs[-1].event, "error")
    assert "Run not found" in fs[-1].json["message"], fs[-1].json


@check("S")
def stateless_stream_can_be_joined(c: Ctx):
    body = {"assistant_id": "slow", "input": {"n": 6, "tick": 0.2}, "stream_mode": "custom", "stream_resumable": True}
    seen = []
    with c.sse("POST", "/runs/stream", body) as r:
        location = r.headers["location"]
        for f in frames(r):
            seen.append(f)
            if f.event == "custom":
                break
    assert re.fullmatch(r"/runs/[0-9a-f-]{36}/stream", location), location
    if c.reference:
        eq(c.http.get(location).status_code, 404)
        raise Skip("the reference has no GET /runs/{run_id}/stream, though its Location header points there")
    with c.sse("GET", location, headers={"last-event-id": seen[-1].id}) as r:
        seen += list(frames(r))
    eq([f.json for f in seen if f.event == "custom"], [{"tick": i} for i in range(6)])


@check("C")
def thread_stream_spans_runs(c: Ctx):
    t = c.thread()
    done = []
    with c.sse("GET", f"/threads/{t}/stream", params={"stream_mode": ["run_modes", "lifecycle", "state_update"]}) as r:
        it = frames(r)
        for _ in range(2):
            run = c.sdk.runs.create(t, "three", input={"x": 1}, stream_mode=["updates"], stream_resumable=True)["run_id"]
            got = []
            for f in it:
                got.append(f)
                if f.event == "metadata" and f.json.get("status") == "run_done":
                    break
            eq(got[-1].json, {"status": "run_done", "run_id": run})
            eq([list(f.json) for f in got if f.event == "updates"], [["a"], ["b"], ["c"]])
            done.append(run)
    eq(len(set(done)), 2)
