# A construct without async returns before it is done; a clock that is read next waits for it.

# reads_right COMMAND...: what the program says of its time is what ACCL_TIME says of its products, within 10%. The first run
# fills the caches of the device's compiler.
reads_right() {
    "$@" >first.log
    ACCL_TIME=1 "$@" >clock.log 2>time.log
    awk 'NR == FNR { clock = $1; next }
         /^[^ ]/ { product = $2 == "product" }
         product && $1 == "kernel" { for (i = 1; i < NF; i++) if ($i == "total") kernels += $(i + 1) }
         END { exit !(kernels > 0 && clock >= kernels * 0.9 && clock <= kernels * 1.1) }' clock.log time.log || {
        cat clock.log time.log >&2
        fail "the clock of $* does not say what ACCL_TIME says"
    }
}

# waits PROGRAM COUNT: the program waits once behind each clock's name on its standard error, and COUNT times in all.
waits() {
    ACCL_NOTIFY=8 "$1" 2>waits.log
    awk '/:$/ { name = $0; next }
         /function=clock/ { if (name == last) exit 1; last = name; count++ }
         END { exit count != '"$2"' }' waits.log || {
        cat waits.log >&2
        fail "$1: not every clock waits once"
    }
}

cc -c parallel.c
ar rcs libparallel.a parallel.o
"$ACCL" cc every.c -L. -lparallel -o every
"$ACCL" cc -c every.c
"$ACCL" cc every.o -static libparallel.a -o every_static 2>static.log
"$ACCL" cc --host-compiler gcc -flto every.c parallel.c -o every_lto
"$ACCL" cc --shared-runtime every.c parallel.c -o every_shared
"$ACCL" c++ every.cpp -o every_cxx
"$ACCL" c++ every.cpp -static-libgcc -L. -Wl,-Bstatic -lparallel -Wl,-Bdynamic -o every_mixed
"$ACCL" c++ every.cpp -static-libstdc++ -o every_fixed
"$ACCL" c++ anywhere.cpp -pthread -o anywhere

"$ACCL" cc -O2 main.c product.c -o in_c
"$ACCL" c++ -O2 product.cpp -x c main.c -o in_cxx
"$ACCL" cc -O2 -fPIC -shared product.c -o libproduct.so
"$ACCL" cc -c main.c
"$ACCL" cc main.o -L. -lproduct -Wl,-rpath,"$PWD" -o in_library
"$ACCL" cc -O2 -DBY_CALLER -fPIC -shared product.c -o libcalled.so
"$ACCL" cc -DBY_CALLER main.c -L. -lcalled -Wl,-rpath,"$PWD" -o by_caller

for device in cpu opencl; do
    export ACC_DEVICE_TYPE=$device ACCL_CPU_MEMORY=separate
    for program in ./every ./every_lto ./every_shared; do
        waits $program 9
    done
    for program in ./every_cxx ./every_mixed ./every_fixed; do
        waits $program 3
    done
    expect 0 timeout 60 ./anywhere
    size=200
    [ $device = opencl ] || size=640
    for program in ./in_c ./in_cxx ./in_library ./by_caller; do
        reads_right $program $size
    done
done
ACC_DEVICE_TYPE=cpu waits ./every_static 9

# An object linked without accl has the clocks as they are, and a program without directives no more than its own.
"$ACCL" cc -x c - -o none <<'END'
#include <time.h>
int main(void) { return time(NULL) < 0; }
END
./none
! nm none | grep -q accl_data_begin || fail "a program without directives has the runtime in it"
