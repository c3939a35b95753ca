// Register tiles of products whose rows begin at multiples of 16 bytes, which threads fetch by 16 bytes, and of others, which
// they fetch element by element. Sizes are parts of tiles and of depths.
// devices: opencl cuda
// env: ACCL_NOTIFY=1 ACCL_VARIANT=singles:*=tile128,*=tile64
// expect-stderr: ^launch \S+ kernel .* function=plain .* variant=tile64$
// expect-stderr: ^launch \S+ kernel .* function=scaled .* variant=tile64$
// expect-stderr: ^launch \S+ kernel .* function=crossed .* variant=tile64$
// expect-stderr: ^launch \S+ kernel .* function=from_floats .* variant=tile64$
// expect-stderr: ^launch \S+ kernel .* function=singles .* variant=tile128$
#include "products.h"

int main(void)
{
    return all_products();
}
