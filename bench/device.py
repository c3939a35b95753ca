#!/usr/bin/env python3
"""Runs what `cargo xtask bench --prepare DIR` packed, on a machine that needs no Rust.

    python3 DIR/bench/device.py DIR [--only conformance,bench,emitted] [--device cuda,opencl,cpu]
                                    [--names a,b] [--repeat 3] [--json FILE] [--seconds 500]

conformance  every program of the suite on CUDA and OpenCL: its own check, and the launches and transfers
             its header names
bench        every benchmark at its large size on CUDA against the hand-written CUDA (nvcc -O3), on OpenCL,
             and on the CPU against gcc -fopenmp; runs of the two are interleaved, medians are shown
emitted      the CUDA source accl made, compiled by nvcc for the GPU found

Ratios are peer / accl: above 1, accl is faster. Results go to the JSON file as they come.
"""

import argparse
import concurrent.futures
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import time

START = time.monotonic()


def main():
    args = arguments()
    with open(os.path.join(args.dir, "manifest.json")) as file:
        packed = json.load(file)
    results = {"machine": machine(), "conformance": {}, "benchmarks": []}
    print(f"machine: {results['machine']}", flush=True)
    os.makedirs(os.path.join(args.dir, "peers"), exist_ok=True)
    good = True
    try:
        if "conformance" in args.only:
            good &= conformance(args, packed, results)
        if "emitted" in args.only:
            good &= emitted(args, results)
        if "bench" in args.only:
            good &= benchmarks(args, packed, results)
    finally:
        save(args, results)
    return 0 if good else 1


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dir")
    parser.add_argument("--only", default="conformance,emitted,bench")
    parser.add_argument("--device", default="cuda,opencl,cpu")
    parser.add_argument("--names", default="")
    parser.add_argument("--repeat", type=int, default=3, help="runs of each program; the median counts")
    parser.add_argument("--json", default="results.json")
    parser.add_argument("--seconds", type=int, default=3600, help="begin no further program after this time")
    args = parser.parse_args()
    args.dir = os.path.abspath(args.dir)
    args.only = args.only.split(",")
    args.device = [d for d in args.device.split(",") if d]
    args.names = [n for n in args.names.split(",") if n]
    return args


def time_left(args):
    return time.monotonic() - START < args.seconds


def save(args, results):
    with open(args.json, "w") as file:
        json.dump(results, file, indent=1)


def output_of(words):
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=60)
        return done.stdout.strip() if done.returncode == 0 else ""
    except (OSError, subprocess.TimeoutExpired):
        return ""


def machine():
    gpu = output_of(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]).split("\n")[0]
    return f"{gpu or 'no NVIDIA GPU'}; {os.cpu_count()} CPU threads"


def nvcc():
    return os.environ.get("ACCL_NVCC") or shutil.which("nvcc")


def gpu_arch():
    found = output_of(["nvidia-smi", "--query-gpu=compute_cap", "--format=csv,noheader"]).split("\n")[0]
    return "sm_" + found.replace(".", "") if found else ""


def devices_found(args):
    """Those of the devices asked for on which a program of ours starts."""
    has_gpu = bool(gpu_arch())
    return [d for d in args.device if d != "cuda" or has_gpu]


# ---- Running -----------------------------------------------------------------------------------


def environment(args, device, extra=None):
    env = dict(os.environ)
    env["LD_LIBRARY_PATH"] = os.path.join(args.dir, "lib") + ":" + env.get("LD_LIBRARY_PATH", "")
    if device:
        env["ACC_DEVICE_TYPE"] = device
    env.update(extra or {})
    return env


def run(words, env, timeout=120, cwd=None):
    """(exit code, stdout, stderr); code 124 for a program that did not end."""
    try:
        done = subprocess.run(
            words, capture_output=True, text=True, errors="replace", env=env, timeout=timeout, cwd=cwd
        )
        return done.returncode, done.stdout, done.stderr
    except subprocess.TimeoutExpired:
        return 124, "", f"ran longer than {timeout} s"
    except OSError as error:
        return 127, "", str(error)


# ---- Conformance -------------------------------------------------------------------------------

NOTES = {"launches": "launch ", "uploads": "upload ", "downloads": "download "}
RELATIONS = {
    "=": lambda a, b: a == b,
    ">=": lambda a, b: a >= b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    "<": lambda a, b: a < b,
}


