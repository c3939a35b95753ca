# OpenMPC's parameters (paper 002, tables 5 to 7) in a configuration file, and the user directive file: what each changes.
# compiled CONFIGURATION...: the program with these lines in a file; what is said is in `said`.
compiled() {
    printf '%s\n' "$@" >config.txt
    "$ACCL" cc -O1 -fopenmpc -Minfo -gpu=config:config.txt program.c -o program -lm 2>said
}
run() {
    ACC_DEVICE_TYPE=cpu ACCL_CPU_MEMORY=separate ACCL_NOTIFY=1 ./program >printed 2>log
    cmp printed wanted
}
gcc -O1 program.c -o plain
./plain >wanted
lacks() {
    ! grep -qF -- "$2" "$1" || fail "'$2' is in $1"
}

compiled '# nothing'
run
[ "$(grep -c '^launch ' log)" = 4 ] || fail "4 launches are usual"
contains said "Schedule noalias:"

# Table 5.
compiled 'cudaThreadBlockSize=32' 'MAXNUMOFCUDATHREADBLOCKS = 5'
contains said "loop gang(5), vector(32)"
run
compiled 'useParallelLoopSwap=0'
contains said "Schedule plain: grid(i:x, j:y)"
run
compiled 'useLoopCollapse=0'
lacks said "grid(j:x, i:y)"
run
compiled 'disableCritical2ReductionConv'
contains said "keeps its \`critical\`"
run
[ "$(grep -c '^launch ' log)" = 3 ] || fail "the critical's loop stays with the host"
settled="useUnrollingOnReduction useMallocPitch useGlobalGMalloc globalGMallocOpt assumeNonZeroTripLoops convStatic2Global
    MemTrOptOnLoops forceSyncKernelCall addCudaErrorCheckingCode addSafetyCheckingCode cudaMallocOptLevel=2 cudaMemTrOptLevel=2
    UEPRemovalOptLevel=2 localRedVarConf=1 shrdSclrCachingOnReg shrdSclrCachingOnSM prvtArrayCachingOnSM
    shrdSclrCachingOnConst extractTuningParameters=f genTuningConfFiles=d defaultTuningConfFile=f tuningLevel=1"
compiled $settled
for name in $settled; do
    contains said " ${name%=*} has no effect: "
done
cat >columns.c <<'EOF'
#include <stdlib.h>
void f(int n, double *out)
{
    double *xx = malloc(n * 64 * sizeof *xx);
#pragma acc data create(xx[0:n * 64]) copy(out[0:n])
#pragma acc parallel loop
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < 64; i++)
            xx[k * 64 + i] = k + i;
        for (int i = 0; i < 64; i++)
            out[k] += xx[k * 64 + i];
    }
    free(xx);
}
EOF
"$ACCL" cc -c -Minfo columns.c 2>said
contains said "xx is stored by columns"
echo 'useMatrixTranspose=0' >config.txt
"$ACCL" cc -c -Minfo -gpu=config:config.txt columns.c 2>said
lacks said "xx is stored by columns"

# Table 6.
for name in shrdArrayElmtCachingOnReg shrdArrayCachingOnTM shrdArrayCachingOnConst; do
    echo "$name=0" >config.txt
    "$ACCL" cc -c -O1 -fopenmpc -Minfo -gpu=config:config.txt program.c 2>said
    lacks said "Schedule noalias:"
done

# Table 7, and the user directive file.
cat >directives.txt <<'EOF'
# the second loop of main stays with the host
main 1: nogpurun
scale 0: gpurun threadblocksize(128)
EOF
compiled 'cudaUserDirectiveFile=directives.txt'
contains said "\`#pragma cuda\` asks for the CPU"
contains said "vector(128)"
run
[ "$(grep -c '^launch ' log)" = 3 ] || fail "three loops are left"

# What is wrong.
wrong() {
    echo "$1" >directives.txt
    expect 1 "$ACCL" cc -fopenmpc -fopenmpc-directives=directives.txt program.c -o program 2>said
    contains said "$2"
}
wrong 'scal 0: gpurun' 'directives.txt:1: there is no function `scal`'
contains said 'did you mean `scale`?'
wrong 'main 7: gpurun' 'directives.txt:1: `main` has the kernels 0 to 2, and no 7'
wrong 'main 0: gpurun texture(aa)' '`texture` names `aa`, which the function does not use'
wrong 'main 0: gpurun texture(a) notexture(a)' '`texture` and `notexture` of `a` contradict each other'
for line in 'main: gpurun' 'cudaThreadBlockSize=0'; do
    case $line in
    main*) echo "$line" >d.txt && expect 2 "$ACCL" cc -fopenmpc -fopenmpc-directives=d.txt program.c -o program 2>said ;;
    *) echo "$line" >d.txt && expect 2 "$ACCL" cc -fopenmpc -gpu=config:d.txt program.c -o program 2>said ;;
    esac
    contains said "d.txt:1:"
done
