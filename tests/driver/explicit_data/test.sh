# Programs with all data directives (accl translate --to openmp, --to openacc), by accl and by gcc, with transfers counted.
gcc -fopenmp -O1 grid.c -o plain -lm
./plain >wanted

# transfers LOG: how many went to and from the device, and how many launches there were.
transfers() {
    echo "$(grep -c '^launch ' "$1") $(grep -c '^upload ' "$1") $(grep -c '^download ' "$1")"
}

for language in openmp openacc; do
    "$ACCL" translate --to $language -fopenmpc grid.c -o $language
    (
        cd $language
        "$ACCL" cc -O1 -fopenmp grid.c -o grid -lm
        ACC_DEVICE_TYPE=cpu ACCL_CPU_MEMORY=separate ACCL_NOTIFY=3 ./grid >printed 2>log
        cmp printed ../wanted
        gcc -O1 -foffload=disable -fopenmp $([ $language = openacc ] && echo -fopenacc) grid.c -o by_gcc -lm
        ./by_gcc >printed
        cmp printed ../wanted
        if [ $language = openmp ] && command -v clang >clang_path && clang -fopenmp -O1 grid.c -o by_clang -lm 2>said; then
            ./by_clang >printed
            cmp printed ../wanted
        fi
    )
    # 40 steps, three of smoothing and the sum: a, b, order and the weights go there once, v three times; a and b come back once, v three times.
    [ "$(transfers $language/log)" = "44 7 5" ] || fail "$(transfers $language/log) with $language"
done
contains openmp/grid.c '#pragma omp target teams distribute parallel for map(to: weights) map(tofrom: values[0:64]) // the threads of the CPU'
contains openmp/grid.c '/* Copied at each launch: values, the host uses it (line 35). */'
contains openmp/grid.c '    #pragma omp target enter data map(to: a[0:n * m])'
contains openacc/grid.c 'copyin(weights) copy(values[0:64])'

# What would have to be written is shown.
"$ACCL" explain -fopenmpc grid.c >explained
contains explained "Directives that would make the data of grid.c explicit"
contains explained "grid.c:32: #pragma omp target teams distribute parallel for map(to: weights) map(tofrom: values[0:64])"

# Constructs for devices without data clauses, in both languages.
cat >constructs.c <<'EOF'
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    int n = 1000;
    float *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
    for (int i = 0; i < n; i++)
        x[i] = i, y[i] = 0;
    for (int k = 0; k < 5; k++) {
#pragma DIRECTIVE
        for (int i = 0; i < n; i++)
            y[i] += x[i];
    }
    printf("%g\n", y[10]);
    return 0;
}
EOF
sed 's/DIRECTIVE/omp target teams distribute parallel for/' constructs.c >omp.c
sed 's/DIRECTIVE/acc parallel loop/' constructs.c >acc.c
"$ACCL" translate --to openmp -fopenmp omp.c -o out
"$ACCL" translate --to openacc acc.c -o out
contains out/omp.c '    #pragma omp target data map(to: x[0:n]) map(tofrom: y[0:n])'
contains out/acc.c '    #pragma acc data copyin(x[0:n]) copy(y[0:n])'
for program in omp acc; do
    "$ACCL" cc -fopenmp out/$program.c -o $program
    ACC_DEVICE_TYPE=cpu ACCL_CPU_MEMORY=separate ACCL_NOTIFY=3 ./$program >printed 2>log
    contains printed 50
    [ "$(transfers log)" = "5 2 1" ] || fail "$(transfers log) with $program"
done
expect 1 "$ACCL" translate --to openacc -fopenmp omp.c -o out 2>said
contains said "--to openacc"

# A section that nothing tells.
cat >unknown.c <<'EOF'
void f(int n, float *y, const int *index)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        y[index[i]] = 1;
}
EOF
expect 1 "$ACCL" translate --to openmp -fopenmp unknown.c -o out 2>said
contains said 'nothing tells which section of `y` the construct uses'
contains said "ACCL0544"
