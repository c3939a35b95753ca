# A user's own build is tuned: its compilers say what they compile, and are given options.
export ACC_DEVICE_TYPE=opencl
"$ACCL" tune --evaluations 4 --tolerance 1e-3 --strategy exhaustive -- make run >said
contains said "  scale:3: "
contains said "  total:4: "
contains said "4 measured"
contains program.tune.jsonl '"kernel":"scale:3@16"'
bin/program 100000 >out
contains out 600000.000

# What it was built with at the end runs at the next make, and the same command goes on.
before=$(wc -l <program.tune.jsonl)
"$ACCL" tune --evaluations 4 --tolerance 1e-3 --strategy exhaustive -- make run >said
contains said "4 measured (4 before)"
[ "$(wc -l <program.tune.jsonl)" = "$before" ] || fail "nothing is measured again"

# Candidates that need a run each: each is built in the folder, and what was built before is put back to be compared with.
"$ACCL" tune --evaluations 2 --repeats 1 --tolerance 1e-3 --no-replay --results runs -- make run >said
contains said "2 measured"

# A schedule that the search takes reaches the program through the library.
echo "scale:3 grid(i:x) block(64)" >schedules
mkdir given
echo "-gpu=schedule:$PWD/schedules" >given/options
make -s clean
ACCL_TUNE=$PWD/given CC="$ACCL cc" make -s run >out
ACCL_NOTIFY=1 bin/program 100000 2>notes >out
contains notes "block=64"

# CMake.
cat >build.sh <<'END'
cmake -S . -B build >configured && cmake --build build --target run >built
END
"$ACCL" tune --evaluations 3 --tolerance 1e-3 --results other -- sh build.sh >said
contains said "  scale:3: "
contains said "3 measured"
build/program 100000 | cmp - out

# A build that does not use accl, one that fails, and nothing at all.
make -s clean
expect 1 "$ACCL" tune -- make CC=gcc CFLAGS=-w run 2>said
contains said "error[ACCL0022]: the command compiled nothing with accl"
expect 1 "$ACCL" tune -- make nothing 2>said
contains said "error[ACCL0020]: "
contains said "'make nothing' failed"
expect 2 "$ACCL" tune 2>said
contains said "name sources, or a command"
expect 2 "$ACCL" tune --wisdom -- make run 2>said
contains said "--wisdom, --pack and --train are for programs whose sources are named"
