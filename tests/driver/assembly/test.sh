# Assembly has all of the program, the device code too, with either host compiler.
for host in clang gcc; do
    for options in "" "-g" "-O2 -fPIC" "-g -gsplit-dwarf"; do
        "$ACCL" cc --host-compiler $host $options -S sums.c -o sums.s
        # gcc writes a long text in pieces.
        tr -d '\n"' <sums.s | sed 's/\t\.ascii\t//g' >text
        contains text "__global__ void main_"
        "$ACCL" cc --host-compiler $host -c sums.s -o sums.o 2>said
        "$ACCL" cc --host-compiler $host sums.o -o sums
        runs_on_device ./sums >out
        contains out "PASS .LBB0_1"
    done
done
cp sums.c sums.cpp
"$ACCL" c++ -O1 -S sums.cpp
"$ACCL" c++ sums.s -o sums
runs_on_device ./sums >out

# Debug information that was to be split stays in the object.
"$ACCL" cc --host-compiler gcc -gsplit-dwarf -c sums.c
readelf -S sums.o >sections
contains sections debug_info
