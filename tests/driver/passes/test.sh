# The intermediate form of a program, and its passes one by one.
"$ACCL" translate --to ir saxpy.c -o out
contains out/saxpy.ir 'variant saxpy_3_wide "grid(i:x) block(256) vectorize(4)" block(256, 1, 1) per_thread(4, 1, 1) align16 restrict'
contains out/saxpy.ir "index64_of saxpy_3"

# Only some, or none; to standard output.
"$ACCL" translate --to ir --passes=none saxpy.c -o - >none.txt
contains none.txt "for (i32 i = 0; i < n; i += 1) loop[] {"
"$ACCL" translate --to ir --passes=implicit_data,levels saxpy.c -o - >scheduled.txt
contains scheduled.txt "@[gang, vector, dim 0]"
! grep -q "kernel saxpy" scheduled.txt || fail "a pass has run that was not asked for"

# The rest on that text gives what all give at once. Messages name places in it.
"$ACCL" translate --to ir --passes=none saxpy.c -o step
"$ACCL" translate --to ir step/saxpy.ir -o rest
sed 's/saxpy_3/saxpy_kernel/g' out/saxpy.ir | grep -v '^file' >expected
sed 's/saxpy_3/saxpy_kernel/g' rest/saxpy.ir | grep -v '^file' >found
diff expected found

# On the way of a compilation.
"$ACCL" cc -c --print-after=levels,map saxpy.c -o saxpy.o 2>printed
contains printed "// after levels: "
contains printed "// after map: "
contains printed "variant saxpy_3_wide"
! grep -q "// after outline" printed || fail "a pass is printed that was not asked for"
"$ACCL" cc -c --print-after=all saxpy.c -o saxpy.o 2>printed
contains printed "// after wrapping: "

# Wrong words.
expect 2 "$ACCL" translate --to ir --passes=shedule saxpy.c -o out 2>said
contains said "no pass is named 'shedule'"
expect 2 "$ACCL" cc -c --print-after=shedule saxpy.c 2>said
contains said "no pass is named 'shedule'"
expect 1 "$ACCL" translate --to cuda --passes=none saxpy.c -o out 2>said
contains said "--passes is for --to ir"
cp saxpy.c other.ir
expect 1 "$ACCL" translate --to ir other.ir -o out 2>said
contains said "other.ir"
expect 1 "$ACCL" translate --to ir step/saxpy.ir -o step 2>said
contains said "is the input itself"
