# Schedules: what is proposed, what may be, and those of a file.
"$ACCL" cc -c -Minfo=accel program.c -o program.o 2>said
contains said "Schedule wide: grid(i:x) block(256) vectorize(4), where arrays aligned to 16 bytes"
contains said "Schedule jam: grid(j:x, i:y) block(64, 4) unroll_and_jam(i:4), where several iterations a thread"

"$ACCL" explain --schedules program.c >said
contains said "= Steps that apply for sm_90: "
contains said "= vectorize(4) (0.50 loads an iteration"
contains said "= vectorize(N): no: the launch has not one dimension"
contains said "= unroll_and_jam(i:4) ("

# A file names functions and lines; on every GPU and on the cpu the results stay.
cat >schedules.txt <<'END'
# Two of the program's kernels.
add:5    block(64) vectorize(8)    # neighbours
grid:12  grid(i:x, j:y) block(32, 2) unroll_and_jam(j:2)
END
"$ACCL" cc -Minfo=accel -gpu=schedule:schedules.txt program.c -o program 2>said
contains said "Schedule wide: grid(i:x) block(64) vectorize(8), where arrays aligned to 16 bytes"
contains said "Schedule plain: grid(i:x, j:y) block(32, 2) unroll_and_jam(j:2)"
ACC_DEVICE_TYPE=cpu ./program >out
contains out "100 9"
ACC_DEVICE_TYPE=opencl ./program >out
contains out "100 9"

# Sizes follow the architecture: memory of less bandwidth needs fewer loads under way.
"$ACCL" explain -gpu=cc70 program.c >said
contains said "unroll_and_jam(i:2)"

# What is wrong with a file.
echo "add 5 block(64)" >wrong.txt
expect 2 "$ACCL" cc -c -gpu=schedule:wrong.txt program.c -o program.o 2>said
contains said "wrong.txt:1: a function, a colon and a line are expected"
expect 2 "$ACCL" cc -c -gpu=schedule:absent.txt program.c -o program.o 2>said
contains said "cannot read the schedules in 'absent.txt'"
echo "add:5 block(65)" >wrong.txt
expect 1 "$ACCL" cc -c -gpu=schedule:wrong.txt program.c -o program.o 2>said
contains said "block(65)"
contains said "the schedule in wrong.txt:1 is for this directive"
echo "add:4 block(64)" >wrong.txt
"$ACCL" cc -c -gpu=schedule:wrong.txt program.c -o program.o 2>said
contains said "wrong.txt:1 gives a schedule for line 4 of add, where no directive of a loop stands"
