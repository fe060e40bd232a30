"""Reads a request of OTLP with OpenTelemetry's own messages, and prints it as JSON with the ids that people know."""

import json
import sys

from google.protobuf.json_format import MessageToDict
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

with open(sys.argv[1], "rb") as file:
    request = ExportTraceServiceRequest.FromString(file.read())
read = MessageToDict(request)
for of, shown in zip(request.resource_spans, read["resourceSpans"]):
    for scope, shown_scope in zip(of.scope_spans, shown["scopeSpans"]):
        for span, shown_span in zip(scope.spans, shown_scope["spans"]):
            shown_span["traceId"] = span.trace_id.hex()
            shown_span["spanId"] = span.span_id.hex()
            shown_span["parentSpanId"] = span.parent_span_id.hex()
print(json.dumps(read))
