/* Copies of the program's arrays on the device, found again by their addresses on the host.
 *
 * An array is on the device while anything holds it: a block of the program (port_copyin or
 * port_create at its start, port_copyout or port_delete at its end) or the program at large
 * (port_enter_..., port_exit_...). What is there already stays as it is and is only counted; values are
 * copied when the first holder comes and when the last one goes. */
#ifndef ACCL_PORT_H
#define ACCL_PORT_H
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif

/* Start and end of a block. */
void port_copyin(const void *host, size_t bytes);
void port_create(const void *host, size_t bytes);
void port_create_zero(const void *host, size_t bytes);
void port_copyout(const void *host, size_t bytes);
void port_delete(const void *host, size_t bytes);

/* From here on, and no longer. */
void port_enter_copyin(const void *host, size_t bytes);
void port_enter_create(const void *host, size_t bytes);
void port_enter_create_zero(const void *host, size_t bytes);
void port_exit_copyout(const void *host, size_t bytes);
void port_exit_delete(const void *host, size_t bytes);
void port_forget_holders(const void *host, size_t bytes); /* the next port_exit_... is the last */

/* Values of what is on the device, to the host and back. */
void port_update_self(const void *host, size_t bytes);
void port_update_device(const void *host, size_t bytes);

/* Ends the program where it is not on the device; asks whether it is. */
void port_present(const void *host, size_t bytes);
int port_is_present(const void *host, size_t bytes);

/* The element that present(base[index]) means: the last one where base[index] would be the first behind what is there. */
long port_present_element(const void *base, size_t size, long index);
