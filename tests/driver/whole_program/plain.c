/* For the host alone. */
double plain(double x)
{
    return 2 * x;
}
