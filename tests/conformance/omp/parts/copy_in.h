// Of 310: templates with constructs, for types that are defined later.
namespace store {
template <typename T>
T *copy_in(const T *h, int n = 1) {
    T *d = nullptr;
#pragma omp target enter data map(to : h[:n])
#pragma omp target data use_device_ptr(h)
    {
        d = const_cast<T *>(h);
    }
    return d;
}

template <typename T>
void fetch(T *h, int n = 1) {
#pragma omp target update from(h[:n])
#pragma omp target exit data map(delete : h[:n])
}
}
