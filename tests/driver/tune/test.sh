# Tuning: measured on OpenCL's device, kept, gone on with; what is wrong is thrown away; what cannot be tuned is told.
export ACC_DEVICE_TYPE=opencl
"$ACCL" cc -O1 program.c -o untuned
./untuned 100000 >wanted

# The sums of other schedules are other numbers; the program stays right.
"$ACCL" tune program.c -O1 -o tuned --no-replay --strategy exhaustive --evaluations 1 --repeats 1 -- 100000 >said
contains said "  scale:7: "
contains said "1 measured"
contains said "    thrown away: grid(i:x) block(256) grid_stride(8): its output is another one: line 1 is"
./tuned 100000 | cmp - wanted
[ "$(wc -l <tuned.tune.jsonl)" = 2 ] || fail "two measurements are kept"

# The same command goes on with what is known, also where the last line was cut off.
printf '{"version":1,"key' >>tuned.tune.jsonl
"$ACCL" tune program.c -O1 -o tuned --no-replay --strategy exhaustive --evaluations 1 --repeats 1 -- 100000 >said
contains said "1 measured (1 before)"
[ "$(wc -l <tuned.tune.jsonl)" = 2 ] || fail "nothing is measured again"

# What is faster is kept in a file, which builds the program again.
echo 'exclude tensor_tile, register_tile' >loops
export ACCL_RESIDENT_THREADS=1
"$ACCL" tune product.c -O1 -o product --no-replay --setup loops --strategy exhaustive --evaluations 1 --repeats 1 >said
contains said "times as fast"
contains product.schedules "product:7 grid(j:x, i:y) block(64, 4)"
"$ACCL" cc -O1 -Minfo=accel -gpu=schedule:product.schedules product.c -o again 2>said
contains said "Schedule plain: grid(j:x, i:y) block(64, 4)"
./product >out
./again | cmp - out
unset ACCL_RESIDENT_THREADS

# What cannot be tuned.
expect 1 "$ACCL" tune program.c -o tuned -- 1000 print 2>said
contains said "error[ACCL0021]: two runs of the program without tuning print different things: line 2"
expect 1 "$ACCL" tune program.c -o tuned -- -5 2>said
contains said "error[ACCL0020]: the program without tuning: the program failed: "
ACC_DEVICE_TYPE=cpu expect 1 "$ACCL" tune program.c -o tuned 2>said
contains said "error[ACCL0022]: the program ran on the cpu device"
echo 'int main(void) { return 0; }' >empty.c
expect 1 "$ACCL" tune empty.c -o tuned 2>said
contains said "error[ACCL0022]: there is no kernel"
echo '{"version":99}' >newer
expect 1 "$ACCL" tune program.c -o tuned --results newer 2>said
contains said "error[ACCL0023]: 'newer' was written by a newer version"
cat >hold.py <<'END'
import fcntl, os, sys
file = open("held", "a")
fcntl.flock(file, fcntl.LOCK_EX)
os.spawnvp(os.P_WAIT, sys.argv[1], sys.argv[1:])
END
python3 hold.py "$ACCL" tune program.c -o tuned --results held 2>said
contains said "error[ACCL0023]: 'held' is in use by another"
expect 1 "$ACCL" tune program.c -o tuned --results /dev/null 2>said
contains said "error[ACCL0023]: '/dev/null' is no file that measurements could be kept in"
expect 2 "$ACCL" tune program.c --strategy guess 2>said
contains said "unknown strategy 'guess'"
expect 2 "$ACCL" tune program.c -c 2>said
contains said "a whole program is tuned"

# Looking without measuring: parameters, and files of configurations that accl cc reads.
"$ACCL" tune program.c --extract parameters >said
contains said "scale:7 "
contains parameters "grid = j:x, i:y | i:x, j:y | i:x"
contains parameters "block = 64, 4 | 32, 4"
contains parameters "# vectorize(N): does not: the launch has not one dimension"
contains parameters "fastmath  (-gpu=fastmath)"
cat >setup <<'END'
exclude grid_stride, usemallocpitch   # the second one says nothing today
CudaThreadBlockSize = 256
approve FASTMATH
END
"$ACCL" tune program.c --setup setup --generate configurations 2>said >table
contains said "note: useMallocPitch: never"
contains table "after pruning"
contains configurations/sum_19.0001.config "-gpu=fastmath"
contains configurations/sum_19.0001.config "sum:19 grid(i:x) block(256) grid_stride(4) vectorize(4)"
"$ACCL" cc -c -Minfo=accel -gpu=config:configurations/sum_19.0001.config program.c -o program.o 2>said
contains said "Schedule wide: grid(i:x) block(256) grid_stride(4) vectorize(4)"
"$ACCL" tune program.c --level program --generate together >table
contains together/program.0001.config "scale:7 grid"
contains together/program.0001.config "sum:19 grid"
echo "exclude blok" >setup
expect 1 "$ACCL" tune program.c --setup setup --extract parameters 2>said
contains said "error[ACCL0024]: setup: line 1: there is no parameter 'blok'"
contains said "did you mean 'block'?"
echo "-gpu=config:again" >again
expect 2 "$ACCL" cc -c -gpu=config:again program.c -o program.o 2>said
contains said "a configuration names no other"

