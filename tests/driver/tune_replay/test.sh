# Kernels are tuned in one run of the program, which repeats its launches with all candidates.
export ACC_DEVICE_TYPE=opencl
cat >candidates <<'END'
scale:7 grid(i:x) block(64)
scale:7 grid(i:x) block(128) grid_stride(4)
scale:7 grid(i:x) block(128) vectorize(4)
sum:15 grid(i:x) block(64) grid_stride(2)
sum:16 grid(i:x) block(64) grid_stride(4)
END
"$ACCL" cc -O1 program.c -o untuned
./untuned 100000 >wanted
"$ACCL" cc -O1 -Minfo=accel -gpu=candidates:candidates program.c -o program 2>said
contains said "Schedule c0: grid(i:x) block(64), where it is named"
contains said "warning[ACCL0543]: candidates:2: the candidate is left out"
contains said "warning[ACCL0543]: candidates:5: the candidate is left out: no kernel of sum has its directive on line 16"

# Without replay nobody takes them but who names them.
./program 100000 | cmp - wanted
ACCL_NOTIFY=1 ACCL_VARIANT='scale:7=c2' ./program 100000 2>said | cmp - wanted
contains said "variant=c2"

# The program goes on as if nothing had been repeated; each size of a kernel is measured.
ACCL_REPLAY=times ./program 100000 | cmp - wanted
contains times '{"kernel": "scale_7", "function": "scale", "line": 7, "class": 16, "trips": [100000], "variant": "c0", "state": "checked"'
contains times '"class": 14, "trips": [25000], "variant": "c2", "state": "times"'
contains times '"variant": "c3", "state": "failed", "why": "correctness", "detail": "the result of a reduction"'
before=$(wc -l <times)
ACCL_REPLAY=times ./program 100000 | cmp - wanted
[ "$(wc -l <times)" = "$before" ] || fail "nothing is measured again"
rm times
ACCL_REPLAY=times ACCL_REPLAY_TOLERANCE=1e-3 ./program 100000 | cmp - wanted
contains times '"variant": "c3", "state": "times"'

# A variant in which the program ended is left out.
rm times
head='{"kernel": "scale_7", "function": "scale", "line": 7, "class": 16, "trips": [100000], '
echo "$head\"variant\": \"c0\", \"state\": \"begun\"}" >times
ACCL_REPLAY=times ./program 100000 | cmp - wanted
contains times '"variant": "c0", "state": "ended", "why": "runtime"'
contains times '"variant": "c2", "state": "times"'

# What differs from run to run cannot be compared; a file that cannot be written is told.
ACCL_REPLAY=other ./program 100000 place >/dev/null
contains other '"function": "place"'
ACCL_REPLAY=nowhere/times ./program 100000 2>said | cmp - wanted
contains said "kernels are not replayed, since 'nowhere/times' cannot be written"
ACCL_REPLAY_TOLERANCE=much expect 1 ./program 2>said
contains said "ACCL_REPLAY_TOLERANCE is \`much\`"

# The whole command: one run for many candidates.
"$ACCL" tune program.c -O1 -o tuned --evaluations 6 --tolerance 1e-3 --t4 t4 -- 100000 >said
contains said "  scale:7: "
contains said "measured"
./tuned 100000 >out
python3 - <<'END'
import json
t4 = json.load(open("t4/scale_7.t4.json"))
right = [r for r in t4["results"] if r["invalidity"] == "correct"]
assert len(right) == 6 and all(len(r["times"]["runtimes"]) >= 1 for r in right), len(right)
END
lines=$(wc -l <tuned.tune.jsonl)
"$ACCL" tune program.c -O1 -o tuned --evaluations 6 --tolerance 1e-3 -- 100000 >said
[ "$(wc -l <tuned.tune.jsonl)" = "$lines" ] || fail "nothing is measured again"
contains said "before)"

# A budget ends it in the middle of a run; what was running then is no failure, and the same command goes on.
"$ACCL" tune program.c -O1 -o short --strategy exhaustive --tolerance 1e-3 --budget 2s -- 100000 >said
contains said "The time was over: the same command goes on."
! grep -q '"failure"' short.tune.jsonl || fail "what was not run has not failed"

# Kernels that cannot be replayed are measured by running the program.
"$ACCL" tune program.c -O1 -o tuned --evaluations 2 --tolerance 1e-3 --repeats 1 -- 1000 place >said
contains said "place:24"

# Another machine: executables with all candidates, and what they are.
"$ACCL" tune program.c -O1 -o packed --pack pack >said
contains said "pack/packed.space.json: "
contains pack/packed.space.json '"variant": "c0"'
ACCL_REPLAY=there pack/packed.0 100000 >/dev/null
contains there '"state": "times"'

# The usual variant keeps a tile, for which the kernel has parameters that these candidates do not need.
cat >candidates <<'END'
main:11 grid(j:x, i:y) block(64, 4)
main:11 grid(j:x, i:y) block(64, 4) unroll_and_jam(i:4)
END
"$ACCL" cc -O1 -Minfo=accel -gpu=candidates:candidates stencil.c -o stencil 2>said
contains said "Schedule window: grid(j:x, i:y) shared_tile(stencil)"
contains said "Schedule c1: grid(j:x, i:y) block(64, 4) unroll_and_jam(i:4)"
./stencil >wanted
rm -f times
ACCL_REPLAY=times ./stencil | cmp - wanted
contains times '"variant": "c0", "state": "times"'
contains times '"variant": "c1", "state": "times"'
