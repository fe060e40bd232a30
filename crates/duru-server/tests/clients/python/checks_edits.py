"""Changing threads from outside: by their nodes, their subgraphs and their past."""

from langgraph.pregel.remote import RemoteGraph

from harness import Ctx, check, eq, has, ok, refused


def held_before_child(c: Ctx) -> tuple[str, dict]:
    t = c.thread()
    c.sdk.runs.wait(t, "parent", input={"x": 1}, interrupt_before=["child"])
    return t, c.sdk.threads.get_state(t)["tasks"][0]


@check()
def task_names_its_subgraph(c: Ctx):
    t, task = held_before_child(c)
    eq(task["checkpoint"], {"thread_id": t, "checkpoint_ns": f"child:{task['id']}"})
    eq(task["state"], None)


@check()
def state_update_of_a_subgraph(c: Ctx):
    t, task = held_before_child(c)
    r = c.sdk.threads.update_state(t, {"x": 100}, checkpoint=task["checkpoint"])
    eq(r["checkpoint"]["checkpoint_ns"], task["checkpoint"]["checkpoint_ns"])
    root = c.sdk.threads.get_state(t)
    eq((root["values"], root["next"]), ({"x": 2, "log": ["a"]}, ["child"]), "the root is as it was")
    s = c.sdk.threads.get_state(t, checkpoint=task["checkpoint"])
    eq((s["values"], s["next"]), ({"x": 100, "log": []}, ["sa"]))
    eq(c.sdk.runs.wait(t, "parent")["x"], 101)


@check()
def history_of_a_subgraph(c: Ctx):
    t, task = held_before_child(c)
    c.sdk.runs.wait(t, "parent")
    h = c.sdk.threads.get_history(t, limit=10, checkpoint=task["checkpoint"])
    eq([s["next"] for s in h], [[], ["sa"], ["__start__"]])
    eq([s["checkpoint"]["checkpoint_ns"] for s in h], [task["checkpoint"]["checkpoint_ns"]] * 3)
    at = c.sdk.threads.get_state(t, checkpoint=h[1]["checkpoint"])
    eq((at["values"], at["next"]), ({"x": 2, "log": ["a"]}, ["sa"]))


@check()
def remote_subgraph_state(c: Ctx):
    t, task = held_before_child(c)
    g = RemoteGraph("parent", url=c.url)
    cfg = {"configurable": {"thread_id": t}}
    inner = g.get_state(cfg).tasks[0].state
    eq(inner["configurable"]["checkpoint_ns"], task["checkpoint"]["checkpoint_ns"])
    g.update_state({"configurable": {**inner["configurable"]}}, {"x": 50})
    eq(g.get_state(inner).values["x"], 50)
    eq(g.invoke(None, cfg)["x"], 51)


@check()
def state_update_at_an_old_checkpoint_as_nobody(c: Ctx):
    t = c.thread()
    c.sdk.runs.wait(t, "three", input={"x": 1})
    at = next(h for h in c.sdk.threads.get_history(t) if h["next"] == ["b"])
    c.sdk.threads.update_state(t, {"x": 70}, checkpoint=at["checkpoint"])
    s = c.sdk.threads.get_state(t)
    eq((s["values"], s["next"]), ({"x": 70, "log": ["a"]}, ["b"]))
    eq(c.sdk.runs.wait(t, "three"), {"x": 72, "log": ["a", "b", "c"]})


@check()
def state_update_of_nothing(c: Ctx):
    t = c.thread()
    c.sdk.runs.wait(t, "hitl", input={"q": "go"})
    c.sdk.threads.update_state(t, None)
    eq(c.sdk.threads.get_state(t)["next"], ["ask"])
    c.sdk.threads.update_state(t, None, as_node="__end__")
    eq(c.sdk.threads.get_state(t)["next"], [])


@check()
def state_update_as_the_start_and_the_input(c: Ctx):
    t = c.thread(graph_id="three")
    c.sdk.threads.update_state(t, {"x": 5}, as_node="__input__")
    s = c.sdk.threads.get_state(t)
    eq((s["next"], s["metadata"]["source"], s["values"]), (["__start__"], "input", {"log": []}))
    eq(c.sdk.runs.wait(t, "three"), {"x": 8, "log": ["a", "b", "c"]})
    c.sdk.threads.update_state(t, {"x": 0}, as_node="__start__")
    eq(c.sdk.threads.get_state(t)["next"], ["a"])
    eq(c.sdk.runs.wait(t, "three")["x"], 3)


