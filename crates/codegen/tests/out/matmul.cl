/* matmul: parallel loop */
__kernel void matmul_7(int n, __global const float *restrict a_buf, long a_off,
                       __global const float *restrict b_buf, long b_off,
                       __global float *restrict c_buf, long c_off)
{
    __global const float *restrict a = (__global const float *)((__global const char *)a_buf + a_off);
    __global const float *restrict b = (__global const float *)((__global const char *)b_buf + b_off);
    __global float *restrict c = (__global float *)((__global char *)c_buf + c_off);

    int i = get_global_id(1);
    int j = get_global_id(0);
    if (i < n && j < n) {
        float sum = 0.0f;
        for (int k = 0; k < n; k++)
            sum += a[i * n + k] * b[k * n + j];
        c[i * n + j] = sum;
    }
}
