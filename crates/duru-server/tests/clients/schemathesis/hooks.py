"""What no generator guesses: the names and ids of what is there, for half of the requests. And a note of every answer."""

import json
import os
import urllib.request

import schemathesis

# They end at once, ask back, and fail.
SERVED = ["three", "hitl", "fail"]
# What answers as a model does: that `fail` fails is no fault of the server.
MODELS = ["agent", "three"]
CHAT = [{"role": "user", "content": "hi"}]
# A graph with another one inside, and where that is.
PARENT = ["parent", "child"]
# What a run of ours is.
QUICK = {"assistant_id": "three", "input": {"x": 1}}


def ask(method, path, body=None):
    """Asks the server itself, and gives what it answers."""
    headers = {"x-api-key": os.environ["DURU_KEY"], "content-type": "application/json"}
    body = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(os.environ["DURU_URL"] + path, body, headers, method=method)
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


turns = {}


def is_turn(context):
    """Every second request of an operation: a seed makes the same ones again."""
    key = (context.operation.method, context.operation.path)
    turns[key] = turns.get(key, 0) + 1
    return turns[key] % 2 == 0


def known(name, names):
    return names[len(name) % len(names)] if isinstance(name, str) and len(name) % 2 else name


def ended():
    """A thread with a run that has ended."""
    thread = ask("POST", "/threads", {})["thread_id"]
    ask("POST", f"/threads/{thread}/runs/wait", QUICK)
    run = ask("GET", f"/threads/{thread}/runs")[0]["run_id"]
    checkpoint = ask("GET", f"/threads/{thread}/state")["checkpoint"]["checkpoint_id"]
    return {"thread_id": thread, "run_id": run, "checkpoint_id": checkpoint}


def waiting():
    """A thread with a run that has not begun."""
    thread = ask("POST", "/threads", {})["thread_id"]
    run = ask("POST", f"/threads/{thread}/runs", {**QUICK, "after_seconds": 3600})
    return {"thread_id": thread, "run_id": run["run_id"]}


def kept():
    """A run on a thread of its own that stays."""
    run = ask("POST", "/runs", {**QUICK, "on_completion": "keep"})
    return {"run_id": run["run_id"]}


def cron():
    made = ask("POST", "/runs/crons", {**QUICK, "schedule": "0 0 1 1 *"})
    return {"cron_id": made["cron_id"]}


def assistant():
    return {"assistant_id": ask("POST", "/assistants", {"graph_id": PARENT[0]})["assistant_id"]}


def inside():
    return {**assistant(), "namespace": PARENT[1]}


def model():
    return {"model": MODELS[0]}


def served():
    return {"assistant_id": QUICK["assistant_id"]}


# What makes what a path names, for the first of these that it begins with or, behind a `*`, ends with.
MAKERS = [
    ("*/cancel", waiting),
    ("/runs/crons/", cron),
    ("/runs/{run_id}/", kept),
    ("*{namespace}", inside),
    ("/assistants/", assistant),
    ("/v1/models/", model),
    ("/a2a/", served),
    ("/threads/", ended),
]
# What only goes when it is deleted.
LASTING = [cron, inside, assistant, model, served]
shared = {}


def made(context):
    """Ids of what is there for an operation. Whatever may leave it otherwise gets something of its own."""
    path, maker = context.operation.path, None
    for place, makes in MAKERS:
        if path.endswith(place[1:]) if place[0] == "*" else path.startswith(place):
            maker = makes
            break
    if maker is None:
        return {}
    method = context.operation.method.lower()
    if method == "delete" or method != "get" and maker not in LASTING:
        return maker()
    if maker not in shared:
        shared[maker] = maker()
    return shared[maker]


@schemathesis.hook
def map_path_parameters(context, path_parameters):
    if isinstance(path_parameters, dict) and "assistant_id" in path_parameters:
        return {**path_parameters, "assistant_id": known(path_parameters["assistant_id"], SERVED)}
    return path_parameters


