// What a capture stores is no formula of the value that it reads, unless it is an update.
void next(int n, int *state)
{
#pragma acc parallel loop copy(state [0:1])
    for (int i = 0; i < n; i++) {
        int v;
#pragma acc atomic capture
        {
            v = state[0];
            state[0] = 2 * v + 1;
        }
    }
}
