# Binaries for the architectures named, by either compiler's option, beside the source.
cubin() { grep -aqo "$2" "$1" || fail "no binary for $2 in $1"; }

"$ACCL" cc -gpu=cc90 -c scale.c -o one.o 2>said
cubin one.o sm_90
"$ACCL" cc --offload-arch=sm_80 --offload-arch=sm_90 scale.c -o two 2>said
cubin two sm_80
cubin two sm_90
contains two "__global__"
runs_on_device ./two >out
contains out 198

# Where there is no nvcc the source goes alone, and that is said.
ACCL_NVCC=/nowhere/nvcc PATH=$(dirname "$(command -v acclcc)"):/usr/bin:/bin "$ACCL" cc -gpu=cc90 scale.c -o three 2>said
contains said "compiled when it first runs"
contains three "__global__"
runs_on_device ./three >out

# NVRTC does nvcc's work where it is there.
nvrtc=${ACCL_NVCC%/bin/nvcc}/lib/libnvrtc.so.13
if [ -f "$nvrtc" ]; then
    ACCL_NVCC=/nowhere/nvcc ACCL_NVRTC=$nvrtc LD_LIBRARY_PATH=$(dirname "$nvrtc") \
        "$ACCL" cc -gpu=cc90,fastmath scale.c --keep kept -o nvrtc 2>said
    [ -s kept/scale.sm_90.cubin ] || fail "NVRTC made nothing: $(cat said)"
    cubin nvrtc sm_90
    runs_on_device ./nvrtc >out
fi

# An architecture that nvcc does not know is its error, and leaves no file.
expect 1 "$ACCL" cc -gpu=cc13 scale.c -o four 2>said
contains said "for sm_13"
[ ! -e four ] || fail "a program was left"

"$ACCL" cc -gpu=autocompare scale.c -o five 2>said
contains said "compares nothing"