def judge(program, code, out, err):
    """What does not agree with the program's header."""
    wrong = []
    wanted = program["expect_exit"]
    if code != 0 if wanted == "0" else (code == 0 if wanted == "nonzero" else str(code) != wanted):
        wrong.append(f"exit status {code}, wanted {wanted}")
    if wanted == "0" and code == 0 and "PASS" not in out.split("\n"):
        wrong.append("it did not print PASS")
    lines = err.split("\n")
    for word in " ".join(program["expect"]).split():
        match = re.fullmatch(r"(\w+)(>=|<=|=|>|<)(\d+)", word)
        if match:
            start = NOTES.get(match[1], match[1])
            seen = sum(line.startswith(start) for line in lines)
            if not RELATIONS[match[2]](seen, int(match[3])):
                wrong.append(f"expected {word}, seen {seen}")
    for pattern in program["expect_stderr"]:
        if not any(re.search(pattern, line) for line in lines):
            wrong.append(f"no line of standard error matches: {pattern}")
    return wrong


def without_notes(text, limit=12):
    lines = [line for line in text.split("\n") if not line.startswith(tuple(NOTES.values()))]
    return [line for line in lines if line][:limit]


def conformance(args, packed, results):
    good = True
    programs = [p for p in packed["conformance"] if not args.names or p["name"] in args.names]
    unbuilt = [n for n in packed["failed_to_build"]]
    for device in [d for d in devices_found(args) if d != "cpu"]:
        begin = time.monotonic()

        def one(program):
            path = os.path.join(args.dir, "conformance", program["name"])
            if not os.path.exists(path):
                return program["name"], ["it was not built"], []
            extra = {"ACCL_NOTIFY": "3", **program["env"]}
            code, out, err = run([path] + program["args"], environment(args, device, extra))
            wrong = judge(program, code, out, err)
            return program["name"], wrong, without_notes(out + "\n" + err)

        with concurrent.futures.ThreadPoolExecutor(min(8, os.cpu_count() or 2)) as pool:
            outcomes = list(pool.map(one, programs))
        failed = [o for o in outcomes if o[1]]
        results["conformance"][device] = {
            "passed": len(outcomes) - len(failed),
            "failed": {name: wrong for name, wrong, _ in failed},
        }
        for name, wrong, text in failed:
            if name not in unbuilt:
                print(f"FAIL {device} {name}: {'; '.join(wrong)}")
                print("".join(f"    {line}\n" for line in text), end="")
        seconds = time.monotonic() - begin
        print(f"conformance {device}: {len(outcomes) - len(failed)} passed, {len(failed)} failed in {seconds:.0f} s")
        print(f"    failed: {' '.join(o[0] for o in failed)}" if failed else "", flush=True)
        save(args, results)
        good &= not failed
    return good


# ---- Emitted source ----------------------------------------------------------------------------


def emitted(args, results):
    arch, compiler = gpu_arch() or "sm_90", nvcc()
    folder = os.path.join(args.dir, "emitted")
    sources = sorted(f for f in os.listdir(folder) if f.endswith(".cu"))
    if not compiler or not sources:
        return True

    def one(name):
        words = [compiler, "-cubin", f"-arch={arch}", "-o", os.devnull, os.path.join(folder, name)]
        return name, run(words, dict(os.environ))

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        failed = [(name, err) for name, (code, _, err) in pool.map(one, sources) if code != 0]
    for name, err in failed:
        print(f"FAIL nvcc {name}: {err[:300]}")
    print(f"emitted CUDA compiled for {arch}: {len(sources) - len(failed)} passed, {len(failed)} failed", flush=True)
    results["emitted"] = {"passed": len(sources) - len(failed), "failed": [name for name, _ in failed]}
    return not failed


# ---- Benchmarks --------------------------------------------------------------------------------


def lines_of(value):
    return [value] if isinstance(value, str) else value


