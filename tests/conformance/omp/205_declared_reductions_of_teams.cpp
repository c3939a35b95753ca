// Values that functions of the program combine, of methods, templates, references and several loops of one league: OpenMP 5.2 §5.5.11.
// expect: launches=24
#include "../check.h"
struct P { double s; int n; };
#pragma omp declare reduction(j : P : omp_out.s+=omp_in.s, omp_out.n+=omp_in.n) initializer(omp_priv=P{0,0})
struct A { int v[100]; P run(){ P p{0,0}; int *q=v;
#pragma omp target teams distribute parallel for reduction(j:p) map(to:q[0:100]) map(tofrom:p)
 for(int i=0;i<100;i++){ p.s+=q[i]; p.n++; } return p; } };
template<class T> T tsum(const T*a,int n){ P p{0,1}; 
#pragma omp target teams distribute parallel for collapse(1) reduction(j:p) map(to:a[0:n]) map(tofrom:p) num_teams(n/10) thread_limit(32)
 for(int i=0;i<n;i++){ p.s+=a[i]; p.n++; } return p.s+p.n; }
static void byref(P &p, const int*a){
#pragma omp target teams distribute parallel for reduction(j:p) map(to:a[0:100])
 for(int i=0;i<100;i++){ p.s+=a[i]; p.n++; } }
int main(){ A a; double e=0; for(int i=0;i<100;i++){a.v[i]=i*i%37; e+=a.v[i];}
 P p=a.run(); check_near("m",0,p.s,e,0); check_int("m",1,p.n,100);
 double d[100]; for(int i=0;i<100;i++) d[i]=a.v[i]; check_near("t",0,tsum(d,100),e+101,0);
 P q{1,1}; byref(q,a.v); check_near("r",0,q.s,e+1,0); check_int("r",1,q.n,101);
 // Teams reduce it without a clause of theirs.
 P z{0,0};
#pragma omp target teams num_teams(4) map(tofrom:z)
 {
#pragma omp distribute parallel for reduction(j:z)
  for(int i=0;i<100;i++) z.n++;
 }
 check_int("z",0,z.n,100);
 // two loops in one teams region
 P y{0,0};
#pragma omp target teams reduction(j:y) map(tofrom:y) num_teams(7)
 {
#pragma omp distribute parallel for reduction(j:y)
  for(int i=0;i<100;i++) y.n++;
#pragma omp distribute parallel for reduction(j:y)
  for(int i=0;i<50;i++) y.s+=2;
 }
 check_int("y",0,y.n,100); check_near("y",1,y.s,100,0);
 // within data region and repeated
 P w{0,0};
#pragma omp target data map(tofrom:w)
 for(int t=0;t<5;t++){
#pragma omp target teams distribute parallel for reduction(j:w)
  for(int i=0;i<1000;i++){ w.n+=1; w.s+=t; } }
 check_int("w",0,w.n,5000); check_near("w",1,w.s,10000,0);
 // loop and simd
 P x{0,0};
#pragma omp target teams distribute parallel for simd reduction(j:x) map(tofrom:x)
 for(int i=0;i<1000;i++){ x.n+=1; x.s+=i; }
 check_int("x",0,x.n,1000); check_near("x",1,x.s,499500,0);
#pragma omp target teams loop reduction(j:x) map(tofrom:x)
 for(int i=0;i<1000;i++){ x.n+=1; x.s+=i; }
 check_int("x",2,x.n,2000); check_near("x",3,x.s,999000,0);
 return finish(); }
