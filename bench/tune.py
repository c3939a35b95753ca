#!/usr/bin/env python3
"""Measures, on a machine with a device, the schedules that `cargo xtask tune-spaces --prepare DIR` packed.

    python3 DIR/tune.py DIR OUT [--device cuda|opencl] [--time-limit SECONDS] [--filter NAME[,NAME…]]

Each executable has the candidates of its kernels as variants. Run with ACCL_REPLAY it repeats the first launch of each kernel with
all of them, on copies of what the kernel writes, compares the results and writes the times to a file. From these files come
OUT/PROGRAM.KERNEL.t4.json, the measurements in the community's T4 format, and OUT/PROGRAM.KERNEL.t1.json, the space. A program that
ends in a variant, or hangs there, is started again and goes on behind it. Only Python's standard library is used.
"""

import argparse
import glob
import json
import os
import shutil
import statistics
import subprocess
import sys
import time

# The part of the time that one program may take, so that there is some for the others.
PART = 0.2
# Seconds that a program may take in which its file does not grow: one variant is compiled, run and compared meanwhile.
LIMIT_STILL = 60


def main():
    args = arguments(__doc__)
    os.makedirs(args.out, exist_ok=True)
    deadline = time.monotonic() + args.time_limit
    env = environment(args)
    with open(os.path.join(args.dir, "plan.json"), encoding="utf-8") as file:
        plan = json.load(file)
    wanted = [name for name in args.filter.split(",") if name]
    programs = [entry for entry in plan["programs"] if not wanted or entry["name"] in wanted]
    share = args.time_limit * (PART if len(programs) > 1 / PART else 1)
    total = 0
    for entry in programs:
        if time.monotonic() > deadline - 5:
            print(f"{entry['name']}: no time is left")
            continue
        started = time.monotonic()
        told = measure(args, entry, env, min(deadline, started + share))
        total += told["kernels"]
        print(f"{entry['name']:14} {told['kernels']:3} kernels {told['right']:4} right {told['failed']:4} failed "
              f"{time.monotonic() - started:6.1f} s  {told['note']}", flush=True)
    print(f"{total} kernels measured")


