"""Agents as `a2a-sdk` 1.x sees them: by version 1.0 of the protocol, and by 0.3, which it speaks as well."""

import asyncio
import contextlib
import uuid

import httpx
from a2a.client import A2ACardResolver, AgentCardResolutionError, ClientConfig, ClientFactory
from a2a.types import (
    CancelTaskRequest, GetTaskRequest, Message, Part, Role, SendMessageRequest, SubscribeToTaskRequest, TaskState,
)
from a2a.utils.errors import (
    ContentTypeNotSupportedError, InvalidParamsError, PushNotificationNotSupportedError, TaskNotCancelableError,
    TaskNotFoundError, UnsupportedOperationError,
)
from google.protobuf.json_format import MessageToDict, ParseDict
from google.protobuf.struct_pb2 import Value

from held import check, run

DONE, ASKS = TaskState.TASK_STATE_COMPLETED, TaskState.TASK_STATE_INPUT_REQUIRED


@contextlib.asynccontextmanager
async def agent(url, name, version="1.0", **config):
    """A client of an agent, which it knows by its card."""
    async with httpx.AsyncClient(timeout=30) as http:
        card = await A2ACardResolver(http, f"{url}/a2a/{name}").get_agent_card()
        spoken = [one for one in card.supported_interfaces if one.protocol_version == version]
        assert len(spoken) == 1, card
        del card.supported_interfaces[:]
        card.supported_interfaces.extend(spoken)
        yield ClientFactory(ClientConfig(httpx_client=http, **config)).create(card)


def data(value):
    return ParseDict(value, Value())


def asking(*parts, task=None, context=None, history=None):
    parts = [Part(text=part) if isinstance(part, str) else Part(data=data(part)) for part in parts]
    message = Message(role=Role.ROLE_USER, message_id=str(uuid.uuid4()), parts=parts)
    message.task_id = task or ""
    message.context_id = context or ""
    request = SendMessageRequest(message=message)
    if history is not None:
        request.configuration.history_length = history
    return request


async def told(client, *parts, **how):
    return [event async for event in client.send_message(asking(*parts, **how))]


async def task(client, *parts, **how):
    [event] = await told(client, *parts, **how)
    return event.task


def text(parts):
    return "".join(part.text for part in parts)


VERSIONS = ["1.0", "0.3"]


@check
async def a_card_says_what_an_agent_is(url):
    async with httpx.AsyncClient() as http:
        by_query = "/.well-known/agent-card.json?assistant_id=guide"
        card = await A2ACardResolver(http, url, by_query).get_agent_card()
        assert card == await A2ACardResolver(http, f"{url}/a2a/guide").get_agent_card()
        assert (card.name, card.description) == ("guide", "Does something step by step."), card
        assert {one.url for one in card.supported_interfaces} == {f"{url}/a2a/guide"}, card
        assert card.capabilities.streaming and not card.capabilities.push_notifications
        assert list(card.skills[0].examples) == ["one two"], card
        assert not card.security_schemes, card
        for path in ["?assistant_id=nobody", ""]:
            try:
                await A2ACardResolver(http, url, f"/.well-known/agent-card.json{path}").get_agent_card()
                raise AssertionError("nobody has a card")
            except AgentCardResolutionError as error:
                assert error.status_code == (404 if path else 422), error


@check
async def a_message_is_answered(url):
    for version in VERSIONS:
        async with agent(url, "guide", version, streaming=False) as client:
            done = await task(client, "one two")
            assert done.status.state == DONE and text(done.artifacts[0].parts) == "one two", done
            assert done.id.startswith(done.context_id + ":"), done
            assert text(done.history[0].parts) == "one two" and done.history[0].role == Role.ROLE_USER, done
            again = await client.get_task(GetTaskRequest(id=done.id))
            assert again == done, (again, done)
            assert not (await client.get_task(GetTaskRequest(id=done.id, history_length=0))).history


@check
async def a_context_goes_on(url):
    for version in VERSIONS:
        async with agent(url, "agent", version, streaming=False) as client:
            first = await task(client, "hi")
            assert text(first.artifacts[0].parts) == "Hello from fake", first
            second = await task(client, "hi again", context=first.context_id)
            assert second.context_id == first.context_id and second.id != first.id, second
            # A task stays what it was.
            assert await client.get_task(GetTaskRequest(id=first.id)) == first
            async with httpx.AsyncClient() as http:
                state = (await http.get(f"{url}/threads/{first.context_id}/state")).json()
            said = [message["content"] for message in state["values"]["messages"]]
            assert said == ["hi", "Hello from fake", "hi again", "Hello from fake"], said


@check
async def a_question_is_answered_by_its_task_and_by_its_context(url):
    for version in VERSIONS:
        async with agent(url, "hitl", version, streaming=False) as client:
            for by in ["task", "context"]:
                asks = await task(client, {"q": "deploy"})
                assert asks.status.state == ASKS and not asks.artifacts, asks
                parts = asks.status.message.parts
                assert parts[0].text == "approve?", asks
                assert MessageToDict(parts[1].data) == {"question": "approve?", "q": "deploy!"}, asks
                known = dict(task=asks.id, context=asks.context_id) if by == "task" else dict(context=asks.context_id)
                done = await task(client, "yes", **known)
                assert (done.id, done.status.state) == (asks.id, DONE), done
                assert text(done.artifacts[0].parts) == "yes done", done
                assert [text(said.parts) for said in done.history] == ["deploy", "approve?", "yes"], done
                assert await client.get_task(GetTaskRequest(id=asks.id)) == done
                last = await task(client, "more", context=asks.context_id, history=1)
                assert last.id != asks.id and len(last.history) == 1, last
                try:
                    await task(client, "too late", task=asks.id)
                    raise AssertionError("a task that is over took a message")
                except UnsupportedOperationError:
                    pass


