#!/usr/bin/env python3
"""What the LangGraph library does in the scenarios of ../../it/compared/scenarios.json, for our server to be held to.

    python record.py SCENARIOS > EXPECTED

A scenario is a graph and a list of acts on one thread. After every act the thread's whole history is written down:
checkpoints by their number, the oldest first being 0, since no two programs give them the same ids.
"""

from __future__ import annotations

import json
import operator
import sys
from typing import Annotated, Any

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, Send, StateUpdate, interrupt
from typing_extensions import TypedDict


class Counters(TypedDict, total=False):
    x: int
    log: Annotated[list[str], operator.add]
    sum: Annotated[int, operator.add]


def counting(name: str):
    return lambda state: {"x": state.get("x", 0) + 1, "log": [name]}


def logging(name: str):
    return lambda state: {"log": [name]}


def ask(state: Counters) -> Counters:
    return {"log": [f"answer {interrupt({'x': state.get('x', 0)})}"]}


def chain(*nodes):
    g = StateGraph(Counters)
    before = START
    for name, node in nodes:
        g.add_node(name, node)
        g.add_edge(before, name)
        before = name
    g.add_edge(before, END)
    return g


def three():
    return chain(*((name, counting(name)) for name in "abc"))


def asking():
    return chain(("pre", counting("pre")), ("ask", ask), ("fin", counting("fin")))


def tools():
    """An agent that calls its tool until the log has three entries."""
    g = StateGraph(Counters)
    g.add_node("agent", counting("agent"))
    g.add_node("tool", counting("tool"))
    g.add_edge(START, "agent")
    g.add_conditional_edges("agent", lambda s: "tool" if len(s["log"]) < 3 else END, ["tool", END])
    g.add_edge("tool", "agent")
    return g


def diamond():
    g = StateGraph(Counters)
    for name in ("a", "b1", "b2", "z"):
        g.add_node(name, logging(name))
    g.add_edge(START, "a")
    for name in ("b1", "b2"):
        g.add_edge("a", name)
        g.add_edge(name, "z")
    return g


def fan():
    g = StateGraph(Counters)
    g.add_node("plan", logging("plan"))
    g.add_node("w", lambda s: {"log": [f"w{s['i']}"]})
    g.add_node("join", logging("join"))
    g.add_edge(START, "plan")
    g.add_conditional_edges("plan", lambda s: [Send("w", {"i": i}) for i in range(2)], ["w"])
    g.add_edge("w", "join")
    return g


def nested():
    child = chain(("s1", counting("s1")), ("s2", ask), ("s3", counting("s3"))).compile()
    g = StateGraph(Counters)
    g.add_node("p", counting("p"))
    # The child's log begins with its parent's, and only what it adds comes back.
    g.add_node("child", child)
    g.add_node("q", counting("q"))
    g.add_edge(START, "p")
    g.add_edge("p", "child")
    g.add_edge("child", "q")
    return g


GRAPHS = {f.__name__: f for f in (three, asking, tools, diamond, fan, nested)}


class Played:
    def __init__(self, graph: str):
        self.graph = GRAPHS[graph]().compile(checkpointer=InMemorySaver())
        self.config = {"configurable": {"thread_id": "t"}}

    def inside(self) -> dict:
        """The configuration of the first subgraph that is to be run, or was run last."""
        for state in self.graph.get_state_history(self.config):
            for task in state.tasks:
                if task.state is not None:
                    return task.state
        raise LookupError("no subgraph")

    def at(self, act: dict) -> dict:
        config = self.inside() if act.get("inside") else self.config
        if "at" not in act:
            return config
        states = sorted(self.graph.get_state_history(config), key=lambda s: s.config["configurable"]["checkpoint_id"])
        return states[act["at"]].config

    def act(self, act: dict) -> None:
        if "steps" in act:
            steps = [[StateUpdate(u["values"], u["as"]) for u in step] for step in act["steps"]]
            self.graph.bulk_update_state(self.config, steps)
        elif "update" in act:
            self.graph.update_state(self.at(act), act["update"], as_node=act.get("as"))
        else:
            given: Any = act["run"]
            if "resume" in act:
                given = Command(resume=act["resume"])
            if "goto" in act:
                send = lambda to: to if isinstance(to, str) else Send(to["node"], to["input"])
                given = Command(goto=[send(to) for to in act["goto"]])
            self.graph.invoke(given, self.at(act), interrupt_before=act.get("before"))

    def history(self, config: dict) -> list[str]:
        """One line for every checkpoint, the newest first."""
        states = list(self.graph.get_state_history(config))
        name = lambda config: config and config["configurable"]["checkpoint_id"]
        ids = {id: n for n, id in enumerate(sorted(name(s.config) for s in states))}
        told = lambda value: json.dumps(value, sort_keys=True, separators=(",", ":"))
        lines = []
        for s in states:
            parent = ids[name(s.parent_config)] if s.parent_config else "-"
            tasks = [f"{t.name}{'()' if t.state is not None else ''}={told(t.result)}" for t in s.tasks]
            line = f"{ids[name(s.config)]} < {parent} {s.metadata['source']} {s.metadata['step']} {told(s.values)}"
            lines.append(" ".join([line, "next", ",".join(s.next) or "-", *tasks]))
        return lines

    def seen(self, act: dict) -> str:
        """Whether it was done, and what is asked then."""
        try:
            self.act(act)
        except Exception as error:  # what it says is for people
            print(f"{act}: {type(error).__name__}: {error}", file=sys.stderr)
            return "refused"
        asked = [i.value for i in self.graph.get_state(self.config).interrupts]
        return f"done, asks {json.dumps(asked)}" if asked else "done"


def main() -> None:
    scenarios = json.load(open(sys.argv[1]))
    played = {}
    for name, scenario in scenarios.items():
        thread = Played(scenario["graph"])
        acts = [thread.seen(act) for act in scenario["acts"]]
        played[name] = {"acts": acts, "history": thread.history(thread.config)}
        try:
            played[name]["inside"] = thread.history(thread.inside())
        except LookupError:
            pass
    json.dump(played, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
