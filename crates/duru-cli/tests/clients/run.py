"""The agents' own interfaces, by clients that nobody here wrote. One line per check."""

import asyncio
import json
import urllib.error
import urllib.request

import openai
import websockets
from mcp import Client

from held import check, run

ANSWER = {"sql", "results", "count", "displayed", "truncated", "execution_time_ms", "insight", "conversation_id"}
FAILURE = {"error", "sql", "results", "count", "execution_time_ms", "insight"}


def send(url, path, body=None, method="POST", **headers):
    data = body if isinstance(body, (bytes, type(None))) else json.dumps(body).encode()
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    headers.setdefault("content-type", "application/json")
    request = urllib.request.Request(url + path, data=data, method=method, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


async def ask(url, **body):
    status, text = await asyncio.to_thread(send, url, "/query", body)
    return status, json.loads(text)


async def until(socket, *kinds):
    frames = []
    while True:
        frame = json.loads(await asyncio.wait_for(socket.recv(), 60))
        assert {"type", "thread_id", "seq", "ts"} <= frame.keys(), frame
        frames.append(frame)
        if frame["type"] in kinds:
            return frames


def connect(url, query=""):
    return websockets.connect(url.replace("http", "ws") + "/ws/query" + query)


@check
async def query_has_every_field(url):
    status, answer = await ask(url, question="서비스별 에러 건수", max_results=3)
    assert status == 200 and ANSWER <= answer.keys(), (status, answer)
    assert answer["displayed"] == len(answer["results"]) <= 3 and answer["count"] >= answer["displayed"], answer
    assert "SELECT" in answer["sql"].upper() and answer["insight"], answer


@check
async def query_failures_have_their_shape(url):
    for body, wanted in [
        (dict(question="DROP TABLE logs"), 422), (dict(question="  "), 422), (dict(), 422),
        (dict(question="에러", max_results=0), 422), (dict(question="에러", conversation_id="x"), 422),
        (dict(sql="SELECT * FROM pg_user"), 422),
        (dict(question="에러", time_range_structured={"type": "relative", "relative": {"value": 9999, "unit": "h"}}), 422),
    ]:
        status, answer = await ask(url, **body)
        assert status == wanted and FAILURE <= answer.keys(), (body, status, answer)
        assert answer["error"] and answer["results"] == [] and answer["count"] == 0, answer
        assert answer["insight"] is None, answer
    status, text = await asyncio.to_thread(send, url, "/query", b"{")
    assert status == 422 and FAILURE <= json.loads(text).keys(), (status, text)


@check
async def query_asks_back_and_goes_on_with_the_answer(url):
    status, asked = await ask(url, question="조금 전 에러 로그 보여줘")
    assert status == 200 and asked["clarifications"] and ANSWER <= asked.keys(), (status, asked)
    for _ in range(2):
        answers = {one["field"]: one["options"][0] for one in asked["clarifications"]}
        status, asked = await ask(url, conversation_id=asked["conversation_id"], clarification_answers=answers)
        assert status == 200, (status, asked)
        if "clarifications" not in asked:
            break
    assert asked["sql"] and "clarifications" not in asked, asked


@check
async def query_leans_on_what_was_said_before(url):
    _, services = await ask(url, question="서비스별 에러 건수")
    service = services["results"][0]["service"]
    _, first = await ask(url, question=f"{service} 에러 건수")
    status, then = await ask(url, question="그 서비스의 최근 1시간 로그는?", conversation_id=first["conversation_id"])
    assert status == 200 and service in (then["sql"] or ""), then
    assert then["conversation_id"] == first["conversation_id"]


@check
async def query_streams(url):
    status, text = await asyncio.to_thread(
        send, url, "/query", {"question": "서비스별 에러 건수"}, accept="text/event-stream")
    names = [line[7:].strip() for line in text.splitlines() if line.startswith("event: ")]
    assert status == 200 and names[-1] == "complete", (status, text)
    assert {"progress", "node_start", "node_end", "token", "context_resolved", "filters_extracted"} <= set(names), names


@check
async def ws_tells_how_it_goes(url):
    async with connect(url) as socket:
        await socket.send(json.dumps({"type": "query", "question": "서비스별 에러 건수"}))
        frames = await until(socket, "complete", "error")
    kinds = [frame["type"] for frame in frames]
    assert kinds[-1] == "complete" and ANSWER - {"conversation_id"} <= frames[-1].keys(), frames[-1]
    for kind in ["node_start", "node_end", "context_resolved", "filters_extracted", "clarification_skipped"]:
        assert kind in kinds, (kind, kinds)
    tokens = {frame["field"]: frame["text"] for frame in frames if frame["type"] == "token"}
    assert tokens["sql"] == frames[-1]["sql"] and tokens["insight"] == frames[-1]["insight"], tokens
    progress = [frame["progress"] for frame in frames if "progress" in frame]
    assert progress[0] == 0 and progress[-1] == 100 and progress == sorted(progress), progress
    numbers = [frame["seq"] for frame in frames]
    assert numbers == sorted(set(numbers)), numbers
    starts = [frame["node"] for frame in frames if frame["type"] == "node_start"]
    ends = [frame["node"] for frame in frames if frame["type"] == "node_end"]
    assert starts == ends and starts[-1] == "generate_insight", (starts, ends)
    assert "decision" not in kinds


@check
async def ws_shows_decisions_when_debugging(url):
    async with connect(url, "?debug=1") as socket:
        await socket.send(json.dumps({"question": "서비스별 에러 건수"}))
        frames = await until(socket, "complete", "error")
    decided = [frame for frame in frames if frame["type"] == "decision"]
    assert decided and all(frame["by"] == "rule" for frame in decided), decided


@check
async def ws_asks_back_and_resumes(url):
    async with connect(url) as socket:
        await socket.send(json.dumps({"type": "query", "question": "조금 전 에러 로그 보여줘"}))
        frames = await until(socket, "clarification_needed")
        asked = frames[-1]
        assert asked["interrupt_id"] and asked["clarifications"], asked
    # The client goes away and comes back elsewhere, with the last number.
    async with connect(url, f"?conversation_id={asked['thread_id']}&after={asked['seq']}") as socket:
        for _ in range(2):
            answers = {one["field"]: one["options"][0] for one in asked["clarifications"]}
            await socket.send(json.dumps({"type": "clarification", "interrupt_id": asked["interrupt_id"], "answers": answers}))
            frames = await until(socket, "complete", "error", "clarification_needed")
            asked = frames[-1]
            if asked["type"] != "clarification_needed":
                break
    assert asked["type"] == "complete" and asked["sql"], asked


@check
async def ws_errors_are_told(url):
    async with connect(url) as socket:
        await socket.send(json.dumps({"type": "query", "question": "DROP TABLE logs"}))
        frame = (await until(socket, "complete", "error"))[-1]
        assert frame["type"] == "error" and FAILURE <= frame.keys(), frame
        await socket.send(json.dumps({"type": "query", "question": ""}))
        assert (await until(socket, "error"))[-1]["code"] == "bad_query"
        await socket.send(json.dumps({"type": "cancel"}))
        assert (await until(socket, "error"))[-1]["code"] == "nothing_runs"


@check
async def openai_and_mcp_know_the_analyst(url):
    client = openai.AsyncOpenAI(base_url=f"{url}/v1", api_key="none", max_retries=0)
    done = await client.chat.completions.create(
        model="analyst", messages=[{"role": "user", "content": "서비스별 에러 건수"}])
    assert done.choices[0].message.content, done
    async with Client(f"{url}/mcp") as mcp:
        tools = {tool.name: tool for tool in (await mcp.list_tools()).tools}
        assert {"analyst", "researcher"} <= set(tools), tools
        for tool in tools.values():
            assert tool.input_schema["required"] == ["question"], tool
            assert tool.input_schema["properties"]["question"]["type"] == "string", tool
        result = await mcp.call_tool("analyst", {"question": "서비스별 에러 건수"})
        assert not result.is_error and result.content[0].text, result


@check
async def documents_are_taken_in_found_and_judged(url):
    text = "# 고양이 등록 규정\n\n## 제1조\n\n고양이는 태어난 지 두 달 안에 구청에 등록한다.\n\n## 제2조\n\n수수료는 만 원이다.\n"
    form = "\r\n".join([
        "--x", 'content-disposition: form-data; name="collection"', "", "pets",
        "--x", 'content-disposition: form-data; name="file"; filename="../cats.md"', "", text, "--x--", ""])
    status, report = await asyncio.to_thread(
        send, url, "/documents", form.encode(), content_type="multipart/form-data; boundary=x")
    assert status == 200 and json.loads(report)["added"] == 1, (status, report)
    status, listed = await asyncio.to_thread(send, url, "/documents?collection=pets", None, "GET")
    listed = json.loads(listed)
    assert [one["name"] for one in listed["collections"]] == ["pets"], listed
    status, found = await asyncio.to_thread(
        send, url, "/documents/search", {"question": "고양이 등록 수수료", "collection": "pets"})
    hits = json.loads(found)["hits"]
    assert hits and hits[0]["why"], found
    chunk = hits[0]["passage"]["id"]
    status, _ = await asyncio.to_thread(
        send, url, "/documents/feedback", {"chunk": chunk, "verdict": "good", "text": "맞다"})
    assert status == 200
    quoted = urllib.request.quote(chunk, safe="")
    status, shown = await asyncio.to_thread(send, url, f"/documents/passage?id={quoted}", None, "GET")
    assert json.loads(shown)["remarks"][0]["verdict"] == "good", shown
    for name, body in [("x.exe", b"MZ"), ("..", b"a"), ("con.txt", b"a")]:
        status, _ = await asyncio.to_thread(
            send, url, f"/documents?name={name}", body, content_type="application/octet-stream")
        assert status == 422, (name, status)
    gone = listed["documents"][0]["id"]
    assert (await asyncio.to_thread(send, url, f"/documents/{gone}", None, "DELETE"))[0] == 200
    assert (await asyncio.to_thread(send, url, f"/documents/{gone}", None, "DELETE"))[0] == 404


def fetch(address):
    try:
        with urllib.request.urlopen(address, timeout=60) as answer:
            return answer.status, answer.headers["content-type"], answer.read()
    except urllib.error.HTTPError as error:
        return error.code, None, b""


@check
async def a_lease_is_confirmed_downloaded_and_forgotten_with_what_is_remembered(url):
    status, text = await asyncio.to_thread(send, url, "/memory", None, "GET")
    assert (status, json.loads(text)) == (200, {"memories": []}), text
    assert (await asyncio.to_thread(send, url, "/memory/nothing", None, "DELETE"))[0] == 404
    _, made = await asyncio.to_thread(send, url, "/threads", {})
    thread = json.loads(made)["thread_id"]
    async with websockets.connect(url.replace("http", "ws") + f"/ws/{thread}") as socket:
        await socket.send(json.dumps({"type": "query", "text": "보증금 3억 전세계약서 초안 만들어줘. 마포구 연남동 집이야"}))
        for names in [{"tenant.name": "이영희"}, {}]:
            asked = (await until(socket, "draft_review_required", "error"))[-1]
            assert asked["type"] == "draft_review_required", asked
            answer = {"value": "save" if names else "confirm", "fields": names}
            await socket.send(json.dumps(
                {"type": "interrupt_response", "interrupt_id": asked["interrupt_id"], "value": answer}))
        end = (await until(socket, "final_response", "error"))[-1]
    document = end["answer"]["documents"][0]
    status, kind, body = await asyncio.to_thread(fetch, url + document["address"])
    assert status == 200 and body.startswith(b"PK") and len(body) == document["size"], (status, document)
    assert kind.endswith("wordprocessingml.document"), kind
    assert (await asyncio.to_thread(fetch, url + "/drafts/0123"))[0] == 404
    for _ in range(100):
        _, text = await asyncio.to_thread(send, url, "/memory", None, "GET")
        # The place, the deal, and the exchange itself.
        if len(json.loads(text)["memories"]) == 3:
            break
        await asyncio.sleep(0.05)
    status, text = await asyncio.to_thread(send, url, "/memory", None, "DELETE")
    assert (status, json.loads(text)["forgotten"]) == (200, 4), text
    assert (await asyncio.to_thread(fetch, url + document["address"]))[0] == 404


run()
