#!/usr/bin/env python3
"""One call of the SDK: streams a run of the graph `steps` and prints each event as a line of JSON.

What happens to the server meanwhile is the business of whoever started this.
"""

from __future__ import annotations

import argparse
import json

from langgraph_sdk import get_sync_client


def main() -> None:
    p = argparse.ArgumentParser()
    p.add_argument("--url", required=True)
    p.add_argument("--steps", type=int, default=10)
    p.add_argument("--tick", type=int, default=100, help="milliseconds")
    a = p.parse_args()
    sdk = get_sync_client(url=a.url, api_key=None)
    thread = sdk.threads.create()["thread_id"]
    asked = {"n": a.steps, "tick": a.tick}
    for part in sdk.runs.stream(thread, "steps", input=asked, stream_mode=["custom", "updates"], stream_resumable=True):
        print(json.dumps({"thread": thread, "event": part.event, "data": part.data, "id": part.id}), flush=True)


if __name__ == "__main__":
    main()
