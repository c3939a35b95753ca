# Compressed arrays: both ways give the same bits, and what the log and the table say of them.
"$ACCL" cc -O2 ways.c -o ways -lm
for way in host device; do
    ACC_DEVICE_TYPE=opencl ACCL_COMPRESS_ON=$way ACCL_NOTIFY=2 ./ways >"$way" 2>"$way.log"
    contains "$way.log" " variable=c bytes=400012 bits=5 of=32 "
    contains "$way.log" " way=$way "
done
cmp host device || fail "the ways differ"
# What travels, and what is clamped.
grep -q '^upload .* variable=c bytes=62504$' host.log || fail "encoded bytes"
grep -q '^upload .* variable=c bytes=400012$' device.log || fail "plain bytes"
for array in a c e; do
    clamped=$(grep "^compress .* variable=$array " host.log | grep -o 'clamped=[0-9]*')
    [ "$clamped" != clamped=0 ] || fail "nothing of $array is clamped"
    grep -q "^compress .* variable=$array .* $clamped " device.log || fail "the device counts others of $array"
done

# Whoever does it: the cpu device has one way.
ACC_DEVICE_TYPE=cpu ./ways >cpu 2>warnings
cmp host cpu || fail "the cpu device differs"
contains warnings "values of a lie outside of its range, -1 to 1"

# The report. Half of an interval is the most that a value of the range is off.
ACC_DEVICE_TYPE=cpu ACCL_TIME=1 ACCL_COMPRESSION_ERRORS=1 ACCL_NOTIFY=2 ./ways >/dev/null 2>report
contains report "Compressed arrays (ms) on"
grep -q '^    b  *range, 23 bits of 32  *saved [0-9]* of 800004 bytes  clamped 0  compress count     1 .*  decompress count     1 .*  error max [0-9.]*e-[78]  rms ' report ||
    { cat report >&2; fail "b in the table"; }
grep -q '^    a  *affine, 8 bits of 32  *saved [0-9]* of 800024 bytes  clamped [1-9][0-9]*  .*  error max 5.0[0-9]*e-1  rms ' report ||
    { cat report >&2; fail "a in the table"; }
grep -q '^    f  *block, 12 bits of 32  *saved .*  error max 4.883e-4  rms ' report ||
    { cat report >&2; fail "f in the table"; }
grep -q '^compress .* variable=b .* saved=[1-9][0-9]* way=host codec_milliseconds=[0-9.]* max_error=[0-9.]*e-[78] rms_error=' report ||
    fail "errors in the log"
ACCL_COMPRESS_ON=nobody expect 1 ./ways 2>wrong
contains wrong "environment variable ACCL_COMPRESS_ON is \`nobody\`; it must be \`host\` or \`device\`"
