// What scopes reduce in code for devices: OpenMP 5.2 §11.2, §5.5.8.
// expect: launches=1
#include "../check.h"
int main(void){
  int sum=100, least=5, bits=-1, any=0; unsigned x=0; double p=1, big=-3;
#pragma omp target parallel map(tofrom:sum,least,bits,any,x,p,big) num_threads(48)
  {
    int mine=2;
#pragma omp scope reduction(+:sum) reduction(min:least) reduction(*:p)
    {
      sum+=mine; least = least-1; 
#pragma omp for
      for(int i=0;i<200;i++){ sum+=i; if(i==77) p*=3; least = i<least? i-50 : least; }
      sum+=1;
    }
#pragma omp for
    for(int i=0;i<10;i++) if(sum==0) mine=3;
#pragma omp scope reduction(&:bits) reduction(|| : any) reduction(^:x) reduction(max:big) nowait
    {
#pragma omp for
      for(int i=0;i<64;i++){ bits &= ~(i==3); any = any || i==5; x^=i*3; big = i*0.5>big? i*0.5 : big;}
    }
  }
  check_int("sum",0,sum,100+48*3+19900);
  check_int("least", 0, least, -50);
  check_near("p",0,p,3,0);
  check_int("bits",0,bits,-2); check_int("any",0,any,1);
  unsigned ex=0; for(int i=0;i<64;i++) ex^=i*3; check_int("x",0,x,ex); check_near("big",0,big,31.5,0);
  return finish();
}
