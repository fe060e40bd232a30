"""Agents as `a2a-sdk` 0.3 sees them, which knows no other version of the protocol."""

import contextlib
import uuid

import httpx
from a2a.client import A2ACardResolver, ClientConfig, ClientFactory
from a2a.client.errors import A2AClientJSONRPCError
from a2a.types import (
    DataPart, Message, MessageSendConfiguration, Part, Role, TaskIdParams, TaskQueryParams, TaskState, TextPart,
)

from held import check, run


@contextlib.asynccontextmanager
async def agent(url, name, **config):
    async with httpx.AsyncClient(timeout=30) as http:
        card = await A2ACardResolver(http, url, f"/.well-known/agent-card.json?assistant_id={name}").get_agent_card()
        assert card.url == f"{url}/a2a/{name}" and card.protocol_version == "0.3.0", card
        yield ClientFactory(ClientConfig(httpx_client=http, **config)).create(card)


def asking(part, **known):
    part = TextPart(text=part) if isinstance(part, str) else DataPart(data=part)
    return Message(role=Role.user, message_id=str(uuid.uuid4()), parts=[Part(root=part)], **known)


async def last(client, part, configuration=None, **known):
    """The task as the client has put it together from everything that it was told."""
    events = [event async for event in client.send_message(asking(part, **known), configuration=configuration)]
    task, update = events[-1]
    return task, [update for _, update in events]


def text(parts):
    return "".join(part.root.text for part in parts if isinstance(part.root, TextPart))


@check
async def a_message_is_answered_and_its_task_is_kept(url):
    async with agent(url, "agent", streaming=False) as client:
        done, _ = await last(client, "hi")
        assert done.status.state == TaskState.completed and text(done.artifacts[0].parts) == "Hello from fake", done
        assert await client.get_task(TaskQueryParams(id=done.id)) == done
        more, _ = await last(client, "and?", context_id=done.context_id)
        assert more.context_id == done.context_id and more.id != done.id, more


@check
async def a_stream_ends_with_its_final_event(url):
    async with agent(url, "agent", streaming=True) as client:
        done, updates = await last(client, "hi")
        assert [update.kind for update in updates[1:]] == (
            ["status-update"] + ["artifact-update"] * 4 + ["status-update"]), updates
        assert updates[-1].final and not updates[1].final, updates
        assert done.status.state == TaskState.completed and text(done.artifacts[0].parts) == "Hello from fake", done


@check
async def a_question_is_answered(url):
    for streaming in [False, True]:
        async with agent(url, "hitl", streaming=streaming) as client:
            asks, _ = await last(client, {"q": "deploy"})
            assert asks.status.state == TaskState.input_required, asks
            assert text(asks.status.message.parts) == "approve?", asks
            done, _ = await last(client, "yes", task_id=asks.id, context_id=asks.context_id)
            assert (done.id, done.status.state) == (asks.id, TaskState.completed), done
            assert text(done.artifacts[0].parts) == "yes done", done


@check
async def a_task_is_canceled(url):
    async with agent(url, "guide", streaming=False) as client:
        begun, _ = await last(client, "wait:20000", configuration=MessageSendConfiguration(blocking=False))
        assert begun.status.state in (TaskState.submitted, TaskState.working), begun
        stopped = await client.cancel_task(TaskIdParams(id=begun.id))
        assert stopped.status.state == TaskState.canceled, stopped


@check
async def an_unknown_task_is_not_found(url):
    async with agent(url, "guide") as client:
        try:
            await client.get_task(TaskQueryParams(id=f"{uuid.uuid4()}:{uuid.uuid4()}"))
            raise AssertionError("there was one")
        except A2AClientJSONRPCError as error:
            assert error.error.code == -32001, error.error


run()
