# Translation to other languages, and the explanation.
for language in cuda opencl c; do
    "$ACCL" translate --to $language saxpy.c -o $language
    ls $language | grep -q saxpy || fail "nothing was written for $language"
done
grep -rq __global__ cuda || fail "no kernel in CUDA"
grep -rq __kernel opencl || fail "no kernel in OpenCL"
"$ACCL" explain saxpy.c >explained
contains explained "for (int i = 0; i < n; i++)"
contains explained "copyin(x[0:n])"

# What a port cannot do without the runtime is said, for every language.
cat >window.c <<'EOF'
void twice(int n, float *a)
{
#pragma acc parallel loop vector(64) copy(a[0:n])
    for (int i = 0; i < n; i++) {
#pragma acc fcw FETCH_CHANNEL_WB(a[i:0:0])
        a[i] = a[n - 1 - i < n ? i : 0] * 2;
    }
}
EOF
for language in cuda opencl c; do
    expect 1 "$ACCL" translate --to $language window.c -o refused 2>said
    contains said "needs the runtime"
done
