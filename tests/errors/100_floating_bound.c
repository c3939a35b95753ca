int count(double last)
{
    int s = 0;
#pragma acc parallel loop reduction(+ : s)
    for (int i = 0; i < last; i++)
        s += i;
    return s;
}
