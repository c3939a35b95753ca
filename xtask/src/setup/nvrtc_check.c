/* nvrtc-check LIBRARY OPTION... FILE...: compiles each file with that NVRTC and these options, as the runtime would; prints the
 * log of each that fails or has warnings. Exit code: 0 all compile, 1 some do not, 2 usage. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void *program;
static int (*create)(program *, const char *, const char *, int, const char *const *, const char *const *);
static int (*compile)(program, int, const char *const *);
static int (*log_size)(program, size_t *);
static int (*get_log)(program, char *);
static int (*destroy)(program *);

static void *symbol(void *library, const char *name)
{
    void *found = dlsym(library, name);
    if (!found) {
        fprintf(stderr, "nvrtc-check: %s\n", dlerror());
        exit(2);
    }
    return found;
}

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(2);
    }
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = calloc((size_t)size + 1, 1);
    if (!text || fread(text, 1, (size_t)size, file) != (size_t)size) {
        perror(path);
        exit(2);
    }
    fclose(file);
    return text;
}

static int check(const char *path, int count, const char *const *options)
{
    char *text = read_file(path);
    program p = NULL;
    if (create(&p, text, path, 0, NULL, NULL) != 0) {
        fprintf(stderr, "nvrtc-check: cannot create a program\n");
        exit(2);
    }
    int status = compile(p, count, options);
    /* Its size counts the byte that ends it. */
    size_t size = 0;
    log_size(p, &size);
    char *log = calloc(size + 1, 1);
    if (log && (status != 0 || size > 1)) {
        get_log(p, log);
        printf("%s: status %d\n%s\n", path, status, log);
    }
    free(log);
    destroy(&p);
    free(text);
    return status != 0;
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: nvrtc-check LIBRARY OPTION... FILE...\n");
        return 2;
    }
    void *library = dlopen(argv[1], RTLD_NOW);
    if (!library) {
        fprintf(stderr, "nvrtc-check: %s\n", dlerror());
        return 2;
    }
    *(void **)&create = symbol(library, "nvrtcCreateProgram");
    *(void **)&compile = symbol(library, "nvrtcCompileProgram");
    *(void **)&log_size = symbol(library, "nvrtcGetProgramLogSize");
    *(void **)&get_log = symbol(library, "nvrtcGetProgramLog");
    *(void **)&destroy = symbol(library, "nvrtcDestroyProgram");
    int options = 0, failed = 0;
    while (2 + options < argc && argv[2 + options][0] == '-')
        options++;
    for (int i = 2 + options; i < argc; i++)
        failed |= check(argv[i], options, (const char *const *)argv + 2);
    return failed;
}
