// command: accl cc -Werror -c $FILE -o out.o
struct __attribute__((packed)) Packed { char tag; int value; };
struct __attribute__((packed)) Odd { double value; char tag; };
void add(int n, struct Packed *p, struct Odd *q)
{
#pragma acc parallel loop copy(p[0:n], q[0:n])
    for (int i = 0; i < n; i++) {
        p[i].value += 1;
        q[i].value += 1;
    }
}
