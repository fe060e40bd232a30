"""The cases of `cargo xtask bench engine`, in LangGraph: what a step, a task, a turn, a run and an event cost.

    engine.py chain --steps 1000 --saver sqlite --durability sync --repeat 1

Every case prints one JSON line. What ours does for the same case is in `bench/src/`, and `bench/README.md` says what is fair.
"""
import argparse
import asyncio
import json
import operator
import os
import random
import string
import subprocess
import sys
import time
import uuid
from typing import Annotated

os.environ.setdefault("LANGSMITH_TRACING", "false")

from figures import Lap, memory_mib, middle, tell
from stores import KINDS, async_saver, saver, stored


def thread(**more):
    """The settings of a run on a thread that nobody has used."""
    return {"configurable": {"thread_id": uuid.uuid4().hex}, **more}


def durability(args):
    return {"durability": args.durability} if args.durability else {}


def counting(steps, store, is_async, says=False):
    """One node that counts and comes back to itself until there were enough steps."""
    from langgraph.graph import END, START, StateGraph
    from langgraph.types import StreamWriter
    from typing_extensions import TypedDict

    class State(TypedDict):
        count: int

    def count(state):
        return {"count": state["count"] + 1}

    async def acount(state):
        return count(state)

    async def asay(state, *, writer: StreamWriter):
        writer({"count": state["count"]})
        return count(state)

    graph = StateGraph(State)
    graph.add_node("count", asay if says else acount if is_async else count)
    graph.add_edge(START, "count")
    graph.add_conditional_edges("count", lambda state: "count" if state["count"] < steps else END, ["count", END])
    return graph.compile(checkpointer=store)


def chain(args):
    """N steps, one after the other."""

    def once(steps):
        with saver(args.saver) as store:
            graph = counting(steps, store, is_async=False)
            with Lap() as lap:
                end = graph.invoke({"count": 0}, thread(recursion_limit=steps + 10), **durability(args))
        assert end["count"] == steps
        return lap.wall * 1e6 / steps, lap.cpu * 1e6 / steps

    # So many warm it up; who counts what a database server does knows of them.
    once(50)
    laps = [once(args.steps) for _ in range(args.repeat)]
    wall, cpu = zip(*laps)
    params = {"steps": args.steps, "saver": args.saver, "durability": args.durability}
    tell("chain", "us/superstep", wall, params, cpu_us_per_superstep=middle(cpu, 1))


def fanout(args):
    """One step that sends N tasks, and one that joins what they say."""
    from langgraph.graph import END, START, StateGraph
    from langgraph.types import Send
    from typing_extensions import TypedDict

    class State(TypedDict):
        tasks: int
        said: Annotated[list, operator.add]
        total: int

    async def work(state):
        return {"said": [state["number"]]}

    def join(state):
        return {"total": sum(state["said"])}

    async def once(tasks):
        async with async_saver(args.saver) as store:
            graph = StateGraph(State)
            graph.add_node("work", work)
            graph.add_node("join", join)
            send = lambda state: [Send("work", {"number": number}) for number in range(state["tasks"])]
            graph.add_conditional_edges(START, send, ["work"])
            graph.add_edge("work", "join")
            graph.add_edge("join", END)
            graph = graph.compile(checkpointer=store)
            with Lap() as lap:
                end = await graph.ainvoke({"tasks": tasks, "said": [], "total": 0}, thread())
        assert end["said"] == list(range(tasks)) and end["total"] == tasks * (tasks - 1) // 2
        return lap.wall * 1e6 / tasks, lap.cpu * 1e6 / tasks

    asyncio.run(once(20))
    wall, cpu = zip(*[asyncio.run(once(args.tasks)) for _ in range(args.repeat)])
    params = {"tasks": args.tasks, "saver": args.saver}
    tell("fanout", "us/task", wall, params, cpu_us_per_task=middle(cpu, 1))


def text(length, seed):
    """Letters that no database can make much shorter."""
    return "".join(random.Random(seed).choices(string.ascii_letters + string.digits, k=length))


