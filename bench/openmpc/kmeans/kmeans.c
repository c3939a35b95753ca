/* KMEANS for a CPU, as Rodinia has it: points behind an array of pointers, and each thread adds up its own. */
#include "kmeans.h"
#include <float.h>
#include <omp.h>

static float euclid_dist_2(float *pt1, float *pt2, int numdims)
{
    int i;
    float ans = 0.0;
    for (i = 0; i < numdims; i++)
        ans += (pt1[i] - pt2[i]) * (pt1[i] - pt2[i]);
    return (ans);
}

static int find_nearest_point(float *pt, int nfeatures, float **pts, int npts)
{
    int index = 0, i;
    float min_dist = FLT_MAX;
    for (i = 0; i < npts; i++) {
        float dist;
        dist = euclid_dist_2(pt, pts[i], nfeatures);
        if (dist < min_dist) {
            min_dist = dist;
            index = i;
        }
    }
    return (index);
}

float **kmeans_clustering(float **feature, int nfeatures, int npoints, int nclusters, int steps, int *membership)
{
    int i, j, k, index, loop = 0;
    int *new_centers_len, **partial_new_centers_len;
    float delta, **clusters, **new_centers, ***partial_new_centers;
    int nthreads = omp_get_max_threads();

    clusters = (float **)malloc(nclusters * sizeof(float *));
    clusters[0] = (float *)malloc(nclusters * nfeatures * sizeof(float));
    for (i = 1; i < nclusters; i++)
        clusters[i] = clusters[i - 1] + nfeatures;
    for (i = 0; i < nclusters; i++)
        for (j = 0; j < nfeatures; j++)
            clusters[i][j] = feature[i][j];
    for (i = 0; i < npoints; i++)
        membership[i] = -1;

    new_centers_len = (int *)calloc(nclusters, sizeof(int));
    new_centers = (float **)malloc(nclusters * sizeof(float *));
    new_centers[0] = (float *)calloc(nclusters * nfeatures, sizeof(float));
    for (i = 1; i < nclusters; i++)
        new_centers[i] = new_centers[i - 1] + nfeatures;

    partial_new_centers_len = (int **)malloc(nthreads * sizeof(int *));
    partial_new_centers_len[0] = (int *)calloc(nthreads * nclusters, sizeof(int));
    for (i = 1; i < nthreads; i++)
        partial_new_centers_len[i] = partial_new_centers_len[i - 1] + nclusters;
    partial_new_centers = (float ***)malloc(nthreads * sizeof(float **));
    partial_new_centers[0] = (float **)malloc(nthreads * nclusters * sizeof(float *));
    for (i = 1; i < nthreads; i++)
        partial_new_centers[i] = partial_new_centers[i - 1] + nclusters;
    for (i = 0; i < nthreads; i++)
        for (j = 0; j < nclusters; j++)
            partial_new_centers[i][j] = (float *)calloc(nfeatures, sizeof(float));

    do {
        delta = 0.0;
#pragma omp parallel shared(feature, clusters, membership, partial_new_centers, partial_new_centers_len)
        {
            int tid = omp_get_thread_num();
#pragma omp for private(i, j, index) firstprivate(npoints, nclusters, nfeatures) schedule(static) reduction(+ : delta)
            for (i = 0; i < npoints; i++) {
                index = find_nearest_point(feature[i], nfeatures, clusters, nclusters);
                if (membership[i] != index)
                    delta += 1.0;
                membership[i] = index;
                partial_new_centers_len[tid][index]++;
                for (j = 0; j < nfeatures; j++)
                    partial_new_centers[tid][index][j] += feature[i][j];
            }
        }
        for (i = 0; i < nclusters; i++) {
            for (j = 0; j < nthreads; j++) {
                new_centers_len[i] += partial_new_centers_len[j][i];
                partial_new_centers_len[j][i] = 0;
                for (k = 0; k < nfeatures; k++) {
                    new_centers[i][k] += partial_new_centers[j][i][k];
                    partial_new_centers[j][i][k] = 0.0;
                }
            }
        }
        for (i = 0; i < nclusters; i++) {
            for (j = 0; j < nfeatures; j++) {
                if (new_centers_len[i] > 0)
                    clusters[i][j] = new_centers[i][j] / new_centers_len[i];
                new_centers[i][j] = 0.0;
            }
            new_centers_len[i] = 0;
        }
    } while (++loop < steps);

    for (i = 0; i < nthreads; i++)
        for (j = 0; j < nclusters; j++)
            free(partial_new_centers[i][j]);
    free(partial_new_centers[0]);
    free(partial_new_centers);
    free(partial_new_centers_len[0]);
    free(partial_new_centers_len);
    free(new_centers[0]);
    free(new_centers);
    free(new_centers_len);
    return clusters;
}
