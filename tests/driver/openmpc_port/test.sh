# accl translate --to openmpc: the program with OpenMPC's directives before its loops, which compiles to the same again.
schedules() {
    "$ACCL" cc -O1 -fopenmpc -Minfo "$1" -o program -lm 2>said
    grep -oE 'Schedule .*|loop gang.*' said | sort
}

for file in grid rows places; do
    schedules $file.c >before
    ACC_DEVICE_TYPE=cpu ACCL_CPU_MEMORY=separate ACCL_NOTIFY=1 ./program >wanted 2>log
    "$ACCL" translate --to openmpc -O1 $file.c -o out
    schedules out/$file.c >after
    cmp before after || fail "$file.c has other schedules"
    launches=$(grep -c '^launch ' log)
    ACC_DEVICE_TYPE=cpu ACCL_CPU_MEMORY=separate ACCL_NOTIFY=1 ./program >printed 2>log
    cmp printed wanted
    [ "$(grep -c '^launch ' log)" = "$launches" ] || fail "$file.c has other launches"
    gcc -O1 out/$file.c -o plain -lm
    ./plain | cmp - wanted
    # Once more, and it stays as it is.
    "$ACCL" translate --to openmpc -O1 out/$file.c -o again
    cmp out/$file.c again/$file.c
done

contains out/grid.c '#pragma cuda ainfo procname(main) kernelid(1)'
contains out/grid.c '#pragma cuda gpurun threadblocksize(256) texture(next)'
contains out/rows.c '#pragma cuda ainfo procname(product) kernelid(0)'
contains out/rows.c "/* Parallel region stays with the host's threads: "
contains out/rows.c '#pragma cuda nogpurun'
[ "$(grep -c 'pragma cuda gpurun threadblocksize(64)' out/places.c)" = 1 ] || fail "what the user asks for stays as it is"

# What is edited has its effect.
sed -i 's/threadblocksize(256)/threadblocksize(128)/' out/grid.c
schedules out/grid.c >after
contains after "block(32, 4)"

# What a file asks for stands in the program then.
echo 'main 1: gpurun threadblocksize(32)' >directives.txt
"$ACCL" translate --to openmpc -O1 -fopenmpc-directives=directives.txt grid.c -o out
contains out/grid.c '#pragma cuda gpurun threadblocksize(32) texture(next)'