# What makes sense in the query of some paths.
QUERIES = {
    "/.well-known/agent-card.json": lambda: {"assistant_id": QUICK["assistant_id"]},
    "/store/items": lambda: {"namespace": "one", "key": "two"},
    "/threads/{thread_id}/runs/{run_id}/cancel": lambda: {},
}


# Of those that the server accepts.
LONGEST_AFTER = 3.2e9


def renamed(fields):
    """With names of what is there. And who waits for a run that begins some day waits that long: it begins soon."""
    if isinstance(fields, dict):
        after = fields.get("after_seconds")
        if isinstance(after, (int, float)) and 0 < after <= LONGEST_AFTER:
            fields["after_seconds"] = 0.1
        for field, names in (("assistant_id", SERVED), ("graph_id", SERVED), ("model", MODELS)):
            if field in fields:
                fields[field] = known(fields[field], names)
    return fields


def meant(context):
    """A body that makes sense to an operation beyond its shape; none where any does."""
    path, method = context.operation.path, context.operation.method.upper()
    if path == "/runs/cancel":
        there = waiting()
        return {"thread_id": there["thread_id"], "run_ids": [there["run_id"]]}
    message = {"kind": "message", "messageId": "1", "role": "user", "parts": [{"kind": "text", "text": "hi"}]}
    sensible = {
        "POST /a2a/{assistant_id}": {"jsonrpc": "2.0", "id": 1, "method": "message/send", "params": {"message": message}},
        "POST /assistants": {"graph_id": PARENT[0]},
        "PATCH /assistants/{assistant_id}": {"name": "renamed"},
        "POST /assistants/{assistant_id}/latest": {"version": 1},
        "POST /mcp": {"jsonrpc": "2.0", "id": 1, "method": "tools/list"},
        "POST /runs/batch": [QUICK],
        "PATCH /runs/crons/{cron_id}": {"enabled": False},
        "PUT /store/items": {"namespace": ["one"], "key": "two", "value": {"three": 3}},
        "DELETE /store/items": {"namespace": ["one"], "key": "two"},
        "POST /threads": {},
        "POST /threads/{thread_id}/history": {},
        "POST /threads/{thread_id}/state": {"values": {"x": 1}},
        "POST /threads/{thread_id}/state/checkpoint": {},
        "POST /v1/chat/completions": {"model": MODELS[0], "messages": CHAT},
    }
    if path.endswith(("/runs", "/runs/stream", "/runs/wait")):
        return QUICK
    if path.endswith("/crons") and method == "POST":
        return {**QUICK, "schedule": "0 0 1 1 *"}
    if path.endswith("/commands"):
        return {"id": 1, "method": "run.start", "params": QUICK}
    return sensible.get(f"{method} {path}")


@schemathesis.hook
def map_body(context, body):
    if isinstance(body, list):
        return [renamed(one) for one in body]
    return renamed(body)


@schemathesis.hook
def before_call(context, case, kwargs):
    """Every second request is about what is there, in all of its parts."""
    operation = context.operation
    if case.method.upper() != operation.method.upper() or not is_turn(context):
        return
    if case.path_parameters:
        there = made(context)
        case.path_parameters = {name: there.get(name, value) for name, value in case.path_parameters.items()}
    if operation.path in QUERIES and case.method.upper() in ("GET", "POST"):
        case.query = QUERIES[operation.path]()
    body = meant(context) if operation.body else None
    if body is not None:
        case.body = body
        case.media_type = "application/octet-stream" if isinstance(body, bytes) else "application/json"


@schemathesis.hook
def after_call(context, case, response):
    """So that whoever runs this knows which operations were answered, and how."""
    with open(os.environ["DURU_ANSWERS"], "a", encoding="utf-8") as answers:
        print(case.method.upper(), case.operation.path, response.status_code, file=answers)
