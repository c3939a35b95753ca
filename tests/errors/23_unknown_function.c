// command: accl cc -Werror $FILE -o out.o
int lookup(int key);
void keys(int n, int *x)
{
#pragma acc parallel loop copy(x[0:n])
    for (int i = 0; i < n; i++)
        x[i] = lookup(x[i]);
}
