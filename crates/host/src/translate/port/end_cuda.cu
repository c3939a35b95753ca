
void port_wait(void)
{
    check(cudaDeviceSynchronize(), "kernels");
}

void *port_device_at(const void *host, ptrdiff_t first)
{
    struct entry *e = present((const char *)host + first, 0);
    return e->bytes > 0 ? (char *)e->device + ((const char *)host - e->host) : NULL;
}

void *port_device(const void *host)
{
    return port_device_at(host, 0);
}

void *port_device_or_host(const void *host)
{
    return find(host, 0) ? port_device(host) : (void *)host;
}

void port_launched(const char *kernel)
{
    check(cudaGetLastError(), kernel);
}
