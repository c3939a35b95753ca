#!/usr/bin/env python3
"""Tests and measures, on a machine with a GPU, what `cargo xtask bench --prepare DIR` packed.

    python3 DIR/device.py DIR OUT [--only PHASE[,PHASE…]] [--time-limit SECONDS] [--device D[,D]]

Time on such a machine is short, so: what is not timed runs on all cores; every step has a limit, and
goes on after a failure; OUT/results.json is rewritten after each step and OUT/log.txt has the output of
whatever failed. The last thing printed is a table of less than 12,000 characters. `cargo xtask bench
--report results.json` takes it over into docs/results.

Phases, in this order; those in brackets run only when named:

    env          GPU, driver, compilers, what `accl devices` finds
    build        the peers, by nvcc and gcc; registers and spills of our kernels and of the hand-written
    conformance  every conformance program on cuda and on opencl, launches and transfers counted
    random       random programs, where some were packed, on cuda, on opencl and on the cpu, against the host compiler's
    bench        every program at its large sizes: ours, CUDA by hand, gcc -fopenacc, interleaved
    startup      the wall time of a tiny program, device code cached and not
    opencl       ours at the large sizes through OpenCL
    cpu          ours on this machine's processor against gcc -fopenmp
    ports        programs translated to CUDA, made by `make` with this machine's nvcc, and run
    sanitize     compute-sanitizer's memcheck, racecheck and synccheck
    [profile]    ours once at each large size under ACCL_TIME
    [ncu]        the counters of the kernels of --ncu's programs, ours and the hand-written

Only Python's standard library is used. It runs without a GPU, too, with --device cpu or opencl.
"""

import argparse
import concurrent.futures
import glob
import hashlib
import json
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import threading
import time

PHASES = ["env", "build", "conformance", "random", "bench", "startup", "opencl", "cpu", "ports", "sanitize", "figures", "profile",
          "ncu"]
ONLY_WHEN_NAMED = ["figures", "profile", "ncu"]
TABLE_CHARACTERS = 11_500

# Seconds a single run may take.
LIMIT_TEST = 25
LIMIT_SLOW_TEST = 90
LIMIT_BENCH = 60
LIMIT_COMPILE = 120
LIMIT_SANITIZE = 60
# Seconds after which a phase starts nothing more: programs that hang must not eat the session. Not without a
# GPU, where time is no matter.
PHASE_SECONDS = {"build": 150, "conformance": 240, "random": 200, "bench": 420, "startup": 60, "opencl": 150, "cpu": 90, "ports": 120,
                 "sanitize": 150, "figures": 400, "profile": 120, "ncu": 240}

# The conformance programs that compute-sanitizer looks at: barriers, shared memory, atomics.
SANITIZED = ("101_", "122_", "124_", "125_", "126_", "128_", "20", "21", "411_", "412_", "415_", "424_", "426_",
             "03", "04", "059_", "130_", "90", "91", "95", "96", "97", "98")


class Result:
    """What a process gave. `code` is None where it ran past its limit."""

    def __init__(self, code, out, err, seconds, limit):
        self.code, self.out, self.err, self.seconds, self.limit = code, out, err, seconds, limit

    def why(self):
        """One line on what went wrong."""
        if self.code is None:
            return f"stopped after {self.limit:.0f} s"
        if self.code < 0:
            return f"ended by {signal.Signals(-self.code).name}"
        lines = [line.strip() for line in (self.err + "\n" + self.out).splitlines() if line.strip()]
        lines = [line for line in lines if not line.startswith(("launch ", "upload ", "download "))]
        told = [line for line in lines if re.search(r"error|fail|cannot|invalid|illegal", line, re.I)]
        return f"exit status {self.code}: {(told or lines or ['no message'])[0][:200]}"


