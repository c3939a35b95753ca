/* The heat equation with MPI: each rank has some rows on its device; after a step its first and last one are exchanged from the
   addresses of host_data where MPI can take them (the argument is `device`), else through the host. */
#include <math.h>
#include <mpi.h>
#include <openacc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 24, COLUMNS = 64, STEPS = 20, ALL = (ROWS + 2) * COLUMNS };

static double start(int row, int column) { return (row * 7 + column * 3) % 11; }

static void exchange(double *a, int rank, int ranks)
{
    int up = rank > 0 ? rank - 1 : MPI_PROC_NULL, down = rank < ranks - 1 ? rank + 1 : MPI_PROC_NULL;
    MPI_Sendrecv(a + COLUMNS, COLUMNS, MPI_DOUBLE, up, 1, a + (ROWS + 1) * COLUMNS, COLUMNS, MPI_DOUBLE, down, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(a + ROWS * COLUMNS, COLUMNS, MPI_DOUBLE, down, 2, a, COLUMNS, MPI_DOUBLE, up, 2, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

static void heat(double *a, double *b, int rows)
{
#pragma acc parallel loop collapse(2) present(a, b)
    for (int i = 1; i <= rows; i++)
        for (int j = 1; j < COLUMNS - 1; j++) {
            int at = i * COLUMNS + j;
            b[at] = a[at] + 0.1 * (a[at - COLUMNS] + a[at + COLUMNS] + a[at - 1] + a[at + 1] - 4 * a[at]);
        }
}

int main(int argc, char **argv)
{
    int rank, ranks, by_device = argc > 1 && !strcmp(argv[1], "device");
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    acc_set_device_num(rank % acc_get_num_devices(acc_get_device_type()), acc_get_device_type());
    double *a = malloc(ALL * sizeof *a), *b = malloc(ALL * sizeof *b);
    for (int i = 0; i < ALL; i++)
        a[i] = b[i] = start(rank * ROWS + i / COLUMNS, i % COLUMNS);
#pragma acc data copy(a[0:ALL]) copyin(b[0:ALL])
    {
        double *from = a, *to = b;
        for (int step = 0; step < STEPS; step++) {
            heat(from, to, ROWS);
            if (by_device) {
#pragma acc host_data use_device(to)
                exchange(to, rank, ranks);
            } else {
#pragma acc update self(to[COLUMNS:COLUMNS], to[ROWS * COLUMNS:COLUMNS])
                exchange(to, rank, ranks);
                if (rank > 0) {
#pragma acc update device(to[0:COLUMNS])
                }
                if (rank < ranks - 1) {
#pragma acc update device(to[(ROWS + 1) * COLUMNS:COLUMNS])
                }
            }
            double *new = to;
            to = from;
            from = new;
        }
    }
    int all_rows = ROWS * ranks, wrong = 0, all_wrong;
    size_t cells = (size_t)(all_rows + 2) * COLUMNS;
    double *x = malloc(cells * sizeof *x), *y = malloc(cells * sizeof *y);
    for (size_t i = 0; i < cells; i++)
        x[i] = y[i] = start(i / COLUMNS, i % COLUMNS);
#pragma acc data copy(x[0:cells], y[0:cells])
    for (int step = 0; step < STEPS; step += 2) {
        heat(x, y, all_rows);
        heat(y, x, all_rows);
    }
    for (int i = COLUMNS; i < (ROWS + 1) * COLUMNS; i++)
        wrong += !(fabs(a[i] - x[rank * ROWS * COLUMNS + i]) < 1e-9);
    wrong += fabs(x[(ROWS / 2) * COLUMNS + 5] - start(ROWS / 2, 5)) < 1e-3;
    MPI_Allreduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d ranks, %d wrong\n", ranks, all_wrong);
    MPI_Finalize();
    return all_wrong != 0;
}