def messages(args):
    """A conversation of N turns, each of which appends one message."""
    from langchain_core.messages import AIMessage
    from langgraph.graph import END, START, StateGraph
    from langgraph.graph.message import add_messages
    from typing_extensions import TypedDict

    class State(TypedDict):
        turn: int
        messages: Annotated[list, add_messages]

    def say(state):
        turn = state["turn"]
        return {"messages": [AIMessage(content=text(args.bytes, turn), id=f"m{turn}")]}

    def once():
        with saver(args.saver) as store:
            graph = StateGraph(State)
            graph.add_node("say", say)
            graph.add_edge(START, "say")
            graph.add_edge("say", END)
            graph, config, laps = graph.compile(checkpointer=store), thread(), []
            for turn in range(args.turns):
                with Lap() as lap:
                    end = graph.invoke({"turn": turn}, config, **durability(args))
                assert len(end["messages"]) == turn + 1
                laps.append(lap)
            return laps, stored(args.saver, store)

    conversations = [once() for _ in range(args.repeat)]
    # A turn's cost is the median of the ten turns before it.
    few = max(1, min(10, args.turns // 4))
    at = lambda turn, of: [middle([of(lap) for lap in laps[max(0, turn - few) : turn]], 9) * 1e6 for laps, _ in conversations]
    wall, cpu = (lambda lap: lap.wall), (lambda lap: lap.cpu)
    params = {"turns": args.turns, "bytes": args.bytes, "saver": args.saver, "durability": args.durability}
    tell(
        "messages",
        "us/turn@last10",
        at(args.turns, wall),
        params,
        cpu_us_turn_10=middle(at(15, cpu), 1),
        cpu_us_turn_last=middle(at(args.turns, cpu), 1),
        raw_message_bytes=args.turns * args.bytes,
        **conversations[-1][1],
    )


async def sleepers(args):
    """So many runs at once, each of a few nodes that sleep; what is measured is this one process."""
    from langgraph.graph import END, START, StateGraph
    from typing_extensions import TypedDict

    class State(TypedDict):
        count: int

    async def doze(state):
        await asyncio.sleep(args.sleep)
        return {"count": state["count"] + 1}

    async with async_saver(args.saver) as store:
        graph = StateGraph(State)
        names = [f"node{number}" for number in range(args.nodes)]
        for name in names:
            graph.add_node(name, doze)
        for before, after in zip([START, *names], [*names, END]):
            graph.add_edge(before, after)
        graph = graph.compile(checkpointer=store)
        run = lambda: graph.ainvoke({"count": 0}, thread(recursion_limit=args.nodes + 10))
        await run()
        idle = memory_mib()
        with Lap() as lap:
            ends = await asyncio.gather(*(run() for _ in range(args.concurrent)))
    assert all(end["count"] == args.nodes for end in ends)
    print(json.dumps({"wall": lap.wall, "cpu": lap.cpu, "idle": idle, "peak": memory_mib("VmHWM")}))


def concurrency(args):
    """The same in a fresh process every time, because a peak of memory is never taken back."""
    if args.child:
        asyncio.run(sleepers(args))
        return
    command = [sys.executable, *sys.argv, "--child"]
    told = [json.loads(subprocess.run(command, check=True, capture_output=True).stdout) for _ in range(args.repeat)]
    of = lambda name: [one[name] for one in told]
    params = {"concurrent": args.concurrent, "nodes": args.nodes, "sleep_s": args.sleep, "saver": args.saver}
    tell(
        "concurrency",
        "s wall",
        of("wall"),
        params,
        cpu_s=middle(of("cpu")),
        rss_mib=middle(of("idle"), 1),
        peak_rss_mib=middle(of("peak"), 1),
    )


def stream(args):
    """N steps, watched; beside the same steps that nobody watches."""
    modes = args.modes.split(",")
    graph = counting(args.steps, None, is_async=True, says="custom" in modes)
    config = {"recursion_limit": args.steps + 10}

    async def once():
        with Lap() as alone:
            await graph.ainvoke({"count": 0}, config)
        events, first, began = 0, None, time.perf_counter()
        with Lap() as watched:
            async for _ in graph.astream({"count": 0}, config, stream_mode=modes if len(modes) > 1 else modes[0]):
                first = first or time.perf_counter() - began
                events += 1
        return alone, watched, events, first

    asyncio.run(once())
    told = [asyncio.run(once()) for _ in range(args.repeat)]
    events = told[-1][2]
    extra = [(watched.cpu - alone.cpu) * 1e6 / events for alone, watched, _, _ in told]
    tell(
        "stream",
        "us/event (total)",
        [watched.wall * 1e6 / events for _, watched, _, _ in told],
        {"steps": args.steps, "modes": args.modes},
        events=events,
        cpu_us_per_event=middle([watched.cpu * 1e6 / events for _, watched, _, _ in told], 1),
        cpu_extra_us_per_event=middle(extra, 1),
        first_event_ms=middle([first * 1e3 for _, _, _, first in told]),
    )


def coldstart(args):
    """From nothing to the end of the first run, and the memory afterwards."""
    if args.child:
        graph = counting(1, None, is_async=False)
        assert graph.invoke({"count": 0})["count"] == 1
        print(json.dumps({"idle": memory_mib()}))
        return
    command = [sys.executable, *sys.argv, "--child"]

    def once():
        with Lap() as lap:
            output = subprocess.run(command, check=True, capture_output=True).stdout
        return lap.wall * 1e3, json.loads(output)["idle"]

    # The first one finds nothing in the page cache.
    once()
    wall, memory = zip(*[once() for _ in range(args.repeat)])
    tell("coldstart", "ms process wall", wall, {}, rss_mib=middle(memory, 1))


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    cases = parser.add_subparsers(dest="case", required=True)

    def case(name, run, **options):
        of = cases.add_parser(name, help=run.__doc__)
        of.set_defaults(run=run)
        of.add_argument("--repeat", type=int, default=3)
        of.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
        for option, default in options.items():
            of.add_argument(f"--{option}", type=type(default), default=default)
        return of

    def kept(of):
        of.add_argument("--saver", choices=KINDS, default="none")
        of.add_argument("--durability", choices=("sync", "async", "exit"))

    kept(case("chain", chain, steps=1000))
    kept(case("fanout", fanout, tasks=1000))
    kept(case("messages", messages, turns=200, bytes=1024))
    kept(case("concurrency", concurrency, concurrent=1000, nodes=10, sleep=0.01))
    case("stream", stream, steps=1000, modes="updates")
    case("coldstart", coldstart)
    return parser.parse_args()


if __name__ == "__main__":
    arguments = parsed()
    arguments.run(arguments)
