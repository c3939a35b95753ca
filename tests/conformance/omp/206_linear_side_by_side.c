// Linear variables of all types, pointers and loops that count down among them: OpenMP 5.2 §5.4.6.
// expect: launches=4
#include "../check.h"
int main(){ int a[200]; unsigned u=7; long l=-5; short h=1;
#pragma omp target parallel for linear(u:2) linear(l:-3) linear(h) map(from:a)
 for(unsigned i=200;i>0;i--){ a[i-1]=u*1000+l; u+=2; l-=3; h++; }
 check_int("u",0,u,407); check_int("l",0,l,-605); check_int("h",0,h,201);
 for(int i=0;i<200;i++) check_int("a",i,a[199-i],(7+2*i)*1000-5-3*i);
 int buf[64]; int *p=buf; for(int i=0;i<64;i++) buf[i]=i;
#pragma omp target parallel for linear(p:2) map(tofrom:buf)
 for(int i=0;i<32;i++){ *p = i*10; p+=2; }
 for(int i=0;i<32;i++) check_int("p",i,buf[2*i],i*10);
 int k=0; int c[100];
#pragma omp target teams distribute parallel for simd linear(k) map(from:c)
 for(k=0;k<100;k++) c[k]=k;
 check_int("k",0,c[99],99);
 int z=4, n0=0;
#pragma omp target parallel for linear(z:1) map(tofrom:c)
 for(int i=0;i<n0;i++){ c[i]=z; z++; }
 check_int("zero trips",0,z,4);
 return finish(); }
