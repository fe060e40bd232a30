"""The same for the whole product: it also has documents, tables and what people say of passages."""

import os
import urllib.parse
import urllib.request
import uuid

import hooks
from hooks import ask

# It needs no model, and ends at once.
hooks.SERVED[:] = ["analyst"]
hooks.MODELS[:] = ["analyst"]
hooks.CHAT[:] = [{"role": "user", "content": "최근 24시간 서비스별 에러 건수"}]
hooks.QUICK.update(assistant_id="analyst", input={"question": "최근 24시간 서비스별 에러 건수"})


def upload(path):
    """A file of its own; its id there."""
    name = f"{uuid.uuid4().hex}.md"
    text = f"# {name}\n\n제1조 보증금은 {uuid.uuid4().int % 1000}만원이다.\n"
    headers = {"x-api-key": os.environ["DURU_KEY"], "content-type": "application/octet-stream"}
    place = f"{os.environ['DURU_URL']}{path}?{urllib.parse.urlencode({'name': name})}"
    request = urllib.request.Request(place, text.encode(), headers, method="POST")
    urllib.request.urlopen(request, timeout=60).close()
    documents = ask("GET", path)["documents"]
    return next(one["id"] for one in documents if one["source"].endswith(name))


def document():
    return {"id": upload("/documents")}


def passage():
    return ask("GET", f"/documents/{urllib.parse.quote(document()['id'], safe='')}")["passages"][0]["id"]


def remark():
    said = ask("POST", "/documents/feedback", {"chunk": passage(), "verdict": "note", "text": "맞다"})
    return {"id": said["id"]}


def attached():
    thread = ask("POST", "/threads", {})["thread_id"]
    return {"thread_id": thread, "id": upload(f"/threads/{thread}/documents")}


def table():
    one = ask("GET", "/tables")["sources"][0]["tables"][0]
    shown = ask("GET", f"/tables/{one['name']}")
    return {"table": one["name"], "column": shown["columns"][0]["name"]}


hooks.MAKERS[:0] = [
    ("/documents/remarks/", remark),
    ("/documents/", document),
    ("/tables/", table),
    ("/threads/{thread_id}/documents", attached),
]


def meant(context):
    """A body that makes sense to an operation beyond its shape; none where any does."""
    path = context.operation.path
    if path == "/query":
        return {"question": hooks.CHAT[0]["content"]}
    if path == "/documents/feedback":
        return {"chunk": passage(), "verdict": "good"}
    if path.startswith("/documents/remarks/"):
        return {}
    if path == "/logs/ingest":
        return [{"timestamp": "2026-03-18T05:30:00Z", "level": "ERROR", "service": "payment", "message": "timeout"}]
    if path.endswith("/documents"):
        return "# 제목\n\n제1조 보증금은 3만원이다.\n".encode()
    return asked(context)


asked, hooks.meant = hooks.meant, meant
hooks.QUERIES.update(
    {
        "/documents": lambda: {"name": "note.md"},
        "/documents/passage": lambda: {"id": passage()},
        "/tables/{table}": lambda: {},
        "/threads/{thread_id}/documents": lambda: {"name": "note.md"},
    }
)
