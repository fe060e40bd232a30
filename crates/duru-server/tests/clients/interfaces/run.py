"""The other ways to the graphs, by clients that nobody here wrote.

Prints one line per check, like the scripts beside it.
"""

import asyncio
import json
import urllib.error
import urllib.request
import uuid

import openai
import websockets
from mcp import Client, MCPError

from held import check, run


class Talk:
    """A WebSocket, frame by frame."""

    def __init__(self, url, thread=None, **asked):
        self.thread = thread or str(uuid.uuid4())
        query = "&".join(f"{name}={value}" for name, value in asked.items())
        self.address = f"{url.replace('http', 'ws')}/ws/{self.thread}?{query}"

    async def __aenter__(self):
        # All checks begin at once, and what they import is slow on a busy machine.
        self.socket = await websockets.connect(self.address, open_timeout=60)
        return self

    async def __aexit__(self, *_):
        await self.socket.close()

    async def say(self, **frame):
        await self.socket.send(json.dumps(frame))

    async def hear(self, patience=30):
        frame = json.loads(await asyncio.wait_for(self.socket.recv(), patience))
        assert {"type", "thread_id", "seq", "ts"} <= frame.keys(), frame
        return frame

    async def until(self, kind):
        frames = []
        while True:
            frame = await self.hear()
            frames.append(frame)
            if frame["type"] == kind:
                return frames


def kinds(frames):
    return [frame["type"] for frame in frames]


@check
async def ws_tells_a_run_in_order(url):
    async with Talk(url) as talk:
        await talk.say(type="query", text="one two", interactive=False)
        frames = await talk.until("run_end")
    assert kinds(frames) == [
        "run_start", "planning_start", "plan_ready", "todo_updated", "todo_updated",
        "token", "token", "final_response", "run_end",
    ], kinds(frames)
    assert "".join(frame["text"] for frame in frames if frame["type"] == "token") == "one two"
    assert frames[-1]["status"] == "done", frames[-1]
    numbers = [frame["seq"] for frame in frames]
    assert numbers == sorted(set(numbers)), numbers
    assert {frame["thread_id"] for frame in frames} == {talk.thread}


@check
async def ws_question_is_answered_by_its_id_and_only_once(url):
    async with Talk(url) as talk:
        await talk.say(type="query", text="sure?")
        frames = await talk.until("run_end")
        asked = [frame for frame in frames if frame["type"] == "user_confirmation_required"]
        assert len(asked) == 1 and frames[-1]["status"] == "waiting", frames
        await talk.say(type="interrupt_response", interrupt_id="0" * 32, value="x")
        assert (await talk.hear())["code"] == "nothing_asked"
        await talk.say(type="interrupt_response", interrupt_id=asked[0]["interrupt_id"], value="yes")
        frames = await talk.until("run_end")
        final = [frame for frame in frames if frame["type"] == "final_response"][0]
        assert final["done"][0] == 'confirmed "yes"', final
        await talk.say(type="interrupt_response", interrupt_id=asked[0]["interrupt_id"], value="again")
        assert (await talk.hear())["code"] == "nothing_asked"


@check
async def ws_edited_arguments_are_an_answer(url):
    async with Talk(url) as talk:
        await talk.say(type="query", text="sure?")
        frames = await talk.until("run_end")
        asked = [frame for frame in frames if "interrupt_id" in frame][0]
        await talk.say(type="interrupt_response", interrupt_id=asked["interrupt_id"], arguments={"n": 1})
        frames = await talk.until("run_end")
        final = [frame for frame in frames if frame["type"] == "final_response"][0]
        assert final["done"][0] == 'confirmed {"arguments":{"n":1}}', final


@check
async def ws_who_comes_back_gets_exactly_the_rest(url):
    async with Talk(url) as talk:
        await talk.say(type="query", text="a b wait:300 c d", interactive=False)
        seen = [await talk.hear() for _ in range(4)]
    async with Talk(url, talk.thread, after=seen[-1]["seq"]) as again:
        rest = await again.until("run_end")
    async with Talk(url, talk.thread, after=0) as all_of_it:
        # The first event of a thread has the number 0.
        whole = await all_of_it.until("run_end")
    assert seen[1:] + rest == whole, (seen, rest, whole)


