/* What a program without OpenMP and MPI has in their place. */
double omp_get_wtime(void)
{
    return 1.0;
}

double MPI_Wtime(void)
{
    return 1.0;
}
