// Device memory that objects of C++ own by omp_target_alloc and omp_target_free.
// flags: -fopenmp
// needs: runtime
// expect: launches=2 uploads=2 downloads=2
#include <complex>
#include <omp.h>
#include <vector>
#include "check.h"

template <typename T>
class DeviceArray {
public:
    explicit DeviceArray(const std::vector<T> &values)
        : device(omp_get_default_device()), n(values.size()),
          elements(static_cast<T *>(omp_target_alloc(n * sizeof(T), device)))
    {
        check_int("upload", n, omp_target_memcpy(elements, values.data(), n * sizeof(T), 0, 0, device, host), 0);
    }
    DeviceArray(const DeviceArray &) = delete;
    DeviceArray &operator=(const DeviceArray &) = delete;
    ~DeviceArray()
    {
        omp_target_free(elements, device);
    }
    T *data() const
    {
        return elements;
    }
    std::vector<T> values() const
    {
        std::vector<T> copy(n);
        omp_target_memcpy(copy.data(), elements, n * sizeof(T), 0, 0, host, device);
        return copy;
    }

private:
    static const int host = -1; // omp_initial_device, which not every omp.h has
    int device;
    size_t n;
    T *elements;
};

int main()
{
    const int n = 133;
    std::vector<double> x(n);
    std::vector<std::complex<float>> z(n);
    for (int i = 0; i < n; i++) {
        x[i] = 0.25 * i;
        z[i] = {float(i), float(-i)};
    }
    DeviceArray<double> dx(x);
    DeviceArray<std::complex<float>> dz(z);
    double *px = dx.data();
    float *pz = reinterpret_cast<float *>(dz.data());
#pragma acc parallel loop deviceptr(px)
    for (int i = 0; i < n; i++)
        px[i] = px[i] * px[i];
#pragma acc parallel loop deviceptr(px, pz)
    for (int i = 0; i < n; i++)
        pz[2 * i] += (float)px[i];
    x = dx.values();
    z = dz.values();
    for (int i = 0; i < n; i++) {
        check_near("x", i, x[i], 0.0625 * i * i, 0.0);
        check_near("re", i, z[i].real(), i + 0.0625f * i * i, 1e-6);
        check_near("im", i, z[i].imag(), -i, 0.0);
    }
    DeviceArray<int> none((std::vector<int>()));
    check_true("no elements", none.data() == nullptr && none.values().empty());
    return finish();
}
