// A function of another file, for the program of the same number.
double double_of(double x)
{
    return 2 * x;
}
