"""`serve.py FILE PORT`: llama.cpp's server in OpenAI's format, until it is stopped."""

import os
import signal
import sys

import xllamacpp

params = xllamacpp.CommonParams()
params.model.path = sys.argv[1]
params.hostnames = ["127.0.0.1"]
params.port = int(sys.argv[2])
params.n_ctx = int(os.environ.get("DURU_LOCAL_CONTEXT", "16384"))
params.n_parallel = 1
server = xllamacpp.Server(params)
signal.pause()
