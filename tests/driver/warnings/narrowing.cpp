// A narrowing conversion in braces is an error, unless the command line says otherwise.
int main(int argc, char **)
{
    long n = 10 * argc;
    int s{n};
#pragma acc parallel loop reduction(+ : s)
    for (int i = 0; i < 10; i++)
        s += i;
    return s != 55;
}