@check
async def ws_who_comes_without_a_number_sees_the_run_that_waits(url):
    async with Talk(url) as talk:
        await talk.say(type="query", text="first", interactive=False)
        await talk.until("run_end")
        await talk.say(type="query", text="sure?")
        await talk.until("run_end")
    async with Talk(url, talk.thread) as again:
        frames = await again.until("run_end")
        assert [f["query"] for f in frames if f["type"] == "planning_start"] == ["sure?"], frames
        assert "user_confirmation_required" in kinds(frames)


@check
async def ws_two_see_the_same(url):
    async with Talk(url) as talk, Talk(url, talk.thread) as other:
        # It may be over before the other one hears that there is a thread.
        for text in ["x", "wait:700 y"]:
            await talk.say(type="query", text=text, interactive=False)
            assert await talk.until("run_end") == await other.until("run_end")


@check
async def ws_cancel_stops_the_run(url):
    async with Talk(url) as talk:
        await talk.say(type="query", text="wait:20000", interactive=False)
        await talk.until("plan_ready")
        await talk.say(type="cancel")
        frames = await talk.until("run_end")
        assert frames[-1]["status"] == "cancelled", frames
        # The queue hears of the end a moment later than whoever watches.
        for _ in range(20):
            await talk.say(type="cancel")
            try:
                assert (await talk.hear(patience=1))["code"] == "nothing_runs"
                break
            except asyncio.TimeoutError:
                continue
        else:
            raise AssertionError("a run that was stopped is still there")


@check
async def ws_todo_skip_skips_a_step_that_has_not_begun(url):
    async with Talk(url) as talk:
        await talk.say(type="query", text="wait:3000 later", interactive=False)
        await talk.until("plan_ready")
        await talk.say(type="todo_skip", step_id="later")
        frames = await talk.until("run_end")
        status = {f["step_id"]: f["status"] for f in frames if f["type"] == "todo_updated"}
        assert status == {"wait:3000": "completed", "later": "skipped"}, status
        await talk.say(type="todo_skip")
        assert (await talk.hear())["code"] == "invalid"


@check
async def ws_a_failed_run_is_told(url):
    async with Talk(url) as talk:
        await talk.say(type="query", text="fail", interactive=False)
        frames = await talk.until("error")
        assert frames[-1]["code"] == "run_failed" and "told to fail" in frames[-1]["message"], frames[-1]
        # The conversation goes on.
        await talk.say(type="query", text="fine", interactive=False)
        assert (await talk.until("run_end"))[-1]["status"] == "done"


@check
async def ws_frames_that_make_no_sense_are_told_in_both_languages(url):
    for lang, words in [("ko", "프레임"), ("en", "frame")]:
        async with Talk(url, lang=lang) as talk:
            for text in ["no json", "[1]", '{"type": 7}', b"bytes"]:
                await talk.socket.send(text)
                frame = await talk.hear()
                assert frame["code"] == "bad_frame" and words in frame["message"], frame
                assert frame["what_to_do"] and frame["seq"] is None, frame
            await talk.say(type="cancel")
            assert (await talk.hear())["code"] == "no_thread"
            await talk.say(type="query", text=" ")
            assert (await talk.hear())["code"] == "bad_query"
            await talk.say(type="query", text="x", interactive=False)
            await talk.until("run_end")
            await talk.say(type="dance")
            assert (await talk.hear())["code"] == "unknown_type"


@check
async def ws_a_thread_that_is_no_uuid_is_refused(url):
    try:
        async with Talk(url, thread="nonsense"):
            raise AssertionError("it was let in")
    except websockets.exceptions.InvalidStatus as refused:
        assert refused.response.status_code == 422, refused


@check
async def ws_a_frame_that_is_too_large_ends_the_connection(url):
    async with Talk(url, lang="en") as talk:
        await talk.say(type="query", text="x" * (2 << 20))
        told = await talk.hear()
        assert told["code"] == "too_large" and "1 MB" in told["what_to_do"], told
        try:
            await talk.hear()
            raise AssertionError("it was taken")
        except websockets.exceptions.ConnectionClosed as closed:
            assert closed.rcvd.code == 1009, closed
    async with Talk(url) as talk:
        try:
            # The server may have gone while it is still being sent.
            await talk.say(type="query", text="x" * (6 << 20))
            await talk.hear()
            raise AssertionError("it was taken")
        except websockets.exceptions.ConnectionClosed:
            pass


