// command: accl cc -Werror -c $FILE -o out.o
struct __attribute__((packed)) flags { unsigned low : 4, high : 4; };
void set(int n, struct flags *x)
{
#pragma acc parallel loop copy(x[0:n])
    for (int i = 0; i < n; i++)
        x[i].low = 3;
}
