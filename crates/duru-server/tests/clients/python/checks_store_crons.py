"""The store and the crons."""

import uuid

import httpx

from harness import STAMP, UNKNOWN, Ctx, assistant_id, check, eq, has, is_uuid, ok, refused


@check("S")
def store_put_get_delete(c: Ctx):
    ns = ["conf", uuid.uuid4().hex]
    ok(c.http.put("/store/items", json={"namespace": ns, "key": "k", "value": {"v": 1}}), 204)
    r = c.http.get("/store/items", params={"namespace": ".".join(ns), "key": "k"})
    item = ok(r)
    eq((item["namespace"], item["key"], item["value"]), (ns, "k", {"v": 1}))
    assert STAMP.match(item["created_at"]) and STAMP.match(item["updated_at"])
    c.sdk.store.put_item(ns, "k", {"v": 2})
    eq(c.sdk.store.get_item(ns, "k")["value"], {"v": 2})
    for _ in range(2):
        r = c.http.request("DELETE", "/store/items", json={"namespace": ns, "key": "k"})
        eq(r.status_code, 204, "deleting twice is no fault")
    r = c.http.get("/store/items", params={"namespace": ".".join(ns), "key": "k"})
    eq((r.status_code, r.json()), (200, None), "a missing key is null, not 404")


@check("S")
def store_refuses_an_empty_namespace(c: Ctx):
    refused(c.http.put("/store/items", json={"namespace": [], "key": "k", "value": {}}), 400, "amespace")
    refused(c.http.put("/store/items", json={"namespace": ["a"], "value": {}}), 422)


@check("S")
def store_search(c: Ctx):
    root = uuid.uuid4().hex
    for i in range(3):
        c.sdk.store.put_item([root, "a"], f"k{i}", {"v": i, "kind": "x" if i else "y"})
    c.sdk.store.put_item([root, "b", "c"], "deep", {"v": 9})
    all_ = c.sdk.store.search_items([root])["items"]
    eq(len(all_), 4)
    for item in all_:
        has(item, "namespace", "key", "value", "created_at", "updated_at", "score")
    eq([i["key"] for i in c.sdk.store.search_items([root], filter={"v": 1})["items"]], ["k1"])
    eq({i["key"] for i in c.sdk.store.search_items([root], filter={"kind": "x"})["items"]}, {"k1", "k2"})
    eq({i["key"] for i in c.sdk.store.search_items([root, "a"], filter={"v": {"$gte": 1}})["items"]}, {"k1", "k2"})
    one = c.sdk.store.search_items([root, "a"], limit=2)["items"]
    two = c.sdk.store.search_items([root, "a"], limit=2, offset=2)["items"]
    eq({i["key"] for i in one + two}, {"k0", "k1", "k2"})
    eq((len(one), len(two)), (2, 1))
    eq(c.sdk.store.search_items([root + "x"])["items"], [])


@check("C")
def store_namespaces(c: Ctx):
    root = uuid.uuid4().hex
    for ns in (["a", "x"], ["a", "y"], ["b", "x", "z"]):
        c.sdk.store.put_item([root, *ns], "k", {"v": 1})
    got = lambda **k: sorted(c.sdk.store.list_namespaces(prefix=[root], **k)["namespaces"])
    eq(got(), [[root, "a", "x"], [root, "a", "y"], [root, "b", "x", "z"]])
    eq(got(max_depth=2), [[root, "a"], [root, "b"]])
    eq(got(suffix=["x"]), [[root, "a", "x"]])


CRON = ("cron_id", "assistant_id", "thread_id", "schedule", "payload", "next_run_date", "enabled", "on_run_completed", "end_time", "metadata", "created_at", "updated_at")


