/* Does what its arguments say with a module of the kernels a, b, c, of one that is compiled on demand, and of one whose code is
 * wrong: launches a kernel (its letter), sleeps (a number of milliseconds), forks,
 * registers the module of a library that is unloaded at once. */
#include "common.h"
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#define KERNEL(rank, name) "//accl:variant " rank " " name "\nextern \"C\" __global__ void " name "(void) {}\n"

static const char usual[] = "/* shared */\n" KERNEL("0", "a") KERNEL("1", "a_plain") KERNEL("0", "b") KERNEL("0", "c");
static const char rare[] = KERNEL("1000", "d") KERNEL("1000", "e");
static const char mistaken[] = KERNEL("1000", "wrong");

static const accl_module modules[] = {{ACCL_ABI_VERSION, 0, "usual.c", usual, NULL, NULL},
                                      {ACCL_ABI_VERSION, 0, "rare.c", rare, NULL, NULL},
                                      {ACCL_ABI_VERSION, 0, "mistaken.c", mistaken, NULL, NULL}};

__attribute__((constructor)) static void register_modules(void) {
    for (int i = 0; i < 3; i++) accl_register(&modules[i]);
}

SITE(site, "parallel loop", 12);

#define VARIANT(name) {name, 0, {128, 1, 1}, {1, 1, 1}, 0}
static const accl_variant variants[] = {VARIANT("a"), VARIANT("b"), VARIANT("c"), VARIANT("d"), VARIANT("wrong")};
#define TABLE(v) {&site, NULL, ACCL_KERNEL_VECTOR_X, 1, {ACCL_GRID_TRIPS, 0, 0}, 1, &variants[v], 0, 0, NULL, NULL, 0, NULL}
static const accl_kernel kernels[] = {TABLE(0), TABLE(1), TABLE(2), TABLE(3), TABLE(4)};

static void launch(int kernel) {
    accl_launch_info info = {&modules[kernel < 3 ? 0 : kernel - 2], &kernels[kernel], NULL, NULL, NULL, {1000, 0, 0},
                             0, 0, 0, 0, ACCL_SYNC, NULL, NULL, 0};
    accl_launch(&info);
}

static void forks(void) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) exit(4);
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 4);
}

/* What a library's module does: its text is gone when the library is. */
static void unloaded(void) {
    char *text = strdup("/* of a library */\n" KERNEL("0", "f"));
    accl_module module = {ACCL_ABI_VERSION, 0, "library.c", text, NULL, NULL};
    accl_register(&module);
    memset(text, '#', strlen(text));
    free(text);
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        if (!strcmp(word, "init")) acc_init(acc_device_nvidia);
        else if (!strcmp(word, "second")) acc_set_device_num(1, acc_device_nvidia);
        else if (!strcmp(word, "fork")) forks();
        else if (!strcmp(word, "unloaded")) unloaded();
        else if (word[0] >= 'a' && word[0] <= 'd') launch(word[0] - 'a');
        else if (!strcmp(word, "wrong")) launch(4);
        else usleep(1000 * atoi(word));
    }
    printf("ok\n");
    return 0;
}