def arguments(description):
    """Those of this program, and of the one beside it that times what tuning brings."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dir")
    parser.add_argument("out")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--time-limit", type=float, default=240)
    parser.add_argument("--filter", default="")
    parser.add_argument("--scratch", default="/tmp")
    return parser.parse_args()


def environment(args):
    """As bench/device.py finds the libraries that are loaded at run time."""
    env = dict(os.environ)
    wheels = [d for root in sys.path for d in glob.glob(os.path.join(root, "nvidia/*/lib"))]
    wheels += glob.glob("/opt/*/.venv/lib/python3*/site-packages/nvidia/*/lib")
    wheels += glob.glob("/usr/local/lib/python3*/*-packages/nvidia/*/lib")
    folders = sorted(glob.glob("/usr/local/cuda*/lib64") + glob.glob("/usr/local/cuda*/targets/x86_64-linux/lib")) + wheels
    nvrtc = next((d for d in folders if glob.glob(os.path.join(d, "libnvrtc.so*"))), "")
    driver = ["/usr/local/nvidia/lib64", "/usr/local/nvidia/lib"]
    found = [d for d in [nvrtc, *driver] if d and os.path.isdir(d)]
    if nvrtc and not os.path.exists(os.path.join(nvrtc, "libnvrtc.so")):
        files = sorted(f for f in glob.glob(os.path.join(nvrtc, "libnvrtc.so.*")))
        env["ACCL_NVRTC"] = files[-1]
    env["LD_LIBRARY_PATH"] = ":".join(found + [p for p in env.get("LD_LIBRARY_PATH", "").split(":") if p])
    env["ACC_DEVICE_TYPE"] = args.device
    env["ACCL_CACHE_DIR"] = os.path.join(args.scratch, "accl-tune-cache")
    for name in ("ACCL_NOTIFY", "ACCL_TIME", "ACCL_VARIANT"):
        env.pop(name, None)
    return env


def measure(args, entry, env, deadline):
    """Runs the executables of a program and writes its files."""
    name, note = entry["name"], ""
    with open(os.path.join(args.dir, name + ".space.json"), encoding="utf-8") as file:
        space = json.load(file)
    lines = []
    for executable in space["executables"]:
        record = os.path.join(os.path.abspath(args.out), executable + ".replay.jsonl")
        if os.path.exists(record):
            os.unlink(record)
        why = replay(os.path.join(os.path.abspath(args.dir), executable), entry, env, record, deadline)
        note = note or why
        lines.append(read(record))
    told = {"kernels": 0, "right": 0, "failed": 0, "note": note}
    device = device_of(args, env)
    wanted = entry["kernels"]
    for kernel in space["kernels"]:
        if wanted and kernel["id"] not in wanted:
            continue
        results = [result(kernel, candidate, lines) for candidate in kernel["candidates"]]
        results = [r for r in results if r]
        right = sum(r["invalidity"] == "correct" for r in results)
        if right == 0:
            continue
        told["kernels"] += 1
        told["right"] += right
        told["failed"] += len(results) - right
        stem = os.path.join(args.out, f"{name}.{kernel['file']}")
        t4 = {"schema_version": "1.0.0", "metadata": {"device": device, "program": name, "arguments": entry["args"],
              "kernel": kernel["id"], "usual": kernel["usual"], "usual_ms": usual(kernel, lines)}, "results": results}
        write(stem + ".t4.json", t4)
        write(stem + ".t1.json", kernel["space"])
    return told


def replay(executable, entry, env, record, deadline):
    """Runs until the program comes to its end. What went wrong, in a line."""
    env = {**env, "ACCL_REPLAY": record, "ACCL_REPLAY_TOLERANCE": str(entry["tolerance"])}
    note = ""
    for _ in range(40):
        code, text = run([executable, *entry["args"].split()], env, record, deadline)
        if code == 0:
            return note
        lines = [line for line in text.splitlines() if line.strip()]
        note = f"exit status {code}: {(lines or ['no message'])[0][:120]}"
        if code is None and time.monotonic() >= deadline:
            return "no time was left"
        if not any(record_open(read(record))):
            return note
    return note


def run(command, env, record, deadline):
    """The exit status, none where it was ended, and what it wrote to standard error."""
    with subprocess.Popen(command, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        still, size = time.monotonic(), -1
        while True:
            try:
                _, err = process.communicate(timeout=1)
                return process.returncode, err.decode("utf-8", "replace")
            except subprocess.TimeoutExpired:
                pass
            now = os.path.getsize(record) if os.path.exists(record) else 0
            if now != size:
                still, size = time.monotonic(), now
            if time.monotonic() > min(deadline, still + LIMIT_STILL):
                process.kill()
                process.communicate()
                return None, "it was ended"


def read(record):
    """The lines of a file of ACCL_REPLAY; one that was cut off is left out."""
    found = []
    if os.path.exists(record):
        with open(record, encoding="utf-8") as file:
            for line in file:
                try:
                    found.append(json.loads(line))
                except ValueError:
                    pass
    return found


def record_open(lines):
    """Variants that began and came to nothing."""
    states = {}
    for line in lines:
        if "variant" in line:
            states[(line["kernel"], line["class"], line["variant"])] = line["state"]
    return [key for key, state in states.items() if state == "begun"]


def own_lines(kernel, lines, variants=None):
    """Those of a kernel's largest size class, of some variants or of all."""
    own = [line for line in lines if line["kernel"] == kernel["symbol"]]
    own = [line for line in own if variants is None or line.get("variant") in variants]
    largest = max((line["class"] for line in own), default=0)
    return [line for line in own if line["class"] == largest]


def result(kernel, candidate, lines):
    """A result in the form T4; none where the candidate came to nothing."""
    own = own_lines(kernel, lines[candidate["executable"]], [candidate["variant"]])
    if not own:
        return None
    last = own[-1]
    if last["state"] == "checked":
        return None
    seconds = last["seconds"] if last["state"] == "times" else []
    word = "correct" if seconds else last.get("why", "runtime")
    milliseconds = [s * 1e3 for s in seconds]
    measurements = []
    if seconds:
        measurements.append({"name": "time", "value": statistics.median(milliseconds), "unit": "ms"})
    else:
        measurements.append({"name": "failure", "value": last.get("detail", "the program ended in it"), "unit": ""})
    return {"configuration": candidate["configuration"], "schedule": candidate["schedule"], "model": candidate["model"],
            "objectives": ["time"], "times": {"runtimes": milliseconds}, "invalidity": word,
            "correctness": int(bool(seconds)), "measurements": measurements}


def usual(kernel, lines):
    """The median of what launches take without tuning, in milliseconds."""
    of = [line for all in lines for line in own_lines(kernel, all) if line["state"] == "times" and line["usual"]]
    return statistics.median(of[0]["seconds"]) * 1e3 if of else None


def device_of(args, env):
    smi = shutil.which("nvidia-smi") if args.device == "cuda" else None
    if smi:
        told = subprocess.run([smi, "--query-gpu=name", "--format=csv,noheader"], env=env, capture_output=True, text=True, check=False)
        return told.stdout.strip().splitlines()[0] if told.stdout.strip() else args.device
    return args.device


def write(path, value):
    with open(path + ".new", "w", encoding="utf-8") as file:
        json.dump(value, file, indent=1)
        file.write("\n")
    os.replace(path + ".new", path)


if __name__ == "__main__":
    main()
