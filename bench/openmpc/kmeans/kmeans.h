/* What the files of KMEANS share (after Rodinia). */
#include "../frame.h"

#ifdef __cplusplus
extern "C" {
#endif
extern float **feature, **clusters;
extern int *membership, npoints, nfeatures, nclusters, steps;
float **kmeans_clustering(float **feature, int nfeatures, int npoints, int nclusters, int steps, int *membership);
#ifdef __cplusplus
}
#endif
