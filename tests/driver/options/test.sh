# Options of gcc in all their forms.
"$ACCL" cc -Iinclude -DFACTOR=2.0f -O2 -std=c99 -Wall -Werror saxpy.c -o joined
runs_on_device ./joined

"$ACCL" cc -I include -D FACTOR=2.0f -O1 -x c saxpy.c -o separate -lm
runs_on_device ./separate >out
contains out "none 198"

# A response file, with quoted words in it.
printf '%s\n' '-Iinclude' "'-DFACTOR=(1.0f + 1.0f)'" '-o "response file"' >words
"$ACCL" cc @words saxpy.c
runs_on_device "./response file"

# Standard input.
"$ACCL" cc -Iinclude -DFACTOR=2.0f -x c - -o stdin <saxpy.c
runs_on_device ./stdin

# Preprocessed first, as ccache and distcc do.
"$ACCL" cc -E -Iinclude -DFACTOR=2.0f saxpy.c -o saxpy.i
"$ACCL" cc -c saxpy.i -o preprocessed.o
"$ACCL" cc preprocessed.o -o preprocessed
runs_on_device ./preprocessed

# Without directives it is a plain program.
"$ACCL" cc -fno-openacc -Iinclude -DFACTOR=2.0f saxpy.c -o plain -Wno-unknown-pragmas
ACCL_NOTIFY=1 ./plain 2>log >out
[ ! -s log ] || fail "-fno-openacc has left something"

# Both host compilers.
for host in gcc clang; do
    "$ACCL" cc --host-compiler $host -Iinclude -DFACTOR=2.0f -O2 saxpy.c -o by_$host
    runs_on_device ./by_$host
done

# Names of other compilers.
"$ACCL" cc -fopenacc -foffload=nvptx-none -Iinclude -DFACTOR=2.0f saxpy.c -o alias
"$ACCL" cc -acc=gpu,multicore -Minfo=accel -Iinclude -DFACTOR=2.0f saxpy.c -o alias 2>minfo
contains minfo "main:"
contains minfo "copyin(x)"
runs_on_device ./alias

# A debugger is told the user's lines, in kernels, too.
"$ACCL" cc -g -Iinclude -DFACTOR=2.0f -c saxpy.c -o debug.o
objdump --dwarf=decodedline debug.o >lines
grep -q 'saxpy.c *17' lines || fail "no line 17 in the line table"

# What is preprocessed already gets no option that the host compiler would call unused.
echo 'int main(void) { return 0; }' >without.i
for source in saxpy.i without.i; do
    "$ACCL" cc -Werror -c $source -o warned.o 2>log || fail "-Werror with $source"
    [ ! -s log ] || fail "a warning about $source"
done

# Link-time optimisation, whose plugin must not take the runtime for bitcode.
"$ACCL" cc -O2 -flto -Iinclude -DFACTOR=2.0f saxpy.c -o lto
runs_on_device ./lto
