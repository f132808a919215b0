"""How an engine written in Python answers the benchmark: see protocol.ts."""

import json
import resource
import sys
import time


def serve(run, of=resource.RUSAGE_SELF):
    """Carries out each command with `run`; `of` says whose memory is told, this process's or its children's."""
    for line in sys.stdin:
        start = time.perf_counter()
        try:
            outcome = {"text": run(json.loads(line)) or ""}
        except Exception as error:  # An engine that cannot carry out a command is a result of the benchmark.
            outcome = {"failure": f"{type(error).__name__}: {error}"}
        answer = {
            **outcome,
            "milliseconds": (time.perf_counter() - start) * 1000,
            "peakRssMegabytes": resource.getrusage(of).ru_maxrss / 1024,
        }
        print(json.dumps(answer), flush=True)
