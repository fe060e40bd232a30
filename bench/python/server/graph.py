"""Three steps that add one each: {"x": 1} becomes {"x": 4, "log": ["a", "b", "c"]}. Our server's test graphs have the same."""
import operator
from typing import Annotated

from langgraph.graph import END, START, StateGraph
from typing_extensions import TypedDict


class State(TypedDict, total=False):
    x: int
    log: Annotated[list[str], operator.add]


def step(name):
    async def add_one(state: State):
        return {"x": state.get("x", 0) + 1, "log": [name]}

    return add_one


graph = StateGraph(State)
for name in "abc":
    graph.add_node(name, step(name))
for before, after in [(START, "a"), ("a", "b"), ("b", "c"), ("c", END)]:
    graph.add_edge(before, after)
three = graph.compile()
