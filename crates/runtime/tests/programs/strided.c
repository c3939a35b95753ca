/* update of a block of a matrix, and of a block of a volume. */
#include "common.h"

SITE(update_site, "update", 10);
enum { R = 50, C = 40, P = 6 };
static int a[P][R][C];

static void fill(int add) {
    for (int p = 0; p < P; p++)
        for (int r = 0; r < R; r++)
            for (int c = 0; c < C; c++) a[p][r][c] = (p * R + r) * C + c + add;
}

/* a[p0:np][r0:nr][c0:nc] */
static void update(uint32_t kind, int64_t async, int p0, int np, int r0, int nr, int c0, int nc) {
    accl_dim dims[3] = {{nc * sizeof(int), 1}, {C * sizeof(int), nr}, {R * C * sizeof(int), np}};
    accl_var v = section("a", a, (p0 * R + r0) * C + c0, (size_t)np * nr * nc, sizeof(int), kind);
    v.dims = dims;
    v.n_dims = np > 1 ? 3 : 2;
    accl_update(&update_site, &v, 1, async);
}

int main(void) {
    for (int async = -1; async < 2; async += 2) {
        fill(0);
        acc_copyin(a, sizeof a);
        fill(1000000);
        update(ACCL_UPDATE_DEVICE, async, 1, 3, 2, 5, 7, 9);
        update(ACCL_UPDATE_DEVICE, async, 5, 1, 0, R, C - 1, 1); /* a column */
        if (async >= 0) acc_wait(async);
        int shared = acc_get_property(0, acc_device_current, acc_property_shared_memory_support) != 0;
        for (int i = 0; i < P * R * C; i++) (&a[0][0][0])[i] = -1;
        if (shared) fill(1000000);
        update(ACCL_UPDATE_SELF, async, 1, 1, 2, 5, 7, 9);
        update(ACCL_UPDATE_SELF, async, 5, 1, 0, R, C - 1, 1);
        update(ACCL_UPDATE_SELF, async, 0, 2, 0, 1, 0, 2);
        if (async >= 0) acc_wait(async);
        CHECK(a[1][2][7] == (R + 2) * C + 7 + 1000000 && a[1][6][15] == (R + 6) * C + 15 + 1000000);
        CHECK(a[5][3][C - 1] == (5 * R + 3) * C + C - 1 + 1000000);
        if (!shared) {
            CHECK(a[1][2][6] == -1 && a[1][7][7] == -1 && a[5][3][C - 2] == -1);
            CHECK(a[0][0][1] == 1 && a[1][0][0] == R * C && a[0][0][2] == -1);
            acc_copyout(a, sizeof a);
            for (int p = 0; p < P; p++)
                for (int r = 0; r < R; r++)
                    for (int c = 0; c < C; c++) {
                        int sent = (p >= 1 && p < 4 && r >= 2 && r < 7 && c >= 7 && c < 16) || (p == 5 && c == C - 1);
                        CHECK(a[p][r][c] == (p * R + r) * C + c + (sent ? 1000000 : 0));
                    }
        } else {
            acc_delete(a, sizeof a);
        }
    }
    printf("ok\n");
    return 0;
}
