// In a program without symbols nobody knows how long arrays with static storage in functions are. The one that is given to `first` and
// begins where another ends was taken for that one, and the kernel wrote behind it.
// flags: -s
// expect: launches=1
#include "022_scratch_in_nests.c"