@check("S")
def crons_create_update_delete(c: Ctx):
    cron = ok(c.http.post("/runs/crons", json={"assistant_id": "three", "schedule": "0 0 1 1 *", "input": {"x": 1}, "metadata": {"a": 1}}))
    cid = cron["cron_id"]
    try:
        has(cron, *CRON)
        is_uuid(cid)
        eq((cron["assistant_id"], cron["thread_id"], cron["schedule"], cron["enabled"]), (assistant_id("three"), None, "0 0 1 1 *", True))
        eq((cron["payload"]["input"], cron["metadata"], cron["on_run_completed"]), ({"x": 1}, {"a": 1}, "delete"))
        assert "-01-01T00:00:00" in cron["next_run_date"], cron["next_run_date"]
        eq(ok(c.http.get(f"/runs/crons/{cid}"))["cron_id"], cid)
        b = c.sdk.crons.update(cid, schedule="30 1 1 1 *", enabled=False)
        eq((b["schedule"], b["enabled"]), ("30 1 1 1 *", False))
        assert "-01-01T01:30:00" in b["next_run_date"], b["next_run_date"]
    finally:
        ok(c.http.delete(f"/runs/crons/{cid}"), 204)
    refused(c.http.delete(f"/runs/crons/{cid}"), 404)
    refused(c.http.patch(f"/runs/crons/{UNKNOWN}", json={"enabled": False}), 404)


@check("S")
def crons_for_a_thread(c: Ctx):
    t = c.thread()
    cron = c.sdk.crons.create_for_thread(t, "three", schedule="0 0 1 1 *", input={"x": 1})
    try:
        eq(cron["thread_id"], t)
        eq([x["cron_id"] for x in c.sdk.crons.search(thread_id=t)], [cron["cron_id"]])
        eq(c.sdk.crons.count(thread_id=t), 1)
        assert cron["cron_id"] in [x["cron_id"] for x in c.sdk.crons.search(assistant_id=assistant_id("three"), limit=100)]
    finally:
        c.sdk.crons.delete(cron["cron_id"])
    eq(c.sdk.crons.search(thread_id=t), [])
    refused(c.http.post(f"/threads/{UNKNOWN}/runs/crons", json={"assistant_id": "three", "schedule": "0 0 1 1 *"}), 404)


@check("S", slow=True)
def crons_run(c: Ctx):
    t = c.thread()
    cron = c.sdk.crons.create_for_thread(t, "three", schedule="* * * * *", input={"x": 1})
    try:
        (run,) = c.until(lambda: c.sdk.runs.list(t), "the minute comes", 90)
        eq(c.sdk.runs.join(t, run["run_id"])["x"], 4)
        eq(run["kwargs"]["config"]["configurable"]["cron_id"], cron["cron_id"])
        after = ok(c.http.get(f"/runs/crons/{cron['cron_id']}"))["next_run_date"]
        assert after > cron["next_run_date"], "the next date moves on"
    finally:
        c.sdk.crons.delete(cron["cron_id"])


@check("S")
def crons_refused(c: Ctx):
    refused(c.http.post("/runs/crons", json={"assistant_id": "three", "schedule": "nope"}), 422, "nope")
    for body in ({"schedule": "0 0 1 1 *"}, {"assistant_id": "three"}):
        r = httpx.post(f"{c.url}/runs/crons", json=body)  # a connection of its own: after a 500 it may be closed
        if c.reference:
            eq(r.status_code, 500)
        else:
            refused(r, 422)


@check("S")
def crons_search_pages(c: Ctx):
    t = c.thread()
    ids = [c.sdk.crons.create_for_thread(t, "three", schedule=f"{i} 0 1 1 *")["cron_id"] for i in range(3)]
    try:
        r = c.http.post("/runs/crons/search", json={"thread_id": t, "limit": 2})
        eq(len(ok(r)), 2)
        eq((r.headers["x-pagination-total"], r.headers["x-pagination-next"]), ("3", "2"))
    finally:
        for i in ids:
            c.sdk.crons.delete(i)


@check("S")
def crons_timezone(c: Ctx):
    cron = c.sdk.crons.create("three", schedule="0 0 1 1 *", timezone="Asia/Seoul")
    try:
        assert "-12-31T15:00:00" in cron["next_run_date"], cron["next_run_date"]
        eq(cron["timezone"], "Asia/Seoul")
    finally:
        c.sdk.crons.delete(cron["cron_id"])
