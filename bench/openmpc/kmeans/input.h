/* Input and check of KMEANS. */
#include <float.h>

float **feature, **clusters;
int *membership, npoints, nfeatures, nclusters, steps;

static float **matrix(int rows, int columns)
{
    float **m = (float **)bench_alloc(rows, sizeof(float *));
    m[0] = (float *)bench_alloc((size_t)rows * columns, sizeof(float));
    for (int i = 1; i < rows; i++)
        m[i] = m[i - 1] + columns;
    return m;
}

LINKAGE program_facts setup(int argc, char **argv)
{
    program_facts facts = {"openmpc_kmeans", "", bench_arg(argc, argv, 3, 1), 1e-3};
    npoints = bench_arg(argc, argv, 1, 1000);
    steps = bench_arg(argc, argv, 2, 3);
    nfeatures = 34;
    nclusters = 5;
    feature = matrix(npoints, nfeatures);
    clusters = matrix(nclusters, nfeatures);
    membership = (int *)bench_alloc(npoints, sizeof(int));
    snprintf(facts.size, sizeof facts.size, "%dx%d", npoints, steps);
    return facts;
}

LINKAGE void input(void)
{
    for (int i = 0; i < npoints; i++)
        for (int j = 0; j < nfeatures; j++)
            feature[i][j] = (float)(noise(i * 34 + j, 1) + 3 * (i % nclusters) * (j % 3));
}

LINKAGE double digest(void)
{
    double sum = 0;
    for (int i = 0; i < npoints; i++)
        sum += membership[i];
    for (int j = 0; j < nfeatures; j++)
        sum += clusters[0][j];
    return sum;
}

LINKAGE double check(void)
{
    double error = 0;
    float **at = matrix(nclusters, nfeatures), **sums = matrix(nclusters, nfeatures);
    for (int i = 0; i < nclusters; i++)
        for (int j = 0; j < nfeatures; j++)
            at[i][j] = feature[i][j];
    for (int step = 0; step < steps; step++) {
        int count[16] = {0};
        memset(sums[0], 0, (size_t)nclusters * nfeatures * sizeof(float));
        for (int i = 0; i < npoints; i++) {
            int best = 0;
            float least = FLT_MAX;
            for (int k = 0; k < nclusters; k++) {
                float distance = 0;
                for (int j = 0; j < nfeatures; j++)
                    distance += (feature[i][j] - at[k][j]) * (feature[i][j] - at[k][j]);
                if (distance < least) {
                    least = distance;
                    best = k;
                }
            }
            count[best]++;
            for (int j = 0; j < nfeatures; j++)
                sums[best][j] += feature[i][j];
        }
        for (int k = 0; k < nclusters; k++)
            for (int j = 0; j < nfeatures; j++)
                if (count[k] > 0)
                    at[k][j] = sums[k][j] / count[k];
    }
    for (int k = 0; k < nclusters; k++)
        for (int j = 0; j < nfeatures; j++)
            error = bench_worst(error, clusters[k][j], at[k][j], 1.0);
    free(at[0]);
    free(at);
    free(sums[0]);
    free(sums);
    return error;
}
