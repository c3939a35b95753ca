void drain(void)
{
#pragma acc wait()
}
