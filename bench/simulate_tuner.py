#!/usr/bin/env python3
"""Kernel Tuner's strategies on recorded spaces, in its simulation mode: the same T4 files as `cargo xtask tune-spaces` reads.

    pip install kernel_tuner
    python3 bench/simulate_tuner.py DIR [STRATEGY…]

Printed is what `cargo xtask tune-spaces` prints of our strategies: the measurements until one is within 5% of the best, in the mean over
seeds. `DIR/kernel_tuner.json` keeps it, and `cargo xtask tune-spaces` prints it beside ours. A strategy may measure half of the space; one that has found nothing good enough by then counts as if it had measured all. Values of parameters are numbered, since Kernel Tuner joins them by commas.
"""

import contextlib
import glob
import io
import json
import math
import os
import random
import sys
import tempfile
import warnings

STRATEGIES = ["random_sample", "genetic_algorithm", "simulated_annealing", "greedy_ils"]
SEEDS = 5
PART = 0.95
# greedy_ils goes on for ever where it comes to a configuration without unmeasured neighbours; a course takes half a second.
SECONDS = 10


def main():
    files = sorted(glob.glob(os.path.join(sys.argv[1], "*.t4.json")))
    strategies = sys.argv[2:] or STRATEGIES
    warnings.simplefilter("ignore")
    print(f"{'measurements to reach 95%':<28} {'candidates':>10} " + " ".join(f"{name:>19}" for name in strategies))
    sums, count, kept = [0.0] * len(strategies), 0, {}
    for file in files:
        with open(file, encoding="utf-8") as opened:
            space = read(json.load(opened))
        if sum(math.isfinite(t) for t in space["times"].values()) < 2:
            continue
        count += 1
        row = [evaluations(space, strategy) for strategy in strategies]
        kept[space["name"]] = dict(zip(strategies, row))
        sums = [total + math.log(value) for total, value in zip(sums, row)]
        print(f"{space['name']:<28} {len(space['times']):>10} " + " ".join(f"{value:>19.1f}" for value in row), flush=True)
    means = [math.exp(total / max(count, 1)) for total in sums]
    print(f"{'geometric mean':<39} " + " ".join(f"{value:>19.1f}" for value in means))
    with open(os.path.join(sys.argv[1], "kernel_tuner.json"), "w", encoding="utf-8") as file:
        json.dump(kept, file, indent=1)
        file.write("\n")


def read(t4):
    """Parameters with numbered values, and milliseconds by configuration; infinite where it failed."""
    results = t4["results"]
    names = sorted({name for result in results for name in result["configuration"]})
    values = {name: sorted({result["configuration"].get(name, "off") for result in results}) for name in names}
    names = [name for name in names if len(values[name]) > 1]
    times = {}
    for result in results:
        key = tuple(values[name].index(result["configuration"].get(name, "off")) for name in names)
        time = next((m["value"] for m in result["measurements"] if m["name"] == "time"), math.inf)
        times[key] = time if result["invalidity"] == "correct" else math.inf
    meta = t4.get("metadata", {})
    return {"name": f"{meta.get('program', '')} {meta.get('kernel', '')}", "names": names,
            "params": {name: list(range(len(values[name]))) for name in names}, "times": times}


def evaluations(space, strategy):
    """Of some seeds, the mean number of measurements until one is good enough; all of them where none was."""
    limit = min(space["times"].values()) / PART
    total = 0
    for seed in range(1, SEEDS + 1):
        order = course(space, strategy, seed)
        reached = [at for at, key in enumerate(order) if space["times"][key] <= limit]
        total += reached[0] + 1 if reached else len(space["times"])
    return total / SEEDS


def course(space, strategy, seed):
    """The configurations in the order in which Kernel Tuner measures them."""
    import kernel_tuner

    random.seed(seed)
    try:
        import numpy
        numpy.random.seed(seed)
    except ImportError:
        pass
    allowed = set(space["times"])
    order = []

    def restriction(params):
        # A space with one parameter gives the value alone.
        values = params if isinstance(params, dict) else dict.fromkeys(space["names"], params)
        return tuple(values[name] for name in space["names"]) in allowed

    with tempfile.TemporaryDirectory() as folder:
        cache = os.path.join(folder, "cache.json")
        write_cache(cache, space)
        said = io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            try:
                results, _ = kernel_tuner.tune_kernel(
                    "kernel", "__global__ void kernel() {}", 1, [], space["params"], restrictions=restriction, lang="CUDA",
                    strategy=strategy, strategy_options={"max_fevals": max(2, len(allowed) // 2), "time_limit": SECONDS}, cache=cache, simulation_mode=True,
                    objective="time", objective_higher_is_better=False, seed=seed)
            except TypeError:
                # greedy_ils where no configuration differs in one parameter alone: it has found nothing.
                if strategy != "greedy_ils":
                    raise
                return order
    for result in results:
        key = tuple(int(result[name]) for name in space["names"])
        if key not in order and key in allowed:
            order.append(key)
    return order


def write_cache(path, space):
    entries = {}
    for key, time in space["times"].items():
        entry = dict(zip(space["names"], key))
        entry.update({"compile_time": 1.0, "verification_time": 0.0, "benchmark_time": 1.0, "strategy_time": 0.0,
                      "framework_time": 0.0, "timestamp": "2026-01-01T00:00:00+00:00"})
        entry["time"] = time if math.isfinite(time) else "RuntimeFailedConfig"
        entry["times"] = [time] if math.isfinite(time) else []
        if not math.isfinite(time):
            entry["__error__"] = "RuntimeFailedConfig"
        entries[",".join(str(value) for value in key)] = entry
    cache = {"schema_version": "1.2.0", "device_name": "recorded", "kernel_name": "kernel", "problem_size": 1,
             "tune_params_keys": space["names"], "tune_params": space["params"], "objective": "time", "cache": entries}
    with open(path, "w", encoding="utf-8") as file:
        json.dump(cache, file)


if __name__ == "__main__":
    main()
