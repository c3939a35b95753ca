#!/usr/bin/env python3
"""Times, on a machine with a device, what `cargo xtask tune-spaces --only tuned --prepare DIR` packed: figure 5 of paper 002.

    python3 DIR/tuned.py DIR OUT [--device cuda|opencl] [--time-limit SECONDS] [--filter NAME[,NAME…]]

    Serial   the program without its directives, by gcc
    AllOpt   as the compiler makes it
    ProfT    with the schedules that are the fastest for the training input
    ProdT    with those that are the fastest for the input that counts
    UAT      the same and, where it is faster and the result is right, with fast mathematics, which needs the user's word
    Manual   the same program written by hand in CUDA

All are timed with the inputs that count, in turn. Schedules are measured by replay, as tune.py does: an executable has the candidates of
all kernels as variants, ACCL_VARIANT names those to take. Where loops can be spread over the launch in several ways there are several
executables; the one is taken whose winners together are the fastest with the input that it is tuned with. OUT/tuned.json has the
times, after each program. Only Python's standard library is used.
"""

import concurrent.futures
import json
import os
import shutil
import statistics
import subprocess
import time

import tune

# Programs that fill the cache of compiled kernels side by side, before anything is measured.
SIDE_BY_SIDE = 12
# A variant is taken where it is faster than the usual one by this part.
GAIN = 0.01
RUNS = 2
LIMIT_RUN = 20


def main():
    args = tune.arguments(__doc__)
    session = Session(args)
    results = {"device": tune.device_of(args, session.env), "programs": []}
    with concurrent.futures.ThreadPoolExecutor(SIDE_BY_SIDE) as pool:
        twins = {entry["name"]: pool.submit(session.build_twins, entry) for entry in session.programs}
        warm = [pool.submit(session.replayed, entry, entry["train"], "warm") for entry in session.programs]
        for task in [*twins.values(), *warm]:
            task.result()
        serial = {(entry["name"], line): pool.submit(session.run, entry, Way("Serial", session.twin(entry, "serial")), line)
                  for entry in session.programs for line in entry["production"]}
        session.say("compiled")
        for entry in session.programs:
            for row in session.program(entry):
                results["programs"].append(row)
                tune.write(os.path.join(args.out, "tuned.json"), results)
                session.say(" ".join([row["name"], row["args"], *(f"{way} {ms:.4g}" for way, ms in row["kernel_ms"].items())]))
        for row in results["programs"]:
            told = serial[(row["name"], row["args"])].result()
            if told:
                row["kernel_ms"]["Serial"] = told["kernel_ms"]
                row["app_ms"]["Serial"] = told["app_ms"]
        tune.write(os.path.join(args.out, "tuned.json"), results)
    session.say("done")


class Way:
    """An executable, with the variants that it takes."""

    def __init__(self, name, executable, variants=None):
        self.name, self.executable, self.variants = name, executable, variants or {}

    def rules(self):
        return ",".join(f"{place}={variant}" for place, all in self.variants.items() for variant in all)