# The whole program, chosen by another program; the results in the forms of others.
cat >engine.sh <<'END'
read -r space
read -r ask
echo '{"configuration": {"nothing": "of this"}}'
read -r tell
read -r ask
echo '{"configuration": '"$(echo "$space" | sed 's/.*"configurations":\[\({[^}]*}\).*/\1/')"'}'
read -r tell
read -r ask
echo "$tell" >told
echo '{"done": true}'
END
"$ACCL" tune program.c -O1 -o tuned --level program --engine 'sh engine.sh' --tolerance 1e-4 --repeats 1 \
    --t4 t4 --html page.html --results other -- 100000 >said
contains said "  program: "
contains said "1 measured"
contains told '"seconds":'
contains t4/program.t4.json '"invalidity": "correct"'
contains t4/program.t1.json '"TuningParameters"'
contains page.html "What each parameter does"
# A browser shows it, where there is one, and asks for nothing beside it.
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
if [ -n "$browser" ]; then
    timeout 60 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$PWD/browser" --virtual-time-budget=2000 \
        --proxy-server=127.0.0.1:9 --dump-dom "file://$PWD/page.html" >dom 2>browser.log || fail "the browser cannot open the page"
    contains dom "<h3>What each parameter does</h3>"
    contains dom "<circle "
    contains dom "</svg>"
fi
./tuned 100000 >out

# A loop of which several kernels are made: each has a number, by which a file gives it its schedule.
cat >split.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#define N 20
typedef float cube[N][N];
static void solve(int n, cube *from, cube *a, cube *b)
{
#pragma acc parallel loop copyin(from[:N]) copyout(a[:N], b[:N])
    for (int k = 0; k < n; k++)
#pragma acc loop
        for (int j = 0; j < n; j++) {
            for (int i = 0; i < n; i++)
                a[k][j][i] = 2 * from[k][j][i];
            for (int i = 1; i < n; i++)
                b[k][i][j] = a[k][j][i - 1] + 1;
        }
}
static float a[N][N][N], b[N][N][N], from[N][N][N];
int main(void)
{
    for (int i = 0; i < N * N * N; i++)
        (&from[0][0][0])[i] = i % 17;
    solve(N, from, a, b);
    double sum = 0;
    for (int i = 0; i < N * N; i++)
        for (int j = 0; j < N; j++)
            sum += b[i / N][1 + i % (N - 1)][j] * (i % 5);
    printf("%g\n", sum);
    return 0;
}
END
"$ACCL" tune split.c --extract parameters >said
contains said "solve:7.1 "
contains said "solve:7.2 "
printf 'solve:7.2 block(32, 4)\n' >second
"$ACCL" cc -Minfo=accel -gpu=schedule:second split.c -o split 2>said
contains said "block(32, 4, 2)"
contains said "block(32, 4)"
"$ACCL" cc split.c -o plain
./plain >wanted
./split | cmp - wanted
"$ACCL" tune split.c -o tuned --strategy bayes --evaluations 3 --repeats 1 --results split.results >said
./tuned | cmp - wanted

# Instances of a template are kernels of their own, and so are their schedules.
"$ACCL" tune --extract twice.json twice.cpp >said
contains said "scaled_sum:7@1 "
contains said "scaled_sum:7@2 "
for strategy in "" --no-replay; do
    "$ACCL" tune twice.cpp -O1 -o twice --evaluations 3 $strategy >said
    contains said "  scaled_sum:7@1: "
    contains said "  scaled_sum:7@2: "
    ! grep -q failed said || fail "$(cat said)"
    rm twice.tune.jsonl
done
echo "scaled_sum:7@2 grid(i:x) block(64) grid_stride(2)" >schedule
"$ACCL" c++ -O1 -Minfo=accel -gpu=schedule:schedule twice.cpp -o twice 2>said
[ "$(grep -c "Schedule plain: grid(i:x) block(64) grid_stride(2)" said)" = 1 ] || fail "the second one has the schedule"
[ "$(./twice)" = "7499 7499" ] || fail "$(./twice)"
echo "scaled_sum:7@3 grid(i:x) block(64)" >candidates
"$ACCL" c++ -O1 -gpu=candidates:candidates twice.cpp -o twice 2>said
contains said "no kernel of scaled_sum has its directive on line 7@3"