@check
async def a_stream_tells_a_task_as_it_goes(url):
    for version in VERSIONS:
        async with agent(url, "agent", version, streaming=True) as client:
            events = await told(client, "hi")
            kinds = [event.WhichOneof("payload") for event in events]
            assert kinds == ["task", "status_update"] + ["artifact_update"] * 4 + ["status_update"], kinds
            assert events[0].task.status.state == TaskState.TASK_STATE_SUBMITTED
            assert events[1].status_update.status.state == TaskState.TASK_STATE_WORKING
            pieces = [event.artifact_update for event in events[2:-1]]
            assert [text(one.artifact.parts) for one in pieces] == ["Hel", "lo ", "from fake", ""], pieces
            assert [one.append for one in pieces] == [False, True, True, True], pieces
            assert [one.last_chunk for one in pieces] == [False, False, False, True], pieces
            assert events[-1].status_update.status.state == DONE
            done = await client.get_task(GetTaskRequest(id=events[0].task.id))
            assert text(done.artifacts[0].parts) == "Hello from fake", done


@check
async def a_stream_ends_with_a_question_and_goes_on_with_the_answer(url):
    for version in VERSIONS:
        async with agent(url, "guide", version, streaming=True) as client:
            asks = await told(client, "sure?")
            status = asks[-1].status_update.status
            assert status.state == ASKS and status.message.parts[0].text == "go on?", asks
            done = await told(client, "yes", task=asks[0].task.id)
            assert done[0].task.id == asks[0].task.id, done
            pieces = [text(event.artifact_update.artifact.parts) for event in done if event.HasField("artifact_update")]
            assert "".join(pieces) == "sure?" and done[-1].status_update.status.state == DONE, done


@check
async def graphs_without_words_take_and_give_data(url):
    for version in VERSIONS:
        async with agent(url, "three", version, streaming=False) as client:
            done = await task(client, {"x": 1})
            assert MessageToDict(done.artifacts[0].parts[0].data)["x"] == 4, done
            for wrong in ["words", {"x": "no number"}]:
                try:
                    await task(client, wrong)
                    raise AssertionError(f"it was taken: {wrong}")
                except InvalidParamsError:
                    pass


@check
async def a_task_that_fails_says_why(url):
    for version in VERSIONS:
        async with agent(url, "guide", version, streaming=False) as client:
            failed = await task(client, "fail")
            assert failed.status.state == TaskState.TASK_STATE_FAILED, failed
            assert "told to fail" in text(failed.status.message.parts), failed
        async with agent(url, "guide", version, streaming=True) as client:
            status = (await told(client, "fail"))[-1].status_update.status
            assert status.state == TaskState.TASK_STATE_FAILED and "told to fail" in text(status.message.parts)


@check
async def a_task_is_left_alone_watched_again_and_canceled(url):
    for version in VERSIONS:
        async with agent(url, "guide", version, streaming=False, polling=True) as client:
            begun = await task(client, "wait:20000 later")
            assert begun.status.state in (TaskState.TASK_STATE_SUBMITTED, TaskState.TASK_STATE_WORKING), begun
            seen = asyncio.Event()
            watching = asyncio.create_task(watched(url, version, begun.id, seen))
            await seen.wait()
            stopped = await client.cancel_task(CancelTaskRequest(id=begun.id))
            assert stopped.status.state == TaskState.TASK_STATE_CANCELED, stopped
            events = await watching
            assert events[-1].status_update.status.state == TaskState.TASK_STATE_CANCELED, events
            for refused, call in [
                (TaskNotCancelableError, client.cancel_task(CancelTaskRequest(id=begun.id))),
                (UnsupportedOperationError, watched(url, version, begun.id, seen)),
            ]:
                try:
                    await call
                    raise AssertionError("a task that is over was there")
                except refused:
                    pass


async def watched(url, version, name, seen):
    events = []
    async with agent(url, "guide", version, streaming=True) as client:
        async for event in client.subscribe(SubscribeToTaskRequest(id=name)):
            events.append(event)
            seen.set()
    return events


@check
async def what_is_wrong_is_told_by_its_error(url):
    nobody = f"{uuid.uuid4()}:{uuid.uuid4()}"
    for version in VERSIONS:
        async with agent(url, "guide", version, streaming=False) as client:
            known = (await task(client, "one")).id
            file = asking("x")
            file.message.parts.append(Part(url="http://127.0.0.1/x.pdf"))
            pushing = asking("x")
            pushing.configuration.task_push_notification_config.url = "http://127.0.0.1/hook"
            for refused, request in [
                (TaskNotFoundError, asking("x", task=nobody)),
                (InvalidParamsError, asking("x", task=known, context=str(uuid.uuid4()))),
                (InvalidParamsError, asking("x", context="no uuid")),
                (InvalidParamsError, asking(" ")),
                (ContentTypeNotSupportedError, file),
                (PushNotificationNotSupportedError, pushing),
            ]:
                try:
                    [event async for event in client.send_message(request)]
                    raise AssertionError(f"it was taken: {request}")
                except refused:
                    pass
            for name in [nobody, "nonsense", known[:-1] + "x"]:
                try:
                    await client.get_task(GetTaskRequest(id=name))
                    raise AssertionError(f"there is no {name}")
                except TaskNotFoundError:
                    pass
        # A task is its agent's.
        async with agent(url, "hitl", version, streaming=False) as client:
            try:
                await client.get_task(GetTaskRequest(id=known))
                raise AssertionError("another agent has it")
            except TaskNotFoundError:
                pass


run()
