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