@check()
def state_update_then_answer(c: Ctx):
    t = c.thread()
    c.sdk.runs.wait(t, "hitl", input={"q": "go"})
    c.sdk.threads.update_state(t, {"q": "changed"})
    eq(c.sdk.runs.wait(t, "hitl", command={"resume": "yes"}), {"q": "changed", "answer": "yes done"})


@check("S")
def supersteps_take_the_input_in_once(c: Ctx):
    given = {"x": 1, "log": ["i"]}
    steps = [
        {"updates": [{"values": given, "as_node": "__input__"}]},
        {"updates": [{"values": given, "as_node": "__start__"}]},
        {"updates": [{"values": {"x": 2, "log": ["a"]}, "as_node": "a"}]},
    ]
    t = c.sdk.threads.create(graph_id="three", supersteps=steps)["thread_id"]
    s = c.sdk.threads.get_state(t)
    eq((s["values"], s["next"]), ({"x": 2, "log": ["i", "a"]}, ["b"]))
    eq([h["next"] for h in c.sdk.threads.get_history(t)], [["b"], ["a"], ["__start__"]])


@check()
def command_goto_send(c: Ctx):
    t = c.thread()
    c.sdk.runs.wait(t, "three", input={"x": 1})
    send = {"goto": {"node": "b", "input": {"x": 40, "log": []}}}
    eq(c.sdk.runs.wait(t, "three", command=send), {"x": 42, "log": ["a", "b", "c", "b", "c"]})


@check()
def asking_differently_leaves_no_fork(c: Ctx):
    t = c.thread()
    c.sdk.runs.wait(t, "three", input={"x": 1})
    root = c.sdk.threads.get_history(t)[-1]
    for x in (50, 60):
        c.sdk.runs.wait(t, "three", input={"x": x}, checkpoint=root["checkpoint"])
    h = c.sdk.threads.get_history(t, limit=10)
    eq([s["metadata"]["source"] for s in h], (["loop"] * 4 + ["input"]) * 2)
    eq([s["parent_checkpoint_id"] for s in h if s["metadata"]["source"] == "input"], [root["checkpoint_id"]] * 2)


@check()
def history_before_the_first_input(c: Ctx):
    t = c.thread()
    c.sdk.runs.wait(t, "three", input={"x": 1})
    first = c.sdk.threads.get_history(t)[-1]
    eq((first["values"], first["metadata"]["step"]), ({"log": []}, -1))
    eq(first["tasks"][0]["result"], {"x": 1})


@check()
def state_update_beside_a_pending_run(c: Ctx):
    t = c.thread()
    c.sdk.runs.wait(t, "three", input={"x": 1})
    run = c.sdk.runs.create(t, "three", input={"x": 1}, after_seconds=3600)["run_id"]
    refused(c.http.post(f"/threads/{t}/state", json={"values": {"x": 9}, "as_node": "a"}), 409)
    c.sdk.runs.cancel(t, run)
    eq(c.sdk.threads.get(t)["status"], "idle", "what never began leaves nothing behind")
    c.sdk.threads.update_state(t, {"x": 9}, as_node="a")


@check()
def wait_at_a_breakpoint(c: Ctx):
    t = c.thread()
    r = c.http.post(f"/threads/{t}/runs/wait", json={"assistant_id": "three", "input": {"x": 1}, "interrupt_before": ["b", "zzz"]})
    eq(ok(r), {"x": 2, "log": ["a"]}, "nothing is asked")
    if not c.reference:
        has(r.headers.get("x-duru-ignored", ""), "zzz")


@check("S")
def context_beside_configurable(c: Ctx):
    body = {"assistant_id": "three", "input": {"x": 1}, "context": {"a": 1}, "config": {"configurable": {"b": 2}}}
    refused(c.http.post("/runs/wait", json=body), 400)


@check("S")
def crons_go_with_their_thread(c: Ctx):
    t = c.thread()
    c.sdk.crons.create_for_thread(t, "three", schedule="0 0 1 1 * 30", input={"x": 1})
    eq(len(c.sdk.crons.search(thread_id=t)), 1)
    c.sdk.threads.delete(t)
    eq(c.sdk.crons.search(thread_id=t), [])
