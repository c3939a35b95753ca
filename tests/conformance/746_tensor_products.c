// Products of doubles on tensor units: warps multiply matrices. The same products as in 745.
// devices: cuda
// env: ACCL_NOTIFY=1 ACCL_VARIANT=singles:*=tile64,*=tensor_tile64
// expect-stderr: ^launch \S+ kernel .* function=plain .* variant=tensor_tile64$
// expect-stderr: ^launch \S+ kernel .* function=scaled .* variant=tensor_tile64$
// expect-stderr: ^launch \S+ kernel .* function=crossed .* variant=tensor_tile64$
// expect-stderr: ^launch \S+ kernel .* function=from_floats .* variant=tensor_tile64$
// expect-stderr: ^launch \S+ kernel .* function=singles .* variant=tile64$
#include "products.h"

int main(void)
{
    return all_products();
}
