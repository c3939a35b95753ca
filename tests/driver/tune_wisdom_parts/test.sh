# A construct that is divided into several kernels has entries for each of them.
export ACC_DEVICE_TYPE=opencl
"$ACCL" cc -O1 program.c -o untuned
./untuned 96 >wanted
"$ACCL" tune program.c -O1 -o tuned --wisdom --evaluations 4 -- 96 >said
contains said "tuned.wisdom has 2 entries, which launches go by"
[ "$(cut -f 3 tuned.wisdom | tail -n 2 | sort | tr '\n' ' ')" = "both_11 both_11_2 " ] || fail "each kernel has its own entry"

# Each launch goes by that of its own kernel.
code=$(sed -n 2p tuned.wisdom | cut -f 1)
device=$(sed -n 2p tuned.wisdom | cut -f 2)
entry() { printf '%s\t%s\t%s\t13\t%s\t1e-3\t2e-3\n' "$code" "$device" "$1" "$2"; }
{ echo "acclimate wisdom 2" && entry both_11 plain && entry both_11_2 jam; } >tuned.wisdom
ACCL_NOTIFY=1 ./tuned 96 2>said | cmp - wanted
[ "$(grep -c 'wisdom .*variant=plain' said)" = 1 ] || fail "the first kernel goes by its entry"
[ "$(grep -c 'wisdom .*variant=jam' said)" = 1 ] || fail "the second kernel goes by its entry"
[ "$(grep 'launch OpenCL kernel' said | grep -o 'variant=[a-z]*' | tr '\n' ' ')" = "variant=plain variant=jam " ] || fail "in this order"
