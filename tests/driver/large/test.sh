# Arrays of more than 2 GB: the archive links, with each host compiler, in one step and in two.

for host in clang gcc; do
    for options in -mcmodel=medium -mcmodel=large "-mcmodel=medium -no-pie" "-mcmodel=medium -flto"; do
        [ "$host $options" != "clang -mcmodel=medium -flto" ] || continue # its linker plugin may be missing
        # shellcheck disable=SC2086
        $ACCL cc --host-compiler $host $options large.c -o large
        runs_on_device ./large
        # shellcheck disable=SC2086
        $ACCL cc --host-compiler $host $options -c large.c -o large.o
        # shellcheck disable=SC2086
        $ACCL cc --host-compiler $host $options large.o -o large
        runs_on_device ./large
    done
    $ACCL cc --host-compiler $host --shared-runtime -mcmodel=medium large.c -o large
    runs_on_device ./large
done
