# openacc.h and the routines are there with directives, without any, and where directives are not wanted.

for host in clang gcc; do
    for options in "" -noacc -fno-openacc; do
        # shellcheck disable=SC2086
        $ACCL cc --host-compiler $host $options devices.c -o devices
        ACC_DEVICE_TYPE=cpu ACCL_CPU_MEMORY=separate ./devices >said.txt || fail "$host $options"
        [ -n "$options" ] || contains said.txt 202211
        [ -z "$options" ] || [ ! -s said.txt ] || fail "_OPENACC is defined with $options"

        # shellcheck disable=SC2086
        $ACCL cc --host-compiler $host $options -c devices.c -o devices.o
        # shellcheck disable=SC2086
        $ACCL cc --host-compiler $host $options devices.o -o devices
        ACC_DEVICE_TYPE=cpu ACCL_CPU_MEMORY=separate ./devices >/dev/null || fail "$host $options, linked apart"

        # shellcheck disable=SC2086
        $ACCL c++ --host-compiler $host $options -x c++ devices.c -o devices
        ACC_DEVICE_TYPE=cpu ACCL_CPU_MEMORY=separate ./devices >/dev/null || fail "$host $options, C++"
    done
done