class Session:
    def __init__(self, args):
        self.args = args
        self.start = time.monotonic()
        self.deadline = self.start + args.time_limit
        self.env = tune.environment(args)
        self.out = os.path.abspath(args.out)
        os.makedirs(self.out, exist_ok=True)
        with open(self.path("plan.json"), encoding="utf-8") as file:
            wanted = [name for name in args.filter.split(",") if name]
            self.programs = [e for e in json.load(file)["programs"] if not wanted or e["name"] in wanted]

    def path(self, *parts):
        return os.path.join(os.path.abspath(self.args.dir), *parts)

    def say(self, text):
        print(f"{time.monotonic() - self.start:6.1f} s  {text}", flush=True)

    def twin(self, entry, kind):
        return os.path.join(self.args.scratch, f"accl-tuned-{entry['name']}-{kind}")

    def build_twins(self, entry):
        """The program without directives, and the one in CUDA."""
        source = self.path("src", entry["folder"])
        commands = [["gcc", "-O3", *entry["flags"], os.path.join(source, entry["source"]), *entry["libs"], "-o", self.twin(entry, "serial")]]
        nvcc = shutil.which("nvcc") or shutil.which("nvcc", path="/usr/local/cuda/bin")
        if nvcc and entry["cuda"]:
            commands.append([nvcc, "-O3", "-arch=sm_90", os.path.join(source, entry["cuda"]), *entry["libs"], "-o", self.twin(entry, "manual")])
        for command in commands:
            told = subprocess.run(command, capture_output=True, text=True, check=False)
            if told.returncode != 0:
                self.say(f"{entry['name']}: {' '.join(command[:1])}: {told.stderr.strip()[:200]}")

    def space(self, entry):
        with open(self.path(entry["name"] + ".space.json"), encoding="utf-8") as file:
            return json.load(file)

    def replayed(self, entry, line, name):
        """The lines that replay writes of each executable of a program."""
        lines = []
        for executable in self.space(entry)["executables"]:
            record = os.path.join(self.args.scratch, f"accl-tuned-{executable}.{name}.jsonl")
            if os.path.exists(record):
                os.unlink(record)
            why = tune.replay(self.path(executable), {"args": line, "tolerance": entry["tolerance"]}, self.env, record, self.deadline)
            if why:
                self.say(f"{executable} {line}: {why}")
            lines.append(tune.read(record))
        return lines

    def tuned(self, entry, name, line):
        """The executable and the variants that are the fastest with an input; the program as it is where none is faster."""
        space, lines = self.space(entry), self.replayed(entry, line, name)
        ways = [Way(name, self.path(executable), winners(space, number, lines[number]))
                for number, executable in enumerate(space["executables"])]
        # The program as it is stays where nothing is faster: naming variants takes the host time, too.
        ways = [Way(name, self.path(space["executables"][0]))] + [way for way in ways if way.variants]
        times = [self.time(entry, way, line, 1) for way in ways]
        right = [(told["kernel_ms"], at) for at, told in enumerate(times) if told]
        return ways[min(right)[1]] if right else None

    def run(self, entry, way, line):
        """The line RESULT of a run whose check passed; none where it did not."""
        env = {**self.env, **({"ACCL_VARIANT": way.rules()} if way.variants else {})}
        try:
            told = subprocess.run([way.executable, *line.split()], env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                  timeout=max(1, min(LIMIT_RUN, self.deadline - time.monotonic())), check=False)
        except (subprocess.TimeoutExpired, OSError) as why:
            self.say(f"{entry['name']} {line} {way.name}: {str(why)[:150]}")
            return None
        fields = [row.split()[1:] for row in told.stdout.splitlines() if row.startswith("RESULT ")]
        fields = dict(word.split("=", 1) for word in (fields or [[]])[0] if "=" in word)
        if told.returncode != 0 or fields.get("check") != "PASS":
            self.say(f"{entry['name']} {line} {way.name}: exit status {told.returncode} {told.stderr.strip()[:150]}")
            return None
        return {"kernel_ms": float(fields["kernel_ms"]), "app_ms": float(fields["app_ms"])}

    def time(self, entry, way, line, runs):
        """Medians of some runs."""
        all = [self.run(entry, way, line) for _ in range(runs)]
        all = [told for told in all if told]
        return {key: statistics.median(told[key] for told in all) for key in all[0]} if all else None

    def program(self, entry):
        """A row for each input that counts."""
        if time.monotonic() > self.deadline - 10:
            return
        trained = self.tuned(entry, "ProfT", entry["train"])
        for line in entry["production"]:
            if time.monotonic() > self.deadline - 5:
                return
            assisted = self.tuned(entry, "ProdT", line)
            ways = [Way("AllOpt", self.path(entry["name"] + ".0")), trained, assisted]
            if assisted:
                fast = assisted.executable.replace(entry["name"] + ".", entry["name"] + "-fast.")
                ways += [Way("fast", fast, assisted.variants)] if os.path.exists(fast) else []
            ways += [Way("Manual", self.twin(entry, "manual"))]
            ways = [way for way in ways if way and os.path.exists(way.executable)]
            told = {way.name: [] for way in ways}
            for _ in range(RUNS):
                for way in ways:
                    one = self.run(entry, way, line)
                    told[way.name] += [one] if one else []
            yield row(entry, line, ways, told)


def row(entry, line, ways, told):
    made = {"name": entry["name"], "paper": entry["paper"], "args": line, "train": entry["train"], "kernel_ms": {}, "app_ms": {}}
    for key in ("kernel_ms", "app_ms"):
        of = {name: statistics.median(one[key] for one in all) for name, all in told.items() if all}
        # What the user approves is kept where it is faster.
        fast = of.pop("fast", None)
        if "ProdT" in of:
            of["UAT"] = min(of["ProdT"], fast or of["ProdT"])
        made[key] = of
    made["chosen"] = {way.name: {"executable": os.path.basename(way.executable), "variants": way.variants} for way in ways if way.variants}
    return made


def winners(space, number, lines):
    """Of each place, the variants of an executable that are faster than what is usual there, one for each kernel."""
    found = {}
    for kernel in space["kernels"]:
        own = [c["variant"] for c in kernel["candidates"] if c["executable"] == number]
        times = [(statistics.median(line["seconds"]), line["variant"])
                 for line in tune.own_lines(kernel, lines, own) if line["state"] == "times" and line["seconds"]]
        same = [line for line in tune.own_lines(kernel, lines) if line["state"] == "times" and line["usual"]]
        usual = statistics.median(same[0]["seconds"]) if same else float("inf")
        if times and min(times)[0] < (1 - GAIN) * usual:
            found.setdefault(f"{kernel['function']}:{kernel['line']}", []).append(min(times)[1])
    return found


if __name__ == "__main__":
    main()
