"""What every check shares: the registry, the clients, and a reader of raw SSE bytes."""

from __future__ import annotations

import json
import re
import socket
import threading
import time
import uuid
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Callable, Iterator

import httpx
from langgraph_sdk import get_sync_client

GRAPHS = ["agent", "three", "hitl", "slow", "fail", "parent"]
ASSISTANT_NAMESPACE = uuid.UUID("6ba7b821-9dad-11d1-80b4-00c04fd430c8")
UNKNOWN = "00000000-0000-4000-8000-00000000ffff"
STAMP = re.compile(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(\+00:00|Z)$")
EVENT_ID = re.compile(r"^\d+-\d+$")
INTERRUPT_ID = re.compile(r"^[0-9a-f]{32}$")


class Skip(Exception):
    """Raised by a check that does not apply here."""


@dataclass
class Check:
    name: str
    run: Callable[["Ctx"], None]
    priority: str
    alone: bool
    slow: bool


CHECKS: list[Check] = []


def check(priority: str = "M", alone: bool = False, slow: bool = False):
    """Register a check. `alone`: it touches what other checks can see, so none runs beside it.
    `slow`: it takes a minute or so, and is run only when asked for."""

    def add(fn):
        CHECKS.append(Check(fn.__name__, fn, priority, alone, slow))
        return fn

    return add


def assistant_id(graph: str) -> str:
    return str(uuid.uuid5(ASSISTANT_NAMESPACE, graph))


@dataclass
class Frame:
    """One SSE frame, with the field lines in the order they came."""

    fields: list[tuple[str, str]] = field(default_factory=list)
    raw: bytes = b""
    at: float = 0.0

    def get(self, name: str) -> str | None:
        return next((v for k, v in self.fields if k == name), None)

    @property
    def event(self) -> str | None:
        return self.get("event")

    @property
    def id(self) -> str | None:
        return self.get("id")

    @property
    def comment(self) -> str | None:
        return self.get("")

    @property
    def json(self) -> Any:
        return json.loads(self.get("data") or "null")

    @property
    def pair(self) -> tuple[str | None, Any]:
        return (self.event, self.json)


def frames(response: httpx.Response, comments: bool = False) -> Iterator[Frame]:
    """The frames of a streamed response. A closing `end` event is allowed and left out."""
    buffer = b""
    ended = False
    for chunk in response.iter_raw():
        buffer += chunk
        while True:
            m = re.search(rb"\r\n\r\n|\n\n", buffer)
            if not m:
                break
            raw, buffer = buffer[: m.end()], buffer[m.end() :]
            frame = Frame(raw=raw, at=time.monotonic())
            for line in re.split(r"\r\n|\n|\r", raw.decode()):  # and at nothing else: JSON may hold U+2028
                if not line:
                    continue
                name, _, value = line.partition(":")
                frame.fields.append((name, value[1:] if value.startswith(" ") else value))
            if not frame.fields:
                continue
            if frame.comment is not None and frame.event is None:
                if comments:
                    yield frame
                continue
            assert not ended, f"a frame after the end event: {raw!r}"
            if frame.event == "end":
                ended = True
                continue
            yield frame


class Ctx:
    def __init__(self, url: str, reference: bool):
        self.url = url.rstrip("/")
        self.reference = reference
        self.local = threading.local()

    @property
    def http(self) -> httpx.Client:
        if not hasattr(self.local, "http"):
            self.local.http = httpx.Client(base_url=self.url, timeout=60)
        return self.local.http

    @property
    def sdk(self):
        if not hasattr(self.local, "sdk"):
            self.local.sdk = get_sync_client(url=self.url, api_key=None)
        return self.local.sdk

    def thread(self, **kw) -> str:
        return self.sdk.threads.create(**kw)["thread_id"]

    @contextmanager
    def sse(self, method: str, path: str, body: Any = None, headers: dict | None = None, **kw):
        h = {"accept": "text/event-stream", **(headers or {})}
        if body is not None:
            kw["json"] = body
        with self.http.stream(method, path, headers=h, **kw) as r:
            if r.status_code != 200:
                r.read()
                raise AssertionError(f"{method} {path}: {r.status_code} {r.text[:300]}")
            yield r

    def stream(self, graph: str, body: dict, thread: str | None = None) -> list[Frame]:
        path = f"/threads/{thread}/runs/stream" if thread else "/runs/stream"
        with self.sse("POST", path, {"assistant_id": graph, **body}) as r:
            return list(frames(r))

    def replay(self, thread: str, run: str, last: str | None, **params) -> list[Frame]:
        h = {} if last is None else {"last-event-id": last}
        with self.sse("GET", f"/threads/{thread}/runs/{run}/stream", headers=h, params=params) as r:
            return list(frames(r))

    def started(self, thread: str, run: str) -> None:
        """Wait until a run is running, not only accepted."""
        self.until(lambda: self.sdk.runs.get(thread, run)["status"] != "pending", "the run starts")

    def writing(self, thread: str, run: str, key: str = "n") -> None:
        """Wait until a run has stored its input in the thread's state."""
        self.until(lambda: self.sdk.threads.get_state(thread)["values"].get(key), "the input is stored")

    def until(self, test: Callable[[], Any], what: str, seconds: float = 60.0) -> Any:
        end = time.monotonic() + seconds
        while True:
            got = test()
            if got:
                return got
            assert time.monotonic() < end, f"not within {seconds:g} s: {what}"
            time.sleep(0.1)


class CuttingProxy:
    """A TCP proxy that breaks an event stream once it has let a few frames through, `cuts` times in all."""

    def __init__(self, url: str, cuts: int, after: int = 4):
        self.to = httpx.URL(url)
        self.cuts, self.after = cuts, after

    def __enter__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.listener.close()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            server = socket.create_connection((self.to.host, self.to.port))
            threading.Thread(target=self.pump, args=(client, server, False), daemon=True).start()
            threading.Thread(target=self.pump, args=(server, client, True), daemon=True).start()

    def pump(self, a, b, answers):
        frames = 0
        try:
            while data := a.recv(65536):
                b.sendall(data)
                frames += len(re.findall(rb"event: ", data)) if answers else 0
                if frames >= self.after and self.cuts:
                    self.cuts -= 1
                    break
        except OSError:
            pass
        for s in (a, b):
            try:
                s.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


def eq(got: Any, want: Any, what: str = "") -> None:
    assert got == want, f"{what + ': ' if what else ''}got {short(got)}, want {short(want)}"


def has(value: Any, *keys: str) -> None:
    missing = [k for k in keys if k not in value]
    assert not missing, f"no {', '.join(missing)} in {short(value)}"


def short(value: Any, n: int = 400) -> str:
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= n else text[:n] + "…"


def refused(r: httpx.Response, code: int, detail: str | None = None) -> None:
    """An error answer: its code, and the shape all of them share."""
    assert r.status_code == code, f"{r.request.method} {r.request.url.path}: {r.status_code}, want {code}: {r.text[:300]}"
    body = r.json()
    assert isinstance(body, dict) and isinstance(body.get("detail"), str), f"no detail string: {r.text[:300]}"
    if detail is not None:
        assert detail in body["detail"], f"detail {body['detail']!r}, want {detail!r} in it"


def ok(r: httpx.Response, code: int = 200) -> Any:
    assert r.status_code == code, f"{r.request.method} {r.request.url.path}: {r.status_code}, want {code}: {r.text[:300]}"
    return r.json() if code not in (202, 204) and r.content.strip() else None


def is_uuid(value: str, version: int | None = None) -> None:
    u = uuid.UUID(value)
    assert version is None or u.version == version, f"{value} is of version {u.version}, want {version}"