def build_peers(args, benches):
    """{(benchmark, peer): executable}"""
    arch, jobs = gpu_arch(), []
    for bench in benches:
        folder = os.path.join(args.dir, "bench", bench["name"])
        libs = [f"-l{lib}" for lib in bench["libs"]]
        out = os.path.join(args.dir, "peers", bench["name"])
        if bench["cuda"] and arch and nvcc() and "cuda" in args.device:
            source = os.path.join(folder, bench["cuda"])
            jobs.append((bench["name"], "cuda", [nvcc(), "-O3", f"-arch={arch}", "-o", out + ".cuda", source] + libs))
        if "cpu" in args.device and shutil.which("gcc"):
            source = os.path.join(folder, bench["source"])
            compiler = "gcc" if source.endswith(".c") else "g++"
            flags = ["-O3", "-march=native", "-fopenmp", "-w"] + bench["flags"]
            jobs.append((bench["name"], "gcc -fopenmp", [compiler] + flags + ["-o", out + ".omp", source] + libs))
    peers = {}

    def one(job):
        name, peer, words = job
        return job, run(words, dict(os.environ), timeout=300)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        for (name, peer, words), (code, _, err) in pool.map(one, jobs):
            if code == 0:
                peers[name, peer] = words[words.index("-o") + 1]
            else:
                print(f"peer {name} ({peer}) does not build: {err[:300]}")
    return peers


def measure(path, args_line, env, timeout=200):
    """The fields of the RESULT line, or {'fault': why}."""
    code, out, err = run([path] + args_line.split(), env, timeout=timeout)
    for line in out.split("\n"):
        if line.startswith("RESULT "):
            fields = dict(word.split("=", 1) for word in line.split()[1:])
            fields["kernel_ms"], fields["app_ms"] = float(fields["kernel_ms"]), float(fields["app_ms"])
            return fields
    text = without_notes(err or out, 3)
    return {"fault": f"exit status {code}: {' | '.join(text)}"}


def median_of(runs):
    """One result for several runs; the check is the worst."""
    good = [r for r in runs if "fault" not in r]
    if not good:
        return runs[0]
    merged = dict(good[0])
    for key in ("kernel_ms", "app_ms"):
        merged[key] = statistics.median(r[key] for r in good)
        merged[key + "_all"] = [r[key] for r in good]
    merged["check"] = "PASS" if len(good) == len(runs) and all(r["check"] == "PASS" for r in good) else "FAIL"
    return merged


ROW = "{:<34} {:<7} {:>11} {:>11} {:>6} {:>11} {:>11} {:>6}  {}"


def benchmarks(args, packed, results):
    benches = [b for b in packed["benchmarks"] if not args.names or b["name"] in args.names]
    peers = build_peers(args, benches)
    print(ROW.format("program and size", "device", "kernel ms", "peer", "ratio", "app ms", "peer", "ratio", "check"))
    good = True
    for bench in benches:
        for device in devices_found(args):
            sizes = bench["args_cpu"] if device == "cpu" else bench["args_large"]
            for line in lines_of(sizes):
                if not time_left(args):
                    print("time is over")
                    return False
                good &= one_size(args, results, bench, device, line, peers)
                save(args, results)
    return good


def one_size(args, results, bench, device, line, peers):
    name = bench["name"]
    ours = os.path.join(args.dir, "programs", name)
    peer_name = {"cuda": "cuda", "opencl": "cuda", "cpu": "gcc -fopenmp"}[device]
    peer = peers.get((name, peer_name))
    if not os.path.exists(ours):
        print(f"{name}: it was not built")
        return False
    repeat = args.repeat if device != "opencl" else 1
    our_runs, peer_runs = [], []
    for _ in range(repeat):
        our_runs.append(measure(ours, line, environment(args, device)))
        if peer and device != "opencl":
            peer_runs.append(measure(peer, line, environment(args, None)))
        if "fault" in our_runs[-1]:
            break
    us, them = median_of(our_runs), median_of(peer_runs) if peer_runs else {}
    if device == "opencl":
        # The peer ran on CUDA at this size a moment ago.
        same = [r for r in results["benchmarks"] if r["name"] == name and r["args"] == line and r["device"] == "cuda"]
        them = same[0]["peer"] if same else {}
    results["benchmarks"].append({"name": name, "args": line, "device": device, "accl": us, "peer": them})
    title = f"{name} {line}"
    if "fault" in us:
        print(f"{title:<34} {device:<7} FAIL {us['fault']}", flush=True)
        return False

    def cells(key):
        if not them or "fault" in them:
            return [f"{us[key]:.4g}", "-", "-"]
        return [f"{us[key]:.4g}", f"{them[key]:.4g}", f"{them[key] / us[key]:.2f}" if us[key] > 0 else "-"]

    print(ROW.format(title[:34], device, *cells("kernel_ms"), *cells("app_ms"), us["check"]), flush=True)
    if "fault" in them:
        print(f"    peer: {them['fault']}")
    return us["check"] == "PASS"


if __name__ == "__main__":
    sys.exit(main())
