/* Clang calls the empty return an error, unless the command line says otherwise. */
int main(int argc, char **argv)
{
    int i, s = 0;
    if (argc > 5)
        return;
#pragma acc parallel loop reduction(+ : s)
    for (i = 0; i < 10; i++)
        s += i;
    return s != 45 || !argv;
}
