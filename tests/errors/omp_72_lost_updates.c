// command: accl cc -fopenmp -c $FILE -o /dev/null
// expect-exit: 0
/* Updates of numbers that no clause names. */
int main(void)
{
    int a[100], count = 0, found = 0, next = 0, kept = 0;
    double sum = 0;
    for (int i = 0; i < 100; i++)
        a[i] = i;
#pragma omp target teams distribute parallel for map(a)
    for (int i = 0; i < 100; i++) {
        if (a[i] % 3 == 0) {
#pragma omp atomic
            count++;
        }
#pragma omp atomic update
        sum += a[i];
        int at;
#pragma omp atomic capture
        at = next++;
        a[at] += 0;
    }
#pragma omp target teams distribute parallel for map(a) map(tofrom : found) firstprivate(kept)
    for (int i = 0; i < 100; i++) {
#pragma omp atomic
        found += a[i];
#pragma omp atomic
        kept += a[i];
    }
    int steps = 0, at = 0, last = 0;
#pragma omp target map(a)
    for (int i = 0; i < 100; i++) {
        at += 2;
        a[i] += at;
        if (a[i] > 50)
            steps = steps + 1;
        last = i;
    }
    return count + (int)sum + next + kept + steps + last;
}
