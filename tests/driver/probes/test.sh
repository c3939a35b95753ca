# What configure scripts and CMake ask.
"$ACCL" cc --version >version
sed -n 1p version | grep -E "clang|gcc|GCC" >first || fail "the host compiler's line is not the first"
contains version "accl "
[ "$("$ACCL" cc -dumpversion)" = "$(clang -dumpversion)" ] || fail "-dumpversion"
"$ACCL" cc -print-search-dirs >dirs
contains dirs libraries
"$ACCL" cc -v 2>verbose
contains verbose Target:
echo '_OPENACC' | "$ACCL" cc -E -x c - -o macro
contains macro 202211
echo 'int main(void) { return 0; }' >empty.c
"$ACCL" cc -### empty.c 2>commands
contains commands '"-cc1"'
"$ACCL" cc empty.c -o empty && ./empty
# A plain program takes nothing of the runtime.
[ "$(stat -c %s empty)" -lt 100000 ] || fail "the runtime is in a program without directives"
expect 1 "$ACCL" cc -O2 2>message
contains message "no input files"
expect 2 "$ACCL" nonsense 2>/dev/null
expect 2 "$ACCL" cc -gpu=nonsense empty.c 2>/dev/null
expect 0 "$ACCL" --version >/dev/null
expect 0 "$ACCL" help ACCL0101 >/dev/null
for shell in bash zsh fish; do
    "$ACCL" completions $shell >completions
    [ -s completions ] || fail "no completions for $shell"
done
"$ACCL" devices >devices
contains devices "CPU 0"
"$ACCL" cc -dM -E - </dev/null >macros
contains macros "_OPENACC 202211"
