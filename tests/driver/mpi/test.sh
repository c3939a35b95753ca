# MPI programs, by the wrapper of Open MPI and by its flags; two ranks, whose rows' ends are exchanged.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 ACC_DEVICE_TYPE=cpu
OMPI_CC="$ACCL cc" mpicc -O2 heat.c -o wrapped -lm
ACCL_CPU_MEMORY=separate mpirun -n 2 ./wrapped >said
contains said "2 ranks, 0 wrong"
ACCL_CPU_MEMORY=separate mpirun -n 2 ./wrapped device >said
contains said "2 ranks, 0 wrong"
"$ACCL" cc $(mpicc --showme:compile) heat.c -o flags $(mpicc --showme:link) -lm
mpirun -n 2 ./flags >said
contains said "2 ranks, 0 wrong"
