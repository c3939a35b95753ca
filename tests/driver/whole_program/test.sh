# Routines and variables of other files: in one command, in objects, archives and libraries, and with other linkers.

# all_on_device PROGRAM: no construct runs on the host.
all_on_device() {
    runs_on_device "$1"
    grep -q 'on host' notify.log && fail "$1 runs constructs on the host"
    return 0
}

# on_host PROGRAM: it is right, and its construct runs on the host.
on_host() {
    ACC_DEVICE_TYPE=cpu ACCL_CPU_MEMORY=separate ACCL_NOTIFY=1 "$1" 2>notify.log || fail "$1 failed"
    contains notify.log 'run construct on host'
}

"$ACCL" cc main.c field.c strength.c -o together 2>messages
[ -s messages ] && fail "$(cat messages)"
all_on_device ./together

# Compiled one by one, in any order, and linked from another folder. What is compiled says nothing yet.
for unit in field main strength; do
    "$ACCL" cc -O2 -c $unit.c 2>>messages
done
[ -s messages ] && fail "$(cat messages)"
mkdir -p elsewhere
(cd elsewhere && "$ACCL" cc ../strength.o ../main.o ../field.o -o ../objects)
all_on_device ./objects
"$ACCL" cc -Minfo main.o field.o strength.o -o objects
"$ACCL" cc main.o field.c strength.o -o objects
all_on_device ./objects

# The program holds nothing of what the objects carry for the link.
readelf -S objects | grep -q accl.unit && fail "the program holds the section of its objects"

# Archives: only what is linked counts, whether the calls or the functions are in them.
"$ACCL" cc -c plain.c calls_plain.c
ar rcs libfield.a field.o strength.o plain.o
"$ACCL" cc main.o -L. -lfield -o archive
all_on_device ./archive
"$ACCL" cc main.o libfield.a -o archive
all_on_device ./archive
ar rcs liball.a main.o field.o strength.o
printf 'extern int main(void);\nint (*const keep)(void) = main;\n' >keep.c
"$ACCL" cc keep.c liball.a -o from_archive
all_on_device ./from_archive

# A source without directives beside objects that wait for the link.
printf 'int run(void);\nint main(void) { return run(); }\n' >starts.c
"$ACCL" cc -Dmain=run -c main.c -o run.o
"$ACCL" cc starts.c run.o field.o strength.o -o from_plain
all_on_device ./from_plain

# The compiler's front ends and hosts, assembly, link-time optimisation, debuggers' lines.
"$ACCL" c++ -x c++ main.c field.c strength.c -o cxx
all_on_device ./cxx
"$ACCL" cc --host-compiler gcc -g -flto -O2 main.c field.c strength.c -o lto
all_on_device ./lto
"$ACCL" cc -S main.c field.c
"$ACCL" cc -c main.s -o main_s.o
"$ACCL" cc -c field.s -o field_s.o
"$ACCL" cc main_s.o field_s.o strength.o -o assembled
all_on_device ./assembled

# A relocatable link by accl does what it can, and leaves the rest to the next.
"$ACCL" cc -r main.o field.o -o joined.o
"$ACCL" cc joined.o strength.o -o from_joined
all_on_device ./from_joined

# Other linkers give a right program, in which the host runs the construct.
"$ACCL" cc -c main.c
runtime=$("$ACCL" cc -v main.o field.o strength.o -o objects 2>&1 | grep -o '[^ "]*libaccl_runtime[^ "]*[.]a' | head -1)
gcc main.o field.o strength.o "$runtime" -lpthread -ldl -lm -o by_gcc
on_host ./by_gcc
ld -r main.o field.o -o by_ld.o
"$ACCL" cc by_ld.o strength.o -o from_ld 2>messages
contains messages 'ACCL0249'
contains messages "'by_ld.o' was joined"
on_host ./from_ld

# A shared library has its own device code; a program's constructs do not call into it.
"$ACCL" cc -fPIC -shared main.c field.c strength.c -o libwhole.so
"$ACCL" cc keep.c -L. -lwhole -Wl,-rpath,"$PWD" -o of_library
all_on_device ./of_library
"$ACCL" cc -fPIC -shared field.c strength.c -o libparts.so
"$ACCL" cc main.c -L. -lparts -Wl,-rpath,"$PWD" -o beside 2>messages
contains messages 'ACCL0249'
contains messages "'./libparts.so' is a shared library"
on_host ./beside

# A function for the host alone: said once, when the program is linked.
"$ACCL" cc calls_plain.o plain.o -o alone 2>messages
contains messages 'warning[ACCL0249]: `plain` cannot be called in a compute region'
contains messages "calls_plain.c:10: \`plain\` is called for a device; 'plain.o' defines it for the host alone"
on_host ./alone
expect 1 "$ACCL" cc -Werror calls_plain.c plain.c -o strict 2>messages
contains messages 'ACCL0249'

# What an archive holds beside what is linked is no part of the program.
ar rcs libfield.a calls_plain.o
"$ACCL" cc main.o -L. -lfield -o archive 2>messages
[ -s messages ] && fail "$(cat messages)"
ar rcs libcalls.a calls_plain.o plain.o
"$ACCL" cc keep.c -L. -lcalls -o from_archive 2>messages
contains messages '`plain` is called for a device'

# Which definition of a weak function a program has its linker decides, so the host calls it.
"$ACCL" cc calls_weak.c weak.c strong.c -o weak 2>messages
contains messages 'ACCL0249'
on_host ./weak

# Regions for a CPU's threads call functions of files without a word about devices.
"$ACCL" cc -fopenmpc -c threads.c plain.c
"$ACCL" cc -fopenmpc threads.o plain.o -o threads
all_on_device ./threads

# Nobody defines it.
expect 1 "$ACCL" cc main.o strength.o -o nobody 2>messages
contains messages 'main.c:15: `field_at` is called for a device; no object and no archive of this command defines it'
contains messages 'undefined reference'
