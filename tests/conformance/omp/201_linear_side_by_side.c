// Variables that grow by a step, in loops that the threads of a team share: OpenMP 5.2 §5.4.6.
// expect: launches=3
#include "../check.h"
int main(void){
  int j = 3, a[100], b[300];
  for(int i=0;i<300;i++) b[i]=-1;
#pragma omp target parallel for linear(j:3) map(from:a) map(tofrom:b)
  for(int i=0;i<100;i++){ a[i]=j; b[j%300]=i; j+=3; }
  check_int("end",0,j,303);
  for(int i=0;i<100;i++) check_int("a",i,a[i],3+3*i);
  j=5; int st=2;
#pragma omp target teams map(from:a) map(tofrom:j) num_teams(1)
#pragma omp parallel for linear(j:st)
  for(int i=10;i<100;i+=2){ a[i]=j; j+=st; }
  check_int("end",1,j,5+45*2);
  for(int i=10;i<100;i+=2) check_int("a2",i,a[i],5+(i-10));
  j=1;
#pragma omp target simd linear(j) map(tofrom:a)
  for(int i=99;i>=0;i--){ a[i]=j; j++; }
  check_int("end",2,j,101);
  for(int i=0;i<100;i++) check_int("a3",i,a[i],100-i);
  return finish();
}
