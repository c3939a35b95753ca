int chosen(int x);

int chosen(int x)
{
    return 2 * x;
}
