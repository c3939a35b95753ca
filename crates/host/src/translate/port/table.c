
struct entry {
    char *host;
    size_t bytes;
    device_memory device;
    int blocks, others; /* holders of both kinds */
    struct entry *next;
};
static struct entry *entries;

static void fail(const char *what, const void *host, size_t bytes)
{
    fprintf(stderr, "%s: %lu bytes at %p\n", what, (unsigned long)bytes, (void *)host);
    exit(1);
}

/* The entry that holds all of it: an empty piece is where its address is, or an entry by itself. */
static struct entry *find(const void *host, size_t bytes)
{
    const char *first = (const char *)host;
    const size_t least = bytes > 0 ? bytes : 1;
    struct entry *e;
    for (e = entries; e; e = e->next)
        if (e->host <= first && first + least <= e->host + e->bytes)
            return e;
    for (e = entries; e; e = e->next)
        if (bytes == 0 && e->bytes == 0 && e->host == first)
            return e;
    return NULL;
}

static struct entry *present(const void *host, size_t bytes)
{
    struct entry *e = find(host, bytes);
    if (!e)
        fail("not on the device", host, bytes);
    return e;
}

static struct entry *add(const void *host, size_t bytes)
{
    const char *first = (const char *)host;
    struct entry *e;
    for (e = entries; e; e = e->next)
        if (first < e->host + e->bytes && e->host < first + bytes)
            fail("only a part of it is on the device", host, bytes);
    e = (struct entry *)calloc(1, sizeof *e);
    if (!e)
        fail("out of memory", host, bytes);
    e->host = (char *)host;
    e->bytes = bytes;
    e->device = bytes > 0 ? device_allocate(bytes) : NULL;
    e->next = entries;
    entries = e;
    return e;
}

enum start { NOTHING, VALUES, ZERO };

static struct entry *begin(const void *host, size_t bytes, enum start start)
{
    struct entry *e = find(host, bytes);
    if (e)
        return e;
    e = add(host, bytes);
    if (bytes > 0 && start == VALUES)
        device_write(e->device, 0, host, bytes);
    if (bytes > 0 && start == ZERO)
        device_zero(e->device, bytes);
    return e;
}

/* One holder less; the last one copies values back, if it wants them, and ends the entry. */
static void end(struct entry *e, int *holders, const void *host, size_t bytes, int copy)
{
    struct entry **link = &entries;
    if (*holders > 0)
        --*holders;
    if (e->blocks + e->others > 0)
        return;
    if (copy && bytes > 0)
        device_read(e->device, (size_t)((char *)host - e->host), (void *)host, bytes);
    while (*link != e)
        link = &(*link)->next;
    *link = e->next;
    if (e->bytes > 0)
        device_free(e->device);
    free(e);
}

static void end_block(const void *host, size_t bytes, int copy)
{
    struct entry *e = present(host, bytes);
    end(e, &e->blocks, host, bytes, copy);
}

/* What is not on the device has left it already. */
static void end_other(const void *host, size_t bytes, int copy)
{
    struct entry *e = find(host, bytes);
    if (e)
        end(e, &e->others, host, bytes, copy);
}

void port_copyin(const void *host, size_t bytes) { begin(host, bytes, VALUES)->blocks++; }
void port_create(const void *host, size_t bytes) { begin(host, bytes, NOTHING)->blocks++; }
void port_create_zero(const void *host, size_t bytes) { begin(host, bytes, ZERO)->blocks++; }
void port_copyout(const void *host, size_t bytes) { end_block(host, bytes, 1); }
void port_delete(const void *host, size_t bytes) { end_block(host, bytes, 0); }

void port_enter_copyin(const void *host, size_t bytes) { begin(host, bytes, VALUES)->others++; }
void port_enter_create(const void *host, size_t bytes) { begin(host, bytes, NOTHING)->others++; }
void port_enter_create_zero(const void *host, size_t bytes) { begin(host, bytes, ZERO)->others++; }
void port_exit_copyout(const void *host, size_t bytes) { end_other(host, bytes, 1); }
void port_exit_delete(const void *host, size_t bytes) { end_other(host, bytes, 0); }

void port_forget_holders(const void *host, size_t bytes)
{
    struct entry *e = find(host, bytes);
    if (e && e->others > 1)
        e->others = 1;
}

void port_update_self(const void *host, size_t bytes)
{
    struct entry *e = present(host, bytes);
    if (bytes > 0)
        device_read(e->device, (size_t)((char *)host - e->host), (void *)host, bytes);
}

void port_update_device(const void *host, size_t bytes)
{
    struct entry *e = present(host, bytes);
    if (bytes > 0)
        device_write(e->device, (size_t)((char *)host - e->host), host, bytes);
}

void port_present(const void *host, size_t bytes) { present(host, bytes); }
int port_is_present(const void *host, size_t bytes) { return find(host, bytes) != NULL; }

long port_present_element(const void *base, size_t size, long index)
{
    struct entry *e = find(base, 0);
    int behind = e && index > 0 && e->host + e->bytes == (const char *)base + (size_t)index * size;
    return behind ? index - 1 : index;
}
