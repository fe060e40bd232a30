"""The fixture graphs for the reference server: what ../README.md says of each, in Python."""

from __future__ import annotations

import asyncio
import operator
from typing import Annotated, Any, AsyncIterator

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langgraph.config import get_stream_writer
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.types import interrupt
from typing_extensions import TypedDict


def usage(given: int, made: int) -> dict:
    return {"input_tokens": given, "output_tokens": made, "total_tokens": given + made}


class Parrot(BaseChatModel):
    """Says the same words to everybody, and calls a tool if it is streamed and a person asks for one."""

    @property
    def _llm_type(self) -> str:
        return "parrot"

    def _generate(self, messages: list[BaseMessage], stop=None, run_manager=None, **kw: Any) -> ChatResult:
        said = AIMessage(content="Hello from fake", usage_metadata=usage(3, 3))
        return ChatResult(generations=[ChatGeneration(message=said)])

    async def _astream(
        self, messages: list[BaseMessage], stop=None, run_manager: AsyncCallbackManagerForLLMRun | None = None, **kw: Any
    ) -> AsyncIterator[ChatGenerationChunk]:
        last = messages[-1]
        if last.type == "human" and "tool" in last.text:
            args = [("get_weather", "call_1", '{"city":'), (None, None, '"SF"}')]
            pieces = [
                AIMessageChunk(content="", tool_call_chunks=[{"name": name, "args": text, "id": id, "index": 0, "type": "tool_call_chunk"}])
                for name, id, text in args
            ]
            pieces.append(ending("tool_calls", usage(5, 7)))
        else:
            pieces = [AIMessageChunk(content=text) for text in ("Hel", "lo ", "from fake")]
            pieces.append(ending("stop", usage(3, 3)))
        for piece in pieces:
            if piece.content:
                await asyncio.sleep(0.06)
            chunk = ChatGenerationChunk(message=piece)
            if run_manager:
                await run_manager.on_llm_new_token(str(piece.content), chunk=chunk)
            yield chunk


def ending(reason: str, cost: dict) -> AIMessageChunk:
    why = {"finish_reason": reason, "model_name": "fake-1"}
    return AIMessageChunk(content="", usage_metadata=cost, response_metadata=why)


async def call_model(state: MessagesState) -> dict:
    return {"messages": [await Parrot().ainvoke(state["messages"])]}


async def call_tool(state: MessagesState) -> dict:
    get_stream_writer()({"progress": "calling tool"})
    call = state["messages"][-1].tool_calls[0]
    return {"messages": [ToolMessage("sunny", tool_call_id=call["id"], name=call["name"])]}


def wants_tool(state: MessagesState) -> str:
    return "tools" if state["messages"][-1].tool_calls else END


g = StateGraph(MessagesState)
g.add_node("agent", call_model)
g.add_node("tools", call_tool)
g.add_edge(START, "agent")
g.add_conditional_edges("agent", wants_tool, ["tools", END])
g.add_edge("tools", "agent")
agent = g.compile()


class Counters(TypedDict, total=False):
    x: int
    log: Annotated[list[str], operator.add]


def counting(name: str):
    async def node(state: Counters) -> Counters:
        return {"x": state.get("x", 0) + 1, "log": [name]}

    return node


def chain(state: type, *nodes):
    """One node after the other."""
    g = StateGraph(state)
    before = START
    for name, node in nodes:
        g.add_node(name, node)
        g.add_edge(before, name)
        before = name
    g.add_edge(before, END)
    return g.compile()


async def boom(state: Counters) -> Counters:
    raise ValueError("kaboom")


three = chain(Counters, *((name, counting(name)) for name in "abc"))
fail = chain(Counters, ("a", counting("a")), ("boom", boom))
parent = chain(Counters, ("p", counting("a")), ("child", chain(Counters, ("sa", counting("a")))))


class Asked(TypedDict, total=False):
    q: str
    answer: str


async def pre(state: Asked) -> Asked:
    get_stream_writer()({"note": "pre"})
    return {"q": state.get("q", "?") + "!"}


async def ask(state: Asked) -> Asked:
    return {"answer": str(interrupt({"question": "approve?", "q": state["q"]}))}


async def fin(state: Asked) -> Asked:
    return {"answer": state["answer"] + " done"}


hitl = chain(Asked, ("pre", pre), ("ask", ask), ("fin", fin))


class Slow(TypedDict, total=False):
    n: int
    tick: float
    log: Annotated[list[str], operator.add]


async def s1(state: Slow) -> Slow:
    write = get_stream_writer()
    for i in range(state.get("n", 10)):
        write({"tick": i})
        await asyncio.sleep(state.get("tick", 0.2))
    return {"log": ["s1"]}


async def s2(state: Slow) -> Slow:
    return {"log": ["s2"]}


slow = chain(Slow, ("s1", s1), ("s2", s2))
