/* KMEANS for a CPU: input and main. */
#define FRAME_MAIN
#include "kmeans.h"
#include "input.h"

void compute(void)
{
    if (clusters[0])
        free(clusters[0]), free(clusters);
    clusters = kmeans_clustering(feature, nfeatures, npoints, nclusters, steps, membership);
}