class Session:
    """The plan, the results so far, and the time left."""

    def __init__(self, args):
        self.args = args
        self.dir = os.path.abspath(args.dir)
        self.out = os.path.abspath(args.out)
        os.makedirs(self.out, exist_ok=True)
        self.scratch = self.scratch_folder()
        self.start = time.monotonic()
        self.deadline = self.start + args.time_limit
        self.phase_end = self.deadline
        self.lock = threading.Lock()
        self.running = set()
        self.done = []
        self.log_file = open(os.path.join(self.out, "log.txt"), "a", encoding="utf-8")
        with open(os.path.join(self.dir, "plan.json"), encoding="utf-8") as file:
            self.plan = json.load(file)
        if "conformance" not in self.plan:
            sys.exit(f"{self.dir} is half made: run `cargo xtask bench --prepare` again")
        self.results = self.earlier_results()
        self.results.setdefault("compile_ms", self.plan.get("compile_ms", {}))
        self.cores = os.cpu_count() or 1
        self.jobs = args.jobs or min(16, max(2, self.cores))
        self.gpu = self.run(["nvidia-smi", "-L"], limit=30).out.startswith("GPU 0")
        self.env = self.environment()

    def scratch_folder(self):
        """The same for the same plan, so that a second call on a machine has the first one's work."""
        with open(os.path.join(self.dir, "plan.json"), "rb") as file:
            key = hashlib.sha256(self.dir.encode() + file.read()).hexdigest()[:10]
        folder = os.path.join(self.args.scratch, "accl-device-" + key)
        os.makedirs(folder, exist_ok=True)
        return folder

    def earlier_results(self):
        """Those of calls before this one on this machine, or of --after."""
        file = self.args.after or os.path.join(self.scratch, "results.json")
        if not os.path.exists(file) or self.args.fresh:
            return {}
        with open(file, encoding="utf-8") as earlier:
            return json.load(earlier)

    def programs(self):
        wanted = self.args.filter.split(",") if self.args.filter else []
        named = [p for p in self.plan["programs"] if not wanted or p["manifest"]["name"] in wanted]
        return [p for p in named if "accl" in p["executables"]]

    def path(self, *parts):
        return os.path.join(self.dir, *parts)

    # Time

    def left(self):
        return self.deadline - time.monotonic()

    def limit_phase(self, seconds):
        self.phase_end = time.monotonic() + seconds if self.gpu else self.deadline

    def phase_left(self):
        return min(self.left(), self.phase_end - time.monotonic())

    # Environment

    def environment(self):
        """For all processes: the libraries that are loaded at run time, and our own caches."""
        env = dict(os.environ)
        self.libraries = self.find_libraries()
        found = [d for d in self.libraries.values() if d] + [self.path("bin")]
        env["LD_LIBRARY_PATH"] = ":".join(found + env.get("LD_LIBRARY_PATH", "").split(":")).rstrip(":")
        env["ACCL_CACHE_DIR"] = os.path.join(self.scratch, "cache")
        env["CUDA_CACHE_PATH"] = os.path.join(self.scratch, "nv")
        env["POCL_CACHE_DIR"] = os.path.join(self.scratch, "pocl")
        vendors = self.opencl_vendors()
        if vendors:
            env["OCL_ICD_VENDORS"] = vendors
            env["OCL_ICD_FILENAMES"] = ":".join(open(f).read().strip() for f in glob.glob(vendors + "/*.icd"))
        for name in self.args.env:
            key, _, value = name.partition("=")
            env[key] = value
        for name in ("ACC_DEVICE_TYPE", "ACC_DEVICE_NUM", "ACCL_NOTIFY"):
            env.pop(name, None)
        return env

    def find_libraries(self):
        """Folders to put on LD_LIBRARY_PATH, by library; empty where the loader finds it anyway."""
        cuda = sorted(glob.glob("/usr/local/cuda*/lib64") + glob.glob("/usr/local/cuda*/targets/x86_64-linux/lib"))
        wheels = []
        for root in {*sys.path, *glob.glob("/opt/*/.venv/lib/python3*/site-packages"),
                     *glob.glob("/usr/lib/python3*/site-packages"), *glob.glob("/usr/local/lib/python3*/*-packages")}:
            wheels += glob.glob(os.path.join(root, "nvidia/*/lib"))
        driver = ["/usr/local/nvidia/lib64", "/usr/local/nvidia/lib", "/usr/lib/x86_64-linux-gnu"]

        def holding(name, folders):
            return next((d for d in folders if glob.glob(os.path.join(d, name))), "")

        loaded = self.run(["ldconfig", "-p"], limit=20).out
        found = {"libnvrtc": holding("libnvrtc.so*", cuda + sorted(wheels)),
                 "libcuda": "" if "libcuda.so.1" in loaded else holding("libcuda.so.1", driver),
                 "libOpenCL": ""}
        if found["libnvrtc"] and not glob.glob(os.path.join(found["libnvrtc"], "libnvrtc.so")):
            found["libnvrtc"] = self.plainly_named(found["libnvrtc"])
        if "libOpenCL.so.1" not in loaded:
            found["libOpenCL"] = holding("libOpenCL.so.1", cuda + [self.path("lib/opencl")])
        return found

    def plainly_named(self, folder):
        """A folder of links, in which libnvrtc.so.13 is called libnvrtc.so as well."""
        links = os.path.join(self.scratch, "lib")
        os.makedirs(links, exist_ok=True)
        for file in os.listdir(links):
            os.unlink(os.path.join(links, file))
        for file in glob.glob(os.path.join(folder, "libnvrtc*")):
            os.symlink(file, os.path.join(links, os.path.basename(file)))
        versions = [f for f in sorted(os.listdir(links)) if re.fullmatch(r"libnvrtc\.so\.\d+", f)]
        if versions:
            os.symlink(versions[-1], os.path.join(links, "libnvrtc.so"))
        return links

    def opencl_vendors(self):
        """A folder that names NVIDIA's OpenCL driver, where the system's does not and there is one."""
        system = [open(f).read() for f in glob.glob("/etc/OpenCL/vendors/*.icd")]
        if any("nvidia" in text for text in system):
            return ""
        places = ["/usr/local/nvidia/lib64", "/usr/local/nvidia/lib", "/usr/lib/x86_64-linux-gnu", "/usr/lib64"]
        drivers = [f for d in places for f in sorted(glob.glob(d + "/libnvidia-opencl.so*"))]
        if not drivers:
            return ""
        folder = os.path.join(self.scratch, "vendors")
        os.makedirs(folder, exist_ok=True)
        for number, text in enumerate(system + [drivers[0]]):
            with open(os.path.join(folder, f"{number}.icd"), "w") as file:
                file.write(text.strip() + "\n")
        return folder

    def device_env(self, device, **more):
        """Of our programs on a device."""
        threads = os.environ.get("ACCL_NUM_THREADS", str(self.cores))
        env = {**self.env, "ACC_DEVICE_TYPE": device, "ACCL_NUM_THREADS": threads, **more}
        return env

    def peer_env(self, peer):
        """Of a peer's programs: its own libraries come first, and only for it."""
        threads = os.environ.get("ACCL_NUM_THREADS", str(self.cores))
        env = dict(self.env)
        if peer["carries"]:
            env["LD_LIBRARY_PATH"] = self.path("lib", peer["name"]) + ":" + env["LD_LIBRARY_PATH"]
        env.update({name: text.replace("{threads}", threads) for name, text in peer["env"].items()})
        return env

    # Processes

    def run(self, command, env=None, limit=60, cwd=None):
        """Runs to the end, or to the limit, when its whole process group is killed."""
        limit = max(1.0, min(limit, self.left()))
        begin = time.monotonic()
        try:
            process = subprocess.Popen(
                command, env=env or dict(os.environ), cwd=cwd or self.scratch, stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
        except OSError as error:
            return Result(127, "", f"{command[0]}: {error.strerror}", 0.0, limit)
        with self.lock:
            self.running.add(process.pid)
        try:
            out, err = process.communicate(timeout=limit)
            code = process.returncode
        except subprocess.TimeoutExpired:
            self.kill(process.pid)
            try:
                out, err = process.communicate(timeout=10)
            except subprocess.TimeoutExpired:
                out, err = b"", b"not even SIGKILL ended it"
            code = None
        finally:
            with self.lock:
                self.running.discard(process.pid)
        text = [part.decode("utf-8", "replace") for part in (out, err)]
        return Result(code, *text, time.monotonic() - begin, limit)

    @staticmethod
    def kill(pid):
        try:
            os.killpg(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def parallel(self, tasks, jobs=None):
        """Runs functions on several threads, until the phase's time is up."""
        def guarded(task):
            if self.phase_left() > 3:
                task()
        with concurrent.futures.ThreadPoolExecutor(jobs or self.jobs) as pool:
            for future in [pool.submit(guarded, task) for task in tasks]:
                try:
                    future.result()
                except Exception as error:  # a task's mistake must not end the session
                    self.log(f"internal error: {error!r}")

    # Records

    def log(self, text, keep=4000):
        if len(text) > keep:
            text = text[:keep // 2] + f"\n… {len(text) - keep} characters …\n" + text[-keep // 2:]
        with self.lock:
            self.log_file.write(text.rstrip() + "\n")
            self.log_file.flush()

    def log_failure(self, name, result):
        notes = ("launch ", "upload ", "download ")
        lines = result.err.splitlines()
        shown = [line for line in lines if not line.startswith(notes)]
        counted = [line for line in lines if line.startswith(notes)][:30]
        self.log(f"--- {name}: {result.why()}\n{result.out[-1500:]}\n" + "\n".join(shown[-40:] + counted))

    def say(self, text):
        print(f"[{time.monotonic() - self.start:6.1f} s] {text}", flush=True)
        self.log(text)

    def save(self):
        with self.lock:
            self.results["seconds"] = round(time.monotonic() - self.start, 1)
            text = json.dumps(self.results, indent=1)
            file = os.path.join(self.out, "results.json")
            with open(file + ".new", "w", encoding="utf-8") as new:
                new.write(text + "\n")
            os.replace(file + ".new", file)
            shutil.copyfile(file, os.path.join(self.scratch, "results.json"))

    def put(self, *keys_and_value):
        """results[a][b] = value, saved."""
        *keys, last, value = keys_and_value
        with self.lock:
            place = self.results
            for key in keys:
                place = place.setdefault(key, {})
            place[last] = value
        self.save()


# env


def phase_env(session):
    machine = {"cores": str(session.cores), "threads": str(session.cores), "cpu": cpu_model(),
               "date": time.strftime("%Y-%m-%d")}
    if session.gpu:
        query = session.run(["nvidia-smi", "--query-gpu=name,driver_version,memory.total,clocks.max.sm,clocks.max.mem",
                             "--format=csv,noheader"], limit=30)
        fields = [field.strip() for field in query.out.splitlines()[0].split(",")] if query.out else []
        machine.update(zip(["gpu", "driver", "memory", "sm_clock", "memory_clock"], fields))
        session.log(session.run(["nvidia-smi"], limit=30).out)
    nvcc = session.run([find_nvcc(), "--version"], env=session.env, limit=30)
    release = re.search(r"release ([\d.]+)", nvcc.out)
    machine["nvcc"] = release.group(1) if release else "none"
    machine["gcc"] = first_line(session.run(["gcc", "-dumpfullversion"], limit=20).out)
    devices = session.run([session.path("bin/accl"), "devices"], env=session.env, limit=60)
    machine["devices"] = devices.out.strip() or devices.why()
    machine["icd"] = "; ".join(f"{f}: {open(f).read().strip()}" for f in glob.glob("/etc/OpenCL/vendors/*.icd"))
    machine["libraries"] = json.dumps(session.libraries)
    session.log(json.dumps(machine, indent=1) + "\n" + devices.err)
    session.put("machine", machine)
    session.say(f"env: {machine.get('gpu', 'no GPU')}, nvcc {machine['nvcc']}")


def cpu_model():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        names = [line.split(": ", 1)[1].strip() for line in file if line.startswith("model name")]
    return names[0] if names else "unknown"


def first_line(text):
    lines = text.strip().splitlines()
    return lines[0] if lines else ""


def find_nvcc():
    return shutil.which("nvcc") or next(iter(sorted(glob.glob("/usr/local/cuda*/bin/nvcc"))), "nvcc")


# build


def phase_build(session):
    for program in session.programs():
        session.put("kernels", program["manifest"]["name"], "accl", [])
    tasks = [lambda p=peer, q=program: build_peer(session, p, q) for peer, program in to_build(session)]
    tasks += [lambda p=program, f=file: registers(session, p, f)
              for program in session.programs() for file in program["emitted"]]
    session.parallel(tasks)
    built = session.results.get("built", {})
    session.say("build: " + ", ".join(
        f"{peer} {sum(v == 'ok' for v in of.values())}/{len(of)}" for peer, of in sorted(built.items())))


def to_build(session):
    """Peers whose compiler is here, with their programs."""
    return [(peer, program) for peer in session.plan["peers"] if peer["built"] == "there" and wants_peer(peer)
            for program in session.programs()]


def wants_peer(peer):
    """clang and nvcc may be missing."""
    compiler = find_nvcc() if peer["cc"] == "nvcc" else peer["cc"]
    return shutil.which(compiler) is not None


def peer_executable(session, peer, program):
    return os.path.join(session.scratch, f"{program['manifest']['name']}.{peer['name']}")


def build_peer(session, peer, program):
    manifest = program["manifest"]
    name = manifest["name"]
    source = manifest["cuda"] if peer["source"] == "cuda" else manifest["source"]
    languages = peer.get("languages") or [manifest["language"]]
    if not source or manifest["alone"] or manifest["language"] not in languages:
        return
    compiler = peer["cxx"] if program["cxx"] else peer["cc"]
    if compiler == "nvcc":
        compiler = find_nvcc()
    flags = manifest["flags"]
    if peer["source"] == "cuda":
        flags = [flag for flag in flags if flag != "-fopenmp"]
    words = [compiler, *peer["flags"], *flags]
    if peer["source"] == "cuda":
        words += ["-Xptxas", "-v"]
        words += ["-L" + d for d in glob.glob(os.path.join(os.path.dirname(os.path.dirname(compiler)), "lib"))]
    files = [source] + (manifest["more"] if source == manifest["source"] else [])
    words += [session.path("src", manifest["folder"], file) for file in files]
    words += ["-o", peer_executable(session, peer, program)]
    words += [f"-l{lib}" for lib in manifest["libs"]]
    result = session.run(words, env=session.env, limit=LIMIT_COMPILE)
    if result.code != 0:
        session.log_failure(f"build {peer['name']} {name}", result)
    elif peer["source"] == "cuda":
        session.put("kernels", name, peer["name"], ptxas(result.err + result.out))
    session.put("compile_ms", name, peer["name"], round(result.seconds * 1e3))
    session.put("built", peer["name"], name, "ok" if result.code == 0 else result.why())


def registers(session, program, file):
    """What ptxas says of the kernels we emitted."""
    if not shutil.which(find_nvcc()):
        return
    name = program["manifest"]["name"]
    cubin = os.path.join(session.scratch, os.path.basename(file) + ".cubin")
    result = session.run([find_nvcc(), "-std=c++17", "-O3", "-Xptxas", "-v", "-cubin", "-arch=" + session.args.arch,
                          "-o", cubin, session.path(file)], env=session.env, limit=LIMIT_COMPILE)
    if result.code != 0:
        session.log_failure(f"ptxas {name}", result)
    kernels = ptxas(result.err + result.out)
    with session.lock:
        kernels = session.results.get("kernels", {}).get(name, {}).get("accl", []) + kernels
    session.put("kernels", name, "accl", kernels)
    session.put("built", "ptxas", os.path.basename(file), "ok" if result.code == 0 else result.why())


def ptxas(text):
    """Reads `-Xptxas -v`."""
    kernels = []
    for line in text.splitlines():
        entry = re.search(r"Compiling entry function '([^']+)'", line)
        if entry:
            kernels.append({"name": plain_name(entry.group(1))})
        if not kernels:
            continue
        kernel = kernels[-1]
        for key, pattern in [("stack", r"(\d+) bytes stack frame"), ("spill_stores", r"(\d+) bytes spill stores"),
                             ("spill_loads", r"(\d+) bytes spill loads"), ("registers", r"Used (\d+) registers"),
                             ("shared", r"(\d+) bytes smem"), ("barriers", r"used (\d+) barriers")]:
            found = re.search(pattern, line)
            if found and key not in kernel:
                kernel[key] = int(found.group(1))
    return kernels


def plain_name(name):
    """The function of _Z5relaxiPKd."""
    mangled = re.match(r"_Z(?:N\w*?)?L?(\d+)(\w+)", name)
    return mangled.group(2)[:int(mangled.group(1))] if mangled else name


# conformance


def phase_conformance(session):
    for device in session.devices_to_test:
        tests = [t for t in session.plan["conformance"] if session.args.tests in t["name"]]
        tests = [t for t in tests if not t["devices"] or device in t["devices"]]
        tests.sort(key=lambda test: not test["slow"])
        for test in tests:
            if not test["executable"]:
                session.put("conformance", device, test["name"], {"ok": False, "why": "not built: " + test["failed"]})
        runnable = [test for test in tests if test["executable"]]
        begin = time.monotonic()
        session.limit_phase(PHASE_SECONDS["conformance"] / len(session.devices_to_test))
        session.parallel([lambda t=test: conform(session, device, t) for test in runnable])
        session.save()
        done = session.results.get("conformance", {}).get(device, {})
        good = sum(test["ok"] for test in done.values())
        session.say(f"conformance {device}: {good} of {len(tests)} passed, {len(done)} run "
                    f"in {time.monotonic() - begin:.0f} s")


def conform(session, device, test):
    folder = os.path.join(session.scratch, "run", f"{test['name']}.{device}")
    os.makedirs(folder, exist_ok=True)
    own = {"ACCL_NOTIFY": "3", "ACCL_DEVICE_CHOICE": "never", "ACCL_CPU_MEMORY": "separate", **dict(test["env"])}
    env = session.device_env(device, **own)
    env["ACCL_NUM_THREADS"] = "4"
    if not session.gpu:
        env["ACCL_OPENCL_OPTIONS"] = "-cl-opt-disable"  # PoCL's optimiser takes most of a minute for some
    limit = LIMIT_SLOW_TEST if test["slow"] else LIMIT_TEST
    result = session.run([session.path(test["executable"]), *test["args"]], env=env, limit=limit, cwd=folder)
    wrong = judge(test, result)
    if wrong:
        session.log_failure(f"conformance {device} {test['name']}: {'; '.join(wrong)}", result)
    entry = {"ok": not wrong, "s": round(result.seconds, 2)}
    if wrong:
        entry["why"] = "; ".join(wrong)
    with session.lock:
        session.results.setdefault("conformance", {}).setdefault(device, {})[test["name"]] = entry


def judge(test, result):
    """What does not agree with the program's header, as `cargo xtask test` judges."""
    if result.code is None:
        return [result.why()]
    wrong = []
    expected = test["exit"]
    code = result.code if result.code >= 0 else 128 - result.code
    fits = code != 0 if expected == "nonzero" else str(code) == expected
    if not fits:
        wrong.append(result.why() if expected == "0" else f"exit status {code}, not {expected}")
    if wrong:
        return wrong  # what follows from that needs no telling
    if expected == "0" and "PASS" not in result.out.splitlines():
        wrong.append("no PASS")
    wrong += [w for w in (count_wrong(expectation, result.err) for expectation in test["expect"]) if w]
    for pattern in test["stderr"]:
        if not any(re.search(pattern, line) for line in result.err.splitlines()):
            wrong.append(f"stderr lacks /{pattern}/")
    return wrong


STARTS = {"launches": "launch ", "fallbacks": "launch ", "uploads": "upload ", "downloads": "download "}
ENDS = {"fallbacks": " variant=fallback"}


def count(what, text):
    start, end = STARTS.get(what, what), ENDS.get(what, "")
    return sum(line.startswith(start) and line.endswith(end) for line in text.splitlines())


def count_wrong(expectation, text):
    """'' where "launches=3", "downloads>=1" holds of the notes."""
    match = re.fullmatch(r"([a-z]+)([<>=]+)(\d+)", expectation)
    if not match:
        return ""
    what, relation, number = match.group(1), match.group(2), int(match.group(3))
    seen = count(what, text)
    holds = {"=": seen == number, ">=": seen >= number, "<=": seen <= number, ">": seen > number,
             "<": seen < number}.get(relation, False)
    return "" if holds else f"expected {expectation}, seen {seen}"


# random


TOLERANCE = 1e-5


def phase_random(session):
    programs = [p for p in session.plan.get("random", []) if session.args.tests in p["name"]]
    devices = session.devices_to_test if session.args.device else session.devices_to_test + ["cpu"]
    for device in dict.fromkeys(devices if programs else []):
        begin = time.monotonic()
        session.limit_phase(PHASE_SECONDS["random"] / len(devices))
        session.parallel([lambda p=p: same(session, device, p) for p in programs])
        session.save()
        done = session.results.get("random", {}).get(device, {})
        good = sum(why == "ok" for why in done.values())
        session.say(f"random {device}: {good} of {len(programs)} agree, {len(done)} run in {time.monotonic() - begin:.0f} s")


def same(session, device, program):
    why = program["failed"] and "not built: " + first_line(program["failed"]) or differs(session, device, program)
    with session.lock:
        session.results.setdefault("random", {}).setdefault(device, {})[program["name"]] = why or "ok"


def differs(session, device, program):
    """'' where the program prints what the host compiler's prints, as `cargo xtask random` compares."""
    folder = os.path.join(session.scratch, "run", f"{program['name']}.{device}")
    os.makedirs(folder, exist_ok=True)
    number = str(program["number"])
    expected = session.run([session.path(program["reference"]), number], limit=LIMIT_TEST, cwd=folder)
    env = session.device_env(device, ACCL_CPU_MEMORY="separate")
    env["ACCL_NUM_THREADS"] = "4"
    if not session.gpu:
        env["ACCL_OPENCL_OPTIONS"] = "-cl-opt-disable"
    seen = session.run([session.path(program["executable"]), number], env=env, limit=2 * LIMIT_TEST, cwd=folder)
    if expected.code != 0 or seen.code != 0:
        bad = seen if expected.code == 0 else expected
        session.log_failure(f"random {device} {program['name']}", bad)
        return bad.why()
    pair = expected.out.splitlines(), seen.out.splitlines()
    if len(pair[0]) != len(pair[1]):
        return f"{len(pair[1])} lines instead of {len(pair[0])}"
    wrong = [(a, b) for a, b in zip(*pair) if a != b and not alike(a.split(" "), b.split(" "))]
    if wrong:
        session.log(f"--- random {device} {program['name']}: {len(wrong)} lines differ\n"
                    + "\n".join(f"expected {a}\n    seen {b}" for a, b in wrong[:20]))
    return f"expected {wrong[0][0]}, seen {wrong[0][1]}" if wrong else ""


def alike(expected, seen):
    def one(a, b):
        if a == b:
            return True
        try:
            a, b = float(a), float(b)
        except ValueError:
            return False
        if a != a or b != b:
            return a != a and b != b
        return abs(a - b) <= TOLERANCE * min(max(abs(a), abs(b)), sys.float_info.max)
    return len(expected) == len(seen) and all(map(one, expected, seen))


def random_lines(results):
    lines = []
    for device, programs in results.get("random", {}).items():
        bad = [(name, why) for name, why in sorted(programs.items()) if why != "ok"]
        lines += [f"random {device}: {len(programs) - len(bad)} of {len(programs)} agree"] + grouped(bad, 20)
    return lines


# bench, opencl, cpu


class Candidate:
    """An executable to time, with its environment and limits."""

    def __init__(self, name, executables, env, runs, limit):
        self.name, self.executables, self.env, self.runs, self.limit = name, executables, env, runs, limit


def candidates(session, program, device):
    ours = Candidate("accl", [session.path(f) for f in program["executables"]["accl"]],
                     session.device_env(device), session.args.runs, LIMIT_BENCH)
    found = [ours]
    for peer in session.plan["peers"]:
        if device not in peer["devices"]:
            continue
        if peer["built"] == "here":
            files = [session.path(f) for f in program["executables"].get(peer["name"], [])]
        else:
            files = [f for f in [peer_executable(session, peer, program)] if os.path.exists(f)]
        if files:
            runs = min(peer["runs"] or session.args.runs, session.args.runs)
            found.append(Candidate(peer["name"], files, session.peer_env(peer), runs, peer["limit_s"] or LIMIT_BENCH))
    return found


def phase_bench(session):
    measure(session, session.bench_device, session.args.sizes or ("large" if session.gpu else "cpu"))


def phase_opencl(session):
    measure(session, "opencl", session.args.sizes or ("large" if session.gpu else "cpu"), runs=3)


def phase_cpu(session):
    measure(session, "cpu", session.args.sizes or "cpu", runs=3)


def measure(session, device, sizes, runs=None):
    """Checks all programs at the small size, at once, which also fills the caches; then times them, one
    after another."""
    build_missing(session, device, session.programs())
    all_of = {p["manifest"]["name"]: candidates(session, p, device) for p in session.programs()}
    session.parallel([lambda p=program, c=candidate: small(session, device, p, c)
                      for program in session.programs() for candidate in all_of[program["manifest"]["name"]]])
    session.save()
    smalls = session.results.get("small", {}).get(device, {})
    bad = [f"{name} {who}" for name, of in smalls.items() for who, why in of.items() if why != "ok"]
    session.say(f"{device} at small sizes: {sum(map(len, smalls.values())) - len(bad)} good"
                + (f", bad: {', '.join(bad)}" if bad else ""))
    work = [(program, size) for program in session.programs() for size in program["sizes"][sizes]]
    for index, (program, size) in enumerate(work):
        if session.phase_left() < 5:
            return session.say(f"{device}: out of time before {program['manifest']['name']} {size['args']}")
        seconds = min(session.args.per_size, session.phase_left() / (len(work) - index))
        time_size(session, device, program, size, all_of[program["manifest"]["name"]], runs, seconds)


def phase_ports(session):
    """What `accl translate --to cuda` wrote is made and run as a user would."""
    ports = session.plan.get("ports", [])
    session.parallel([lambda p=port: port_by_hand(session, p) for port in ports])
    session.save()
    done = session.results.get("ports", {})
    session.say(f"ports: {sum(why == 'ok' for why in done.values())} of {len(ports)} good")


def port_by_hand(session, port):
    why, folder = port["failed"], session.path(port["folder"])
    if not why:
        made = session.run(["make", "-s", "-C", folder, "NVCC=" + find_nvcc()], env=session.env, limit=LIMIT_COMPILE)
        why = "ok" if made.code == 0 else "make: " + made.why()
        result = made
    if why == "ok":
        result = session.run([os.path.join(folder, port["name"]), *port["args"].split()], env=session.env, limit=LIMIT_TEST)
        said = "PASS" in result.out and "FAIL" not in result.out
        why = "ok" if result.code == 0 and said else result.why()
    if why != "ok" and not port["failed"]:
        session.log_failure(f"port {port['folder']}: {why}", result)
    with session.lock:
        session.results.setdefault("ports", {})[port["folder"]] = why


def build_missing(session, device, programs):
    """Peers of these programs that an earlier phase or call has not built."""
    session.parallel([lambda p=peer, q=program: build_peer(session, p, q) for peer, program in to_build(session)
                      if device in peer["devices"] and "build" not in session.done and program in programs
                      and not os.path.exists(peer_executable(session, peer, program))])


def phase_figures(session):
    """The points of the papers' figures, ours and CUDA by hand; a run each, of five rounds."""
    device = session.bench_device
    of = {p["manifest"]["name"]: p for p in session.programs()}
    work = [point for point in session.plan["figures"] if point["program"] in of]
    build_missing(session, device, [of[point["program"]] for point in work if point["cuda"]])
    for index, point in enumerate(work):
        program, size = of[point["program"]], point["size"]
        if session.phase_left() < 5:
            return session.say(f"figures: out of time after {index} of {len(work)}")
        wanted = ("accl", "cuda") if point["cuda"] else ("accl",)
        contenders = [c for c in candidates(session, program, device) if c.name in wanted]
        row = interleaved(session, device, program, size, contenders, 1, 0)
        if point["transfers"] and "app_ms" in row["results"].get("accl", {}):
            row["results"]["accl"]["transfer_ms"] = transfer_ms(session, contenders[0], size)
        put_row(session.results.setdefault("figures", []), row)
    session.save()
    session.say(f"figures: {len(work)} points, " + (", ".join(failed_points(session)) or "all good"))


def transfer_ms(session, ours, size):
    """Of one application, from the table at exit: a program has its data on the device twice, the second time as fast as
    it goes."""
    result = session.run([ours.executables[0], *size["args"].split()], env={**ours.env, "ACCL_TIME": "1"}, limit=ours.limit)
    found = re.findall(r"^ +(?:upload|download) .* count +(\d+) .* min +([0-9.]+)", result.err, re.M)
    return sum(int(count) * float(least) for count, least in found) / 2


def failed_points(session):
    return [f"{row['program']} {row['args']} {who}: {outcome['check'][:60]}" for row in session.results["figures"]
            for who, outcome in row["results"].items() if outcome["check"] != "PASS"]


def small(session, device, program, candidate):
    """The first of its executables that passes stays. Of ours, launches and transfers are counted."""
    manifest = program["manifest"]
    why = "no small size"
    for executable in list(candidate.executables):
        for size in program["sizes"]["small"]:
            ours = candidate.name == "accl"
            env = {**candidate.env, "ACCL_NOTIFY": "3", "ACCL_DEVICE_CHOICE": "never", "ACCL_CPU_MEMORY": "separate"} if ours else candidate.env
            result = session.run([executable, *size["args"].split()], env=env, limit=60)
            line = result_line(result)
            why = "ok" if line.get("check") == "PASS" and result.code == 0 else result.why()
            if why == "ok" and ours:
                expected = [f"{what}={manifest[what + '_small']}" for what in STARTS
                            if manifest.get(what + "_small") is not None]
                wrong = [w for w in (count_wrong(e, result.err) for e in expected) if w]
                why = "; ".join(wrong) if wrong else "ok"
            if why == "ok" and candidate.name == "cuda":
                why = transfers_wrong(manifest, result)
            if why != "ok":
                session.log_failure(f"{device} {manifest['name']} {candidate.name} small: {why}", result)
                break
        if why == "ok" or candidate.name == "accl":
            candidate.executables = [executable]
            break
    with session.lock:
        of_program = session.results.setdefault("small", {}).setdefault(device, {})
        of_program.setdefault(manifest["name"], {})[candidate.name] = why


def transfers_wrong(manifest, result):
    """Whether a program in CUDA that counts its transfers has as many as the manifest says."""
    said = next(iter(measured_lines(result)), {})
    wrong = [f"expected {what}={manifest['cuda_' + what + '_small']}, seen {said.get(what)}" for what in ("uploads", "downloads")
             if manifest.get("cuda_" + what + "_small") is not None and said.get(what) != str(manifest["cuda_" + what + "_small"])]
    return "; ".join(wrong) if wrong else "ok"


def time_size(session, device, program, size, contenders, runs, seconds):
    """Adds a row to the results and says it."""
    begin = time.monotonic()
    row = interleaved(session, device, program, size, contenders, runs or session.args.runs, seconds)
    predict(session, device, size, contenders, row)
    put_row(session.results.setdefault("bench", {}).setdefault(device, []), row)
    session.save()
    shown = ", ".join(f"{name} {o['kernel_ms']:.4g} ms" if o.get("kernel_ms") is not None else f"{name} {o['check'][:60]}"
                      for name, o in row["results"].items())
    session.say(f"{device} {row['program']} {row['size']}: {shown} ({time.monotonic() - begin:.0f} s)")


def put_row(rows, row):
    rows[:] = [r for r in rows if (r["program"], r["args"]) != (row["program"], row["args"])] + [row]


def interleaved(session, device, program, size, contenders, runs, seconds):
    """Interleaved runs, A B C A B C …, while another round would end within so many seconds."""
    manifest = program["manifest"]
    row = {"program": manifest["name"], "args": size["args"], "size": size["args"], "bytes": size["bytes"],
           "flops": size["flops"], "results": {}}
    begin = time.monotonic()
    alive = list(contenders)
    for number in range(runs):
        for candidate in list(alive):
            if number >= candidate.runs or session.phase_left() < 2:
                continue
            result = session.run([candidate.executables[0], *size["args"].split()], env=candidate.env,
                                 limit=candidate.limit)
            if not take(session, f"{device} {manifest['name']} {size['args']} {candidate.name}", row, candidate, result):
                alive.remove(candidate)
        spent = time.monotonic() - begin
        if not alive or spent + spent / (number + 1) > seconds:
            break
    return row


def predict(session, device, size, contenders, row):
    """What the cost model expects of our kernels: of one more run the sum over all, scaled as the times that were measured."""
    ours = next((c for c in contenders if c.name == "accl"), None)
    took = row["results"].get("accl", {}).get("kernel_ms")
    if device != "cuda" or ours is None or took is None or session.phase_left() < 2:
        return
    result = session.run([ours.executables[0], *size["args"].split()], env={**ours.env, "ACCL_TIME": "1"}, limit=ours.limit)
    kernels = re.findall(r"^    kernel .* count +(\d+)  total +([0-9.]+) .*  predicted ([0-9.]+)$", result.err, re.M)
    total = sum(float(total) for _, total, _ in kernels)
    if total > 0:
        row["results"]["accl"]["predicted_ms"] = took * sum(int(n) * float(one) for n, _, one in kernels) / total


def take(session, name, row, candidate, result):
    """Adds a run to the row. False where the candidate is not to run again."""
    line = result_line(result)
    outcome = row["results"].setdefault(candidate.name, {"check": "not run", "runs": []})
    if line.get("check") != "PASS" or result.code != 0:
        session.log_failure(name, result)
        failed = f"check failed, error {line['error']}" if line.get("check") == "FAIL" else result.why()
        row["results"][candidate.name] = {"check": failed, "runs": []}
        return False
    row["size"] = line["size"]
    outcome["check"] = "PASS"
    outcome["runs"].append([float(line["kernel_ms"]), float(line["app_ms"])])
    outcome["kernel_ms"] = statistics.median(run[0] for run in outcome["runs"])
    outcome["app_ms"] = statistics.median(run[1] for run in outcome["runs"])
    outcome["error"] = max(outcome.get("error", 0.0), float(line["error"]))
    outcome["wall_s"] = round(result.seconds, 2)
    outcome["measured"] = measured_lines(result)
    return True


def measured_lines(result):
    """The fields of lines MEASURED, which tabs divide: what a program found out beside times."""
    lines = [line.split("\t")[1:] for line in result.out.splitlines() if line.startswith("MEASURED\t")]
    return [dict(word.split("=", 1) for word in words) for words in lines]


def result_line(result):
    """The fields of the line RESULT name=… size=… kernel_ms=…"""
    for line in result.out.splitlines():
        if line.startswith("RESULT "):
            return dict(word.split("=", 1) for word in line.split()[1:] if "=" in word)
    return {}


# startup


def phase_startup(session):
    """A tiny saxpy, wall time of the process: what a user waits for who changes a line and runs."""
    program = next((p for p in session.programs() if p["manifest"]["name"] == "saxpy"), None)
    if program is None:
        return session.say("startup: saxpy is not there")
    args = program["sizes"]["small"][0]["args"].split()
    device = session.bench_device
    ours = session.path(program["executables"]["accl"][0])
    cold = os.path.join(session.scratch, "cold")
    warm = session.device_env(device)
    cases = [
        (f"ours, {device}, compiled at the first launch", ours, {**warm, "ACCL_CACHE_DIR": cold,
                                                                   "POCL_CACHE_DIR": cold, "CUDA_CACHE_DISABLE": "1"}),
        (f"ours, {device}, compiled before", ours, warm),
        ("ours, cpu", ours, session.device_env("cpu")),
    ]
    for candidate in candidates(session, program, device)[1:]:
        title = next(p["title"] for p in session.plan["peers"] if p["name"] == candidate.name)
        cases.append((title, candidate.executables[0], candidate.env))
    session.run([ours, *args], env=warm)
    times = {what: [] for what, _, _ in cases}
    for _ in range(5):
        for what, executable, env in cases:
            shutil.rmtree(cold, ignore_errors=True)
            result = session.run([executable, *args], env=env, limit=30)
            if result.code == 0 and session.phase_left() > 2:
                times[what].append(result.seconds * 1e3)
    table = [{"what": what, "median_ms": round(statistics.median(ms), 1), "min_ms": round(min(ms), 1),
              "max_ms": round(max(ms), 1)} for what, ms in times.items() if ms]
    session.put("startup", table)
    session.say("startup: " + ", ".join(f"{case['what']} {case['median_ms']:.0f} ms" for case in table))


# sanitize, profile, ncu


def phase_sanitize(session):
    sanitizer = shutil.which("compute-sanitizer") or next(
        iter(glob.glob("/usr/local/cuda*/bin/compute-sanitizer")), None)
    if not sanitizer:
        return session.say("sanitize: no compute-sanitizer here")
    cases = [(p["manifest"]["name"], session.path(p["executables"]["accl"][0]), p["sizes"]["small"][0]["args"].split(), {})
             for p in session.programs() if p["sizes"]["small"]]
    cases += [(t["name"], session.path(t["executable"]), t["args"], dict(t["env"])) for t in session.plan["conformance"]
              if t["executable"] and not t["slow"] and t["exit"] == "0" and t["name"].startswith(SANITIZED)]
    # Tool by tool, so that where time is short memcheck has seen all.
    session.parallel([lambda t=tool, c=case: sanitize(session, sanitizer, t, *c)
                      for tool in ("memcheck", "racecheck", "synccheck") for case in cases], jobs=max(2, session.jobs // 2))
    session.save()
    done = session.results.get("sanitize", {})
    session.say("sanitize: " + ", ".join(
        f"{tool} {sum(v == 'ok' for v in of.values())}/{len(cases)}" for tool, of in done.items()))


def sanitize(session, sanitizer, tool, name, executable, args, env):
    # A pool hides an access past a buffer's end; the runtime's own pool is all there is to that.
    result = session.run([sanitizer, "--tool", tool, "--error-exitcode", "99", executable, *args],
                         env=session.device_env("cuda", **env), limit=LIMIT_SANITIZE)
    why = "ok" if result.code == 0 else result.why()
    if why != "ok":
        reports = [line for line in result.out.splitlines() if line.startswith("=====")]
        if reports and result.code == 99:
            told = [line.strip("= ") for line in reports if not re.search(r"COMPUTE-SANITIZER|^=+$", line)]
            why = (told or [why])[0][:160]
        session.log(f"--- {tool} {name}: {why}\n" + "\n".join(reports[:40]) + "\n" + result.err[-800:])
    with session.lock:
        session.results.setdefault("sanitize", {}).setdefault(tool, {})[name] = why


def phase_profile(session):
    device = session.bench_device
    for program in session.programs():
        for size in program["sizes"][session.args.sizes or ("large" if session.gpu else "cpu")]:
            if session.phase_left() < 5:
                return
            result = session.run([session.path(program["executables"]["accl"][0]), *size["args"].split()],
                                 env=session.device_env(device, ACCL_TIME="1"), limit=LIMIT_BENCH)
            session.put("profile", f"{program['manifest']['name']} {size['args']}", result.err[-4000:])
            session.log(f"--- profile {program['manifest']['name']} {size['args']}\n{result.err}")
    session.say(f"profile: {len(session.results.get('profile', {}))} tables in log.txt")


NCU_METRICS = {
    "gpu__time_duration.sum": "ns",
    "dram__bytes.sum.per_second": "DRAM B/s",
    "dram__throughput.avg.pct_of_peak_sustained_elapsed": "DRAM %",
    "lts__t_sector_hit_rate.pct": "L2 hit %",
    "l1tex__t_sector_hit_rate.pct": "L1 hit %",
    "sm__throughput.avg.pct_of_peak_sustained_elapsed": "SM %",
    "sm__warps_active.avg.pct_of_peak_sustained_active": "occupancy %",
    "launch__registers_per_thread": "registers",
    "launch__grid_size": "grid",
    "launch__block_size": "block",
    "smsp__inst_executed.sum": "instructions",
    "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum": "global loads",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum": "load sectors",
    "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio": "stall: memory",
    "smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio": "stall: barrier",
}


def phase_ncu(session):
    """ours and the hand-written one, program by program; all numbers in OUT/ncu.txt."""
    ncu = shutil.which("ncu") or next(iter(glob.glob("/opt/nvidia/nsight-compute/*/ncu")), None)
    if not ncu:
        return session.say("ncu: not installed")
    names = session.args.ncu.split(",") if session.args.ncu else []
    for program in [p for p in session.programs() if p["manifest"]["name"] in names]:
        for candidate in candidates(session, program, "cuda"):
            if candidate.name == "gcc-openacc" or session.phase_left() < 10:
                continue
            ncu_one(session, ncu, program, candidate)


def ncu_one(session, ncu, program, candidate):
    """The first launches after the warm-up's first; sizes are the first of the large ones."""
    name, size = program["manifest"]["name"], program["sizes"][session.args.sizes or "large"][0]
    command = [ncu, "--clock-control", "none", "--launch-skip", str(session.args.ncu_skip), "--launch-count",
               str(session.args.ncu_count), "--csv", "--page", "raw", "--metrics", ",".join(NCU_METRICS),
               candidate.executables[0], *size["args"].split()]
    result = session.run(command, env=candidate.env, limit=120)
    with open(os.path.join(session.out, "ncu.txt"), "a", encoding="utf-8") as file:
        file.write(f"=== {name} {candidate.name} {size['args']}\n{result.out}\n{result.err[-2000:]}\n")
    rows = ncu_rows(result.out)
    if not rows:
        session.log_failure(f"ncu {name} {candidate.name}", result)
    session.put("ncu", name, candidate.name, rows or result.why())
    session.say(f"ncu {name} {candidate.name}: {len(rows)} launches")


def ncu_rows(text):
    import csv
    lines = [line for line in text.splitlines() if line.startswith('"')]
    rows = []
    for row in csv.DictReader(lines):
        if not row.get("Kernel Name"):
            continue  # the line of units
        values = {short: row[metric] for metric, short in NCU_METRICS.items() if row.get(metric)}
        rows.append({"kernel": row["Kernel Name"][:60], **values})
    return rows


# The table at the end


def table(session):
    """Of the phases of this call; everything is in results.json."""
    results, ran = session.results, session.wanted
    parts = [environment_lines(results)]
    parts += [built_lines(results)] if "build" in ran else []
    for device in results.get("bench", {}):
        if "bench" in ran and device == session.bench_device or device in ran:
            parts.append(bench_lines(session, device))
    parts += [startup_lines(results)] if "startup" in ran else []
    parts += [ncu_lines(results)] if "ncu" in ran else []
    parts += [port_lines(results)] if "ports" in ran else []
    parts += [sanitize_lines(results)] if "sanitize" in ran else []
    parts += [small_lines(results)]
    parts += [conformance_lines(results)] if "conformance" in ran else []
    parts += [random_lines(results)] if "random" in ran else []
    text = "\n".join(line for part in parts for line in part)
    if len(text) > TABLE_CHARACTERS:
        text = text[:TABLE_CHARACTERS] + "\n… (the rest is in results.json)"
    return text


def grouped(failures, lines=12):
    """Failures with the same reason on one line, the most frequent first."""
    groups = {}
    for name, why in failures:
        groups.setdefault(re.sub(r"0x[0-9a-f]+|\d+", "#", why)[:60], []).append((name, why))
    told = []
    for members in sorted(groups.values(), key=lambda m: (-len(m), m[0][0])):
        names = ", ".join(name for name, _ in members[:6]) + (f" and {len(members) - 6} more" if len(members) > 6 else "")
        told.append(f"  {names}: {members[0][1][:140]}")
    return told[:lines] + ([f"  … {len(told) - lines} more reasons"] if len(told) > lines else [])


def environment_lines(results):
    machine = results.get("machine", {})
    lines = [f"{machine.get('gpu', 'no GPU')}, driver {machine.get('driver', '-')}, nvcc {machine.get('nvcc', '-')}, "
             f"{machine.get('cores', '?')} cores"]
    return lines + ["  " + line[:110] for line in machine.get("devices", "").splitlines()[:8]]


def built_lines(results):
    bad = [(f"{name} by {who}", why) for who, of in results.get("built", {}).items() for name, why in of.items()
           if why != "ok"]
    spills = [f"{name}/{k['name']} {k['spill_stores']}+{k['spill_loads']} B" for name, of in results.get("kernels", {}).items()
              for k in of.get("accl", []) if k.get("spill_stores") or k.get("spill_loads")]
    return (["not built:"] + grouped(bad) if bad else []) + (["spills: " + ", ".join(spills)[:400]] if spills else [])


def bench_lines(session, device):
    rows = session.results["bench"][device]
    peers = [p["name"] for p in session.plan["peers"] if any(p["name"] in row["results"] for row in rows)]
    head = f"{'bench ' + device:<14}{'size':<18}{'ours ms':>10}{'app ms':>9}{'GB/s':>7}"
    head += "".join(f"{peer[:11] + ' ms':>15}{'k×':>6}{'app×':>6}" for peer in peers)
    lines = [head + f"{'error':>9}{'regs':>8}"]
    ratios = {peer: ([], []) for peer in peers}
    for row in sorted(rows, key=lambda r: (r["program"], len(r["args"]), r["args"])):
        ours = row["results"].get("accl", {"check": "not run"})
        line = f"{row['program'][:13]:<14}{row['size'][:17]:<18}{ms(ours, 'kernel_ms'):>10}{ms(ours, 'app_ms'):>9}"
        line += f"{row['bytes'] / ours['kernel_ms'] / 1e6:>7.0f}" if row["bytes"] and ours.get("kernel_ms") else f"{'-':>7}"
        for peer in peers:
            theirs = row["results"].get(peer, {"check": "-"})
            line += f"{ms(theirs, 'kernel_ms'):>15}"
            for index, key in enumerate(("kernel_ms", "app_ms")):
                if ours.get(key) and theirs.get(key):
                    ratios[peer][index].append(theirs[key] / ours[key])
                    line += f"{theirs[key] / ours[key]:>6.2f}"
                else:
                    line += f"{'-':>6}"
        line += f"{ours['error']:>9.0e}" if "error" in ours else f"{'-':>9}"
        lines.append(line + f"{registers_of(session, row['program']):>8}")
        lines += [f"    {who}: {outcome['check'][:100]}" for who, outcome in row["results"].items()
                  if outcome["check"] != "PASS"]
    for peer in peers:
        means = [f"{statistics.geometric_mean(r):.3f}" if r else "-" for r in ratios[peer]]
        lines.append(f"geometric mean of {peer}/ours: kernel {means[0]}, application {means[1]}")
    return lines


def ms(outcome, key):
    value = outcome.get(key)
    if value is None:
        return "-" if outcome["check"] == "-" else "FAIL"
    return f"{value:.4f}" if value < 1 else f"{value:.4g}" if value < 1000 else f"{value:.0f}"


def registers_of(session, program):
    """ours/theirs, the most of any kernel."""
    def most(who):
        kernels = session.results.get("kernels", {}).get(program, {}).get(who, [])
        return str(max((k.get("registers", 0) for k in kernels), default="-"))
    return f"{most('accl')}/{most('cuda')}"


def startup_lines(results):
    return [f"startup: {case['what']}: {case['median_ms']} ms ({case['min_ms']} to {case['max_ms']})"
            for case in results.get("startup", [])]


def ncu_lines(results):
    lines = []
    for name, of in results.get("ncu", {}).items():
        for who, rows in of.items():
            for row in rows if isinstance(rows, list) else []:
                lines.append(f"ncu {name} {who}: " + ", ".join(f"{k} {v}" for k, v in row.items())[:260])
    return lines[:16]


def port_lines(results):
    ports = results.get("ports", {})
    bad = [(name, why) for name, why in sorted(ports.items()) if why != "ok"]
    return [f"ports: {len(ports) - len(bad)} of {len(ports)} good"] + grouped(bad, 8)


def sanitize_lines(results):
    lines = []
    for tool, of in results.get("sanitize", {}).items():
        bad = [(name, why) for name, why in sorted(of.items()) if why != "ok"]
        lines += [f"{tool}: {len(of) - len(bad)} of {len(of)} clean"] + grouped(bad, 6)
    return lines


def small_lines(results):
    lines = []
    for device, of in results.get("small", {}).items():
        bad = [(f"{name} {who}", why) for name, each in of.items() for who, why in each.items() if why != "ok"]
        if bad:
            lines += [f"benchmarks at their small sizes, {device}:"] + grouped(bad, 6)
    return lines


def conformance_lines(results):
    lines = []
    for device, tests in results.get("conformance", {}).items():
        bad = [(name, test["why"]) for name, test in sorted(tests.items()) if not test["ok"]]
        lines += [f"conformance {device}: {len(tests) - len(bad)} of {len(tests)} passed"] + grouped(bad, 30)
    return lines


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dir", help="what `cargo xtask bench --prepare` made")
    parser.add_argument("out", help="where results.json and log.txt go")
    parser.add_argument("--only", default="", help="phases, separated by commas")
    parser.add_argument("--time-limit", type=float, default=570, help="seconds for everything (570)")
    parser.add_argument("--device", default="", help="devices for conformance; the first also for bench and startup")
    parser.add_argument("--filter", default="", help="only these benchmarks, by name, separated by commas")
    parser.add_argument("--tests", default="", help="only conformance and random programs whose name contains this")
    parser.add_argument("--sizes", choices=["small", "large", "cpu"], help="instead of the device's own sizes")
    parser.add_argument("--runs", type=int, default=5, help="runs of each size (5)")
    parser.add_argument("--per-size", type=float, default=30, help="seconds for each size (30)")
    parser.add_argument("--jobs", type=int, default=0, help="processes at a time where nothing is timed")
    parser.add_argument("--arch", default="sm_90", help="for registers and spills (sm_90)")
    parser.add_argument("--env", action="append", default=[], metavar="NAME=VALUE", help="for all programs")
    parser.add_argument("--after", default="", metavar="FILE", help="results.json of a call before this one, to add to")
    parser.add_argument("--fresh", action="store_true", help="forget the results of earlier calls")
    parser.add_argument("--ncu", default="", help="programs for the phase ncu, separated by commas")
    parser.add_argument("--ncu-skip", type=int, default=2, help="launches to skip (2)")
    parser.add_argument("--ncu-count", type=int, default=3, help="launches to look at (3)")
    parser.add_argument("--scratch", default="/tmp", help="for caches and executables")
    return parser.parse_args()


def main():
    args = arguments()
    session = Session(args)
    devices = args.device.split(",") if args.device else (["cuda", "opencl"] if session.gpu else ["opencl", "cpu"])
    session.devices_to_test, session.bench_device = devices, devices[0]
    wanted = args.only.split(",") if args.only else [p for p in PHASES if p not in ONLY_WHEN_NAMED]
    if args.ncu and "ncu" not in wanted:
        wanted.append("ncu")
    unknown = [phase for phase in wanted if phase not in PHASES]
    if unknown:
        sys.exit(f"no phase is named {', '.join(unknown)}; there are {', '.join(PHASES)}")

    def stop(*_):
        for pid in list(session.running):
            session.kill(pid)
        print(table(session), flush=True)
        os._exit(3)

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    session.wanted = wanted
    phases = [phase for phase in PHASES if phase in wanted]
    for phase in phases:
        if phase in ("sanitize", "ncu") and not session.gpu:
            session.say(f"{phase}: needs a GPU")
            continue
        if session.left() < 10:
            session.say(f"{phase}: no time left")
            continue
        session.limit_phase(PHASE_SECONDS.get(phase, 60))
        begin = time.monotonic()
        try:
            globals()["phase_" + phase](session)
        except Exception as error:
            import traceback
            session.log(traceback.format_exc())
            session.say(f"{phase}: internal error: {error!r}")
        session.done.append(phase)
        session.put("phase_seconds", phase, round(time.monotonic() - begin, 1))
    if not session.gpu:
        shutil.rmtree(session.scratch, ignore_errors=True)
    text = table(session)
    session.log(text, keep=TABLE_CHARACTERS + 100)
    print("\n" + text, flush=True)


if __name__ == "__main__":
    main()
