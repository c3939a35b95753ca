/* Directives that choose others, or stand for calls, with a mistake or with what is not implemented. */
void with_object(int n, void *interop);
int at_run_time(int x);
#pragma omp declare variant(with_object) match(construct = {dispatch}) append_args(object(targetsync))
void plain(int n);
#pragma omp declare variant(at_run_time) match(device = {kynd(gpu)})
int chosen(int x);
#pragma omp declare variant(with_object) match(implementation = {extension(match_any)}, construct = {parallel})
void other(int n);

int f(int n, int x)
{
#pragma omp metadirective when(machine = {kind(gpu)} : parallel) default(nothing)
    x++;
#pragma omp metadirective whem(device = {kind(gpu)} : parallel)
    x++;
#pragma omp target map(tofrom : x)
#pragma omp metadirective when(user = {condition(n > 5)} : teams) default(nothing)
    x++;
#pragma omp interop int(targetsync : x)
#pragma omp target map(tofrom : x)
    {
        x++;
#pragma omp error severity(fatal) message("no such case")
    }
#pragma omp begin metadirective when(device = {kind(host)} : parallel)
    x++;
    return x;
}
