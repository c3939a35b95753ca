int table[100];
void clear(void)
{
#pragma acc parallel loop copy(table[50:100])
    for (int i = 50; i < 100; i++)
        table[i] = 0;
}
