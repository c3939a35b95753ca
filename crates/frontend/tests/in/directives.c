// Directives of the host: nesting, stand-alone ones, clauses, macros and _Pragma.
#define LENGTH 128
#define QUEUE 3
#define LOOP _Pragma("acc loop vector(LENGTH)")
#define ACC(x) _Pragma(#x)
#define PARALLEL(n) ACC(acc parallel loop num_gangs(n) vector_length(LENGTH))
enum { GANGS = 40 };
static int table[100];
#pragma acc declare create(table)

void f(int n, float *x, float *y, int flag)
{
    int err = 0;
#pragma acc init device_type(nvidia)
#pragma acc set device_num(0) default_async(QUEUE)
#pragma acc data copy(x[:n]) if(n > 10)
#pragma acc data create(y[0:n])
    {
#pragma acc parallel async(QUEUE) wait(1, 2) num_gangs(GANGS) num_workers(4) vector_length(LENGTH) \
    if(flag) present(x) default(none) copy(err)
        {
            LOOP
            for (int i = 0; i < n; i++)
                x[i] = table[i];
        }
#pragma acc update self(x[0:n / 2], y[1]) device(table) async if_present
#pragma acc wait(QUEUE) async(2)
        if (flag)
        {
            PARALLEL(GANGS * 2)
            for (int i = 0; i < n; i++)
                y[i] = 1;
        }
        while (flag--)
#pragma acc kernels loop self(n < 100)
            for (int i = 0; i < n; i++)
                y[i] += x[i];
#pragma acc serial
        err = 2;
#pragma acc host_data use_device(x, y) if_present
        f(0, x, y, 0);
    }
#pragma acc enter data copyin(readonly: x[0:n]) attach(x) async
#pragma acc exit data copyout(x[0:n]) finalize
#pragma acc wait
}
