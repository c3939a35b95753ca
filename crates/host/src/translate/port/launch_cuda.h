
/* Waits for all kernels. */
void port_wait(void);

/* For kernels: the address on the device that stands for one on the host; the second one where the array's
 * first element on the device lies that many bytes behind `host`. */
void *port_device(const void *host);
void *port_device_at(const void *host, ptrdiff_t first);
void *port_device_or_host(const void *host);
void port_launched(const char *kernel);

#ifdef __cplusplus
}
#endif
#endif
