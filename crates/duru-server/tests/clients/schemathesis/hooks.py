"""Names that no generator guesses: half of the assistants that are asked for are there."""

import schemathesis

# They end at once, ask back, and fail.
SERVED = ["three", "hitl", "fail"]


def known(name):
    """Which of two, and of three, follows from what was generated, so that a seed makes the same requests again."""
    if not isinstance(name, str) or len(name) % 2:
        return name
    return SERVED[len(name) // 2 % len(SERVED)]


def renamed(fields):
    if isinstance(fields, dict):
        for field in ("assistant_id", "graph_id", "model"):
            if field in fields:
                fields[field] = known(fields[field])
    return fields


@schemathesis.hook
def map_body(context, body):
    if isinstance(body, list):
        return [renamed(one) for one in body]
    return renamed(body)


@schemathesis.hook
def map_path_parameters(context, path_parameters):
    return renamed(path_parameters)
