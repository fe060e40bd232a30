"""RemoteGraph, and the async client."""

import asyncio

from langgraph.pregel.remote import RemoteGraph
from langgraph.types import Command
from langgraph_sdk import get_client

from harness import Ctx, check, eq, has


@check()
def remote_invoke(c: Ctx):
    g = RemoteGraph("three", url=c.url)
    eq(g.invoke({"x": 1}), {"x": 4, "log": ["a", "b", "c"]})


@check()
def remote_stream(c: Ctx):
    g = RemoteGraph("three", url=c.url)
    eq(list(g.stream({"x": 1}, stream_mode="updates")), [{n: {"x": i + 2, "log": [n]}} for i, n in enumerate("abc")])
    both = list(g.stream({"x": 1}, stream_mode=["updates", "values"]))
    eq(tuple(both[-1])[:2], ("values", {"x": 4, "log": ["a", "b", "c"]}))
    eq(len(both), 7)


@check()
def remote_stream_subgraphs(c: Ctx):
    g = RemoteGraph("parent", url=c.url)
    got = list(g.stream({"x": 1}, stream_mode="updates", subgraphs=True))
    eq([len(ns) for ns, _ in got], [0, 1, 0])
    assert got[1][0][0].startswith("child:"), got[1]


@check()
def remote_state_and_history(c: Ctx):
    g = RemoteGraph("three", url=c.url)
    cfg = {"configurable": {"thread_id": c.thread()}}
    g.invoke({"x": 1}, cfg)
    s = g.get_state(cfg)
    eq((s.values, s.next), ({"x": 4, "log": ["a", "b", "c"]}, ()))
    h = list(g.get_state_history(cfg))
    eq([x.next for x in h], [(), ("c",), ("b",), ("a",), ("__start__",)])
    old = g.get_state(h[2].config)
    eq(old.values, {"x": 2, "log": ["a"]})
    new = g.update_state(cfg, {"x": 9}, as_node="a")
    eq(g.get_state(new).values["x"], 9)
    eq(g.invoke(None, cfg)["x"], 11)


@check()
def remote_interrupt_and_resume(c: Ctx):
    g = RemoteGraph("hitl", url=c.url)
    cfg = {"configurable": {"thread_id": c.thread()}}
    first = list(g.stream({"q": "go"}, cfg, stream_mode="updates"))
    assert "__interrupt__" in first[-1], first
    s = g.get_state(cfg)
    eq((s.next, s.tasks[0].interrupts[0].value), (("ask",), {"question": "approve?", "q": "go!"}))
    eq(g.invoke(Command(resume="yes"), cfg), {"q": "go!", "answer": "yes done"})


@check()
def remote_graph(c: Ctx):
    g = RemoteGraph("three", url=c.url).get_graph()
    has(g.nodes, "a", "b", "c")


@check()
def remote_error(c: Ctx):
    try:
        RemoteGraph("fail", url=c.url).invoke({"x": 1})
    except Exception as e:
        assert "kaboom" in str(e), repr(e)
    else:
        raise AssertionError("the client did not raise")


@check()
def async_client(c: Ctx):
    async def go():
        sdk = get_client(url=c.url, api_key=None)
        t = (await sdk.threads.create())["thread_id"]
        eq((await sdk.runs.wait(t, "three", input={"x": 1}))["x"], 4)
        parts = [p async for p in sdk.runs.stream(t, "three", input={"x": 1}, stream_mode=["values", "updates"])]
        eq(parts[-1].data["x"], 4)
        run = await sdk.runs.create(t, "three", input={"x": 1}, stream_resumable=True, stream_mode="updates")
        joined = [p async for p in sdk.runs.join_stream(t, run["run_id"], last_event_id="-1")]
        eq([list(p.data) for p in joined if p.event == "updates"], [["a"], ["b"], ["c"]])
        await asyncio.gather(*(sdk.runs.wait(None, "three", input={"x": i}) for i in range(4)))

    asyncio.run(go())


@check()
def async_remote(c: Ctx):
    async def go():
        g = RemoteGraph("agent", url=c.url)
        out = await g.ainvoke({"messages": [{"role": "user", "content": "hi"}]})
        eq(out["messages"][-1]["content"], "Hello from fake")
        got = [x async for x in g.astream({"messages": [{"role": "user", "content": "hi"}]}, stream_mode="messages")]
        eq("".join(m["content"] for m, _ in got), "Hello from fake")

    asyncio.run(go())
