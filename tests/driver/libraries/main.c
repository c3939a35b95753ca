void add_one(int n, int *a);

int main(void)
{
    int a[10] = {0};
    add_one(10, a);
    return a[9] != 1;
}