def model(url):
    return openai.AsyncOpenAI(base_url=f"{url}/v1", api_key="none", max_retries=0)


@check
async def openai_models_are_the_graphs(url):
    listed = {found.id async for found in await model(url).models.list()}
    assert {"agent", "guide", "three", "hitl"} <= listed, listed
    assert (await model(url).models.retrieve("agent")).id == "agent"


@check
async def openai_completes(url):
    done = await model(url).chat.completions.create(
        model="agent", messages=[{"role": "user", "content": "hi"}], temperature=1, user="kim", metadata={"a": "b"})
    choice = done.choices[0]
    assert choice.message.content == "Hello from fake" and choice.finish_reason == "stop", done
    assert (done.usage.prompt_tokens, done.usage.completion_tokens, done.usage.total_tokens) == (3, 3, 6)
    assert done.model == "agent" and done.object == "chat.completion"


@check
async def openai_streams_pieces(url):
    stream = await model(url).chat.completions.create(
        model="agent", messages=[{"role": "user", "content": [{"type": "text", "text": "hi"}]}],
        stream=True, stream_options={"include_usage": True})
    chunks = [chunk async for chunk in stream]
    pieces = [chunk.choices[0].delta.content for chunk in chunks if chunk.choices]
    assert [piece for piece in pieces if piece] == ["Hel", "lo ", "from fake"], pieces
    assert chunks[0].choices[0].delta.role == "assistant"
    assert [c.choices[0].finish_reason for c in chunks if c.choices][-1] == "stop"
    assert chunks[-1].usage.total_tokens == 6 and chunks[-1].choices == []


@check
async def openai_streams_the_whole_answer_of_a_graph_that_has_no_pieces(url):
    stream = await model(url).chat.completions.create(
        model="hitl", messages=[{"role": "user", "content": "deploy"}], stream=True)
    text = "".join([chunk.choices[0].delta.content or "" async for chunk in stream])
    # A question is the answer, where nobody can be asked.
    assert text == "approve?", text


@check
async def openai_answers_end_where_they_are_told_to(url):
    hi = [{"role": "user", "content": "one two three four"}]
    ask = model(url).chat.completions.create
    for stop, wanted in [(" three", "one two"), (["nowhere", "o t"], "one tw"), ("four!", "one two three four")]:
        done = await ask(model="guide", messages=hi, stop=stop)
        assert done.choices[0].message.content == wanted and done.choices[0].finish_reason == "stop", (stop, done)
        pieces, usage = [], None
        stream = await ask(model="guide", messages=hi, stop=stop, stream=True, stream_options={"include_usage": True})
        async for chunk in stream:
            usage = chunk.usage or usage
            pieces += [choice.delta.content or "" for choice in chunk.choices]
        assert "".join(pieces) == wanted and usage is not None, (stop, pieces)
    for wrong in ["", ["a", ""], list("abcde")]:
        try:
            await ask(model="guide", messages=hi, stop=wrong)
            raise AssertionError(f"it was taken: {wrong}")
        except openai.BadRequestError as error:
            assert error.param == "stop", error.body


@check
async def openai_nobody_is_asked(url):
    done = await model(url).chat.completions.create(
        model="guide", messages=[{"role": "user", "content": "sure?"}])
    assert done.choices[0].message.content == "sure?", done


