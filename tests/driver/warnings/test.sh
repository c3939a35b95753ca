# Warning options concern the user's text alone: not what accl puts into it, which is never mentioned.

strict="-Wall -Wextra -Wconversion -Wshadow -Wcast-qual -Wundef -Wvla -Wdeclaration-after-statement
        -Wmissing-prototypes -Wstrict-prototypes -Werror"

for host in clang gcc; do
    export ACCL_HOST_COMPILER=$host
    for options in "$strict" "-std=c89 -pedantic-errors -Wall -Werror" "-ansi -pedantic -Werror" -w -Wfatal-errors \
        "-Wa,--noexecstack -Werror" "-std=c89 --check -g"; do
        # shellcheck disable=SC2086
        $ACCL cc $options quiet.c -o quiet 2>messages.txt || fail "$host $options: $(cat messages.txt)"
        [ ! -s messages.txt ] || fail "$host $options: $(cat messages.txt)"
        runs_on_device ./quiet
    done
    $ACCL c++ -std=c++98 -pedantic-errors -Wall -Wextra -Werror -x c++ quiet.c -o quiet
    runs_on_device ./quiet
done

unset ACCL_HOST_COMPILER
$ACCL cc -Weverything -Werror -Wno-padded -Wno-missing-variable-declarations quiet.c -o quiet
runs_on_device ./quiet

# What an option allows is allowed, and said once where it is to be said.
expect 1 $ACCL cc allowed.c -o allowed 2>messages.txt
[ "$(grep -c 'Wreturn-type' messages.txt)" = 1 ] || fail "said $(cat messages.txt)"
for options in -Wno-return-type "-Wno-return-type -Werror" "-Wno-return-type -pedantic-errors" -Wno-everything; do
    # shellcheck disable=SC2086
    $ACCL cc $options allowed.c -o allowed 2>messages.txt
    [ ! -s messages.txt ] || fail "$options: $(cat messages.txt)"
    runs_on_device ./allowed
done
$ACCL cc -Wno-error=return-type allowed.c -o allowed 2>messages.txt
[ "$(grep -c 'allowed.c:6:.*Wreturn-type' messages.txt)" = 1 ] || fail "said $(cat messages.txt)"
runs_on_device ./allowed

expect 1 $ACCL c++ narrowing.cpp -o narrowing 2>messages.txt
for host in "clang -Wno-c++11-narrowing" "gcc -Wno-narrowing" "gcc -fpermissive"; do
    # shellcheck disable=SC2086
    $ACCL c++ --host-compiler $host narrowing.cpp -o narrowing
    runs_on_device ./narrowing
done
