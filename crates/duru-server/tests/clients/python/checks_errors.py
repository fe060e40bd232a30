"""Bad input: the code, the shape, and that nothing else happens. And what must be let pass."""

from harness import UNKNOWN, Ctx, check, eq, ok, refused

RUNS = ("/runs/wait", "/runs/stream", "/runs")


@check()
def refused_bad_json(c: Ctx):
    for path in ("/threads", "/assistants/search", *RUNS):
        r = c.http.post(path, content=b"{nope", headers={"content-type": "application/json"})
        refused(r, 422, "Invalid JSON in request body")


@check()
def refused_wrong_types(c: Ctx):
    for body in ({"metadata": 1}, {"metadata": []}, []):
        refused(c.http.post("/threads", json=body), 422)
    refused(c.http.post("/threads/search", json={"limit": "many"}), 422)
    refused(c.http.post("/threads/search", json={"status": "bogus"}), 422)


@check()
def refused_no_assistant(c: Ctx):
    for path in RUNS:
        refused(c.http.post(path, json={"input": {}}), 422, "assistant_id")


@check()
def refused_unknown_assistant(c: Ctx):
    t = c.thread()
    for path in (*RUNS, f"/threads/{t}/runs", f"/threads/{t}/runs/wait", f"/threads/{t}/runs/stream"):
        refused(c.http.post(path, json={"assistant_id": "none-such", "input": {}}), 422, "none-such")
        refused(c.http.post(path, json={"assistant_id": UNKNOWN, "input": {}}), 404)


@check()
def refused_unknown_thread(c: Ctx):
    for path in ("", "/wait", "/stream"):
        refused(c.http.post(f"/threads/{UNKNOWN}/runs{path}", json={"assistant_id": "three", "input": {}}), 404, "Thread or assistant not found.")


@check()
def refused_thread_id_that_is_no_uuid(c: Ctx):
    for method, path in [("GET", ""), ("GET", "/state"), ("POST", "/history"), ("POST", "/runs/wait"), ("GET", "/runs"), ("DELETE", "")]:
        kw = {"json": {"assistant_id": "three"}} if method == "POST" else {}
        # The reference says 400 "badly formed hexadecimal UUID string" where it parses the id late.
        refused(c.http.request(method, f"/threads/not-a-uuid{path}", **kw), 400 if c.reference and path == "/runs/wait" else 422)


@check()
def refused_bogus_choices(c: Ctx):
    for field in ({"stream_mode": "bogus"}, {"stream_mode": ["values", "bogus"]}, {"multitask_strategy": "bogus"}, {"on_disconnect": "bogus"}, {"if_not_exists": "bogus"}, {"interrupt_before": 1}):
        refused(c.http.post(f"/threads/{c.thread()}/runs/wait", json={"assistant_id": "three", "input": {"x": 1}, **field}), 422)


@check()
def refused_routes(c: Ctx):
    refused(c.http.get("/no/such/route"), 404, "Not Found")
    refused(c.http.put("/threads/search", json={}), 405, "Method Not Allowed")
    r = c.http.get("/assistants/search")
    assert r.status_code in (405, 422), r.status_code  # no such method, or `search` taken for an id


@check()
def unknown_fields_are_let_pass(c: Ctx):
    extra = {"some_future_field": {"a": [1]}, "another": None}
    t = ok(c.http.post("/threads", json={**extra}))["thread_id"]
    eq(ok(c.http.post(f"/threads/{t}/runs/wait", json={"assistant_id": "three", "input": {"x": 1}, **extra}))["x"], 4)
    ok(c.http.post("/threads/search", json={"limit": 1, **extra}))
    ok(c.http.post("/assistants/search", json={"limit": 1, **extra}))
    ok(c.http.post(f"/threads/{t}/history", json={"limit": 1, **extra}))
    ok(c.http.post(f"/threads/{t}/state", json={"values": {"x": 1}, "as_node": "a", **extra}))
    ok(c.http.get(f"/threads/{t}/state", params={"some_future_field": "1"}))


@check()
def null_is_no_input(c: Ctx):
    """`"input": null` and `"command": null` are sent, and mean nothing. (The other fields the clients leave out.)"""
    t = c.thread()
    eq(ok(c.http.post(f"/threads/{t}/runs/wait", json={"assistant_id": "three", "input": {"x": 1}, "command": None, "checkpoint_id": None}))["x"], 4)
    c.sdk.runs.wait(t, "three", input={"x": 1}, interrupt_before=["b"])
    eq(ok(c.http.post(f"/threads/{t}/runs/wait", json={"assistant_id": "three", "input": None}))["x"], 4)


@check()
def empty_bodies(c: Ctx):
    """An empty object is enough for a search or a creation. No body at all is bad JSON."""
    for path in ("/threads", "/threads/search", "/assistants/search", "/threads/count"):
        ok(c.http.post(path, json={}))
        refused(c.http.post(path), 422, "Invalid JSON in request body")


@check()
def refused_limits(c: Ctx):
    for path in ("/threads/search", "/assistants/search"):
        for limit in (0, -1, 1001):
            refused(c.http.post(path, json={"limit": limit}), 422)


@check()
def bad_graph_input_is_the_runs_error(c: Ctx):
    """The graph's own validation fails the run, not the request."""
    for given in ("text", [1]):
        got = ok(c.http.post("/runs/wait", json={"assistant_id": "three", "input": given}))
        assert got["__error__"]["error"] == "InvalidUpdateError", got


@check()
def nothing_to_run_is_the_runs_error(c: Ctx):
    t = c.thread()
    got = ok(c.http.post(f"/threads/{t}/runs/wait", json={"assistant_id": "three"}))
    eq(got["__error__"]["error"], "EmptyInputError")
    eq((c.sdk.runs.list(t)[0]["status"], c.sdk.threads.get(t)["status"]), ("error", "error"))
    # A resume of nothing fails too; what the reference says of it is an accident (TypeError, "'NoneType' object is not iterable").
    assert ok(c.http.post(f"/threads/{c.thread()}/runs/wait", json={"assistant_id": "hitl", "command": {"resume": "x"}}))["__error__"]["error"]


@check()
def unknown_input_keys_are_let_pass(c: Ctx):
    eq(ok(c.http.post("/runs/wait", json={"assistant_id": "three", "input": {"x": 1, "nope": 1}})), {"x": 4, "log": ["a", "b", "c"]})


@check("S")
def large_input(c: Ctx):
    text = "é" * 200_000
    v = ok(c.http.post("/runs/wait", json={"assistant_id": "agent", "input": {"messages": [{"role": "user", "content": text}]}}))
    eq(v["messages"][0]["content"], text)


@check()
def text_survives(c: Ctx):
    odd = "한국어 \u2028 \" \\ \r\n\t 🦀 </script> \u0001"
    t = c.thread()
    fs = c.stream("agent", {"input": {"messages": [{"role": "user", "content": odd}]}, "stream_mode": "values"}, t)
    eq(fs[1].json["messages"][0]["content"], odd)
    eq(c.sdk.threads.get_state(t)["values"]["messages"][0]["content"], odd)