@check
async def openai_errors_have_their_shape(url):
    ask = model(url).chat.completions.create
    hi = [{"role": "user", "content": "hi"}]
    try:
        await ask(model="nobody", messages=hi)
        raise AssertionError("an unknown model answered")
    except openai.NotFoundError as error:
        assert error.code == "model_not_found", error.body
    for wrong in [dict(messages=[]), dict(messages=hi, n=2), dict(messages=hi, response_format={"type": "json_object"}),
                  dict(messages=hi, tools=[{"type": "function", "function": {"name": "f", "parameters": {}}}]),
                  dict(messages=hi, temperature=0.2), dict(messages=hi, top_p=0.5), dict(messages=hi, seed=1),
                  dict(messages=hi, max_tokens=10), dict(messages=hi, max_completion_tokens=10),
                  dict(messages=hi, logprobs=True), dict(messages=hi, presence_penalty=1), dict(messages=hi, store=True),
                  dict(messages=hi, reasoning_effort="low"), dict(messages=hi, logit_bias={"1": 1}),
                  dict(messages=hi, extra_body={"temprature": 1})]:
        try:
            await ask(model="agent", **wrong)
            raise AssertionError(f"it was taken: {wrong}")
        except openai.BadRequestError as error:
            assert error.type == "invalid_request_error" and error.param, error.body
    try:
        await ask(model="guide", messages=[{"role": "user", "content": "fail"}])
        raise AssertionError("a failed run answered")
    except openai.InternalServerError as error:
        assert "told to fail" in error.message, error.body
    try:
        stream = await ask(model="guide", messages=[{"role": "user", "content": "fail"}], stream=True)
        async for _ in stream:
            pass
        raise AssertionError("a failed run answered")
    except openai.APIError as error:
        assert "told to fail" in error.message, error.body


@check
async def mcp_lists_graphs_as_tools(url):
    async with Client(f"{url}/mcp") as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert set(tools) == {"guide", "three", "fail", "hitl"}, tools
    schema = tools["guide"].input_schema
    assert schema["type"] == "object" and set(schema["properties"]) == {"question"}, schema
    assert schema["required"] == ["question"], schema
    assert tools["guide"].description


@check
async def mcp_calls_a_tool(url):
    async with Client(f"{url}/mcp") as client:
        result = await client.call_tool("guide", {"question": "one two?"})
        assert not result.is_error and result.content[0].text == "one two?", result
        result = await client.call_tool("three", {"x": 1})
        assert json.loads(result.content[0].text)["x"] == 4, result
        result = await client.call_tool("hitl", {"q": "deploy"})
        assert result.content[0].text == "approve?", result


@check
async def mcp_a_failed_run_is_an_error_of_the_tool(url):
    async with Client(f"{url}/mcp") as client:
        result = await client.call_tool("fail", {"x": 1})
        assert result.is_error and "kaboom" in result.content[0].text, result


@check
async def mcp_wrong_calls_are_refused(url):
    async with Client(f"{url}/mcp") as client:
        for name, arguments in [("nobody", {}), ("three", {"x": "no number"}), ("guide", {}), ("guide", {"query": "one"})]:
            try:
                result = await client.call_tool(name, arguments)
                raise AssertionError(f"{name} was called: {result}")
            except MCPError as error:
                assert error.error.code == -32602, error.error


def post(url, path, body, **headers):
    headers = {"content-type": "application/json", **{name.replace("_", "-"): text for name, text in headers.items()}}
    request = urllib.request.Request(url + path, data=body, method="POST", headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, json.loads(answer.read() or b"null")
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read() or b"null")


@check
async def openai_and_mcp_refuse_in_their_own_shapes(url):
    many = b"[" + b"1," * 300_000 + b"1]"
    for path, body, wanted in [
        ("/v1/chat/completions", b"{", 400), ("/v1/chat/completions", b"{}", 400), ("/v1/chat/completions", many, 413),
        ("/v1/nothing/here", b"{}", 404), ("/v1/models", b"{}", 405),
    ]:
        status, answer = await asyncio.to_thread(post, url, path, body)
        assert status == wanted and answer["error"]["message"] and answer["error"]["type"], (path, status, answer)
    ping = b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}'
    status, answer = await asyncio.to_thread(post, url, "/mcp", ping, mcp_protocol_version="1.0")
    assert status == 400 and answer["error"]["code"] == -32600 and answer["id"] == 1, (status, answer)
    status, answer = await asyncio.to_thread(post, url, "/mcp", ping, mcp_protocol_version="2025-06-18")
    assert (status, answer["result"]) == (200, {}), (status, answer)
    status, answer = await asyncio.to_thread(post, url, "/mcp", b"{")
    assert answer["error"]["code"] == -32700, (status, answer)
    status, answer = await asyncio.to_thread(post, url, "/mcp", many)
    assert status == 413 and answer["detail"], (status, answer)


run()
