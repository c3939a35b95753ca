// Values that functions of the program combine, of several teams: OpenMP 5.2 §5.5.8, §5.5.11.
// expect: launches=48
#include "../check.h"
#define N 5000
typedef struct { double s; int n; } P;
static void pj(P *a, const P *b){ a->s+=b->s; a->n+=b->n; }
#pragma omp declare reduction(pj : P : pj(&omp_out,&omp_in)) initializer(omp_priv=(P){0,0})
#pragma omp declare reduction(mx : int : omp_out = omp_in>omp_out?omp_in:omp_out) initializer(omp_priv=-1)
static int a[N];
int main(void){
  double es=0; for(int i=0;i<N;i++){a[i]=(i*37)%1001; es+=a[i];}
  P p={1,2};
  int nt=37;
#pragma omp target teams map(tofrom:p) map(to:a) num_teams(nt) reduction(pj:p)
  {
    p.n += 3;
#pragma omp distribute parallel for reduction(pj:p)
    for(int i=0;i<N;i++){ p.s+=a[i]; p.n++; }
    p.n += 1;
  }
  check_near("teams",0,p.s,es+1,0);
  check_int("teams",1,p.n,2+N+4*37);
  // distribute, with code in the iterations
  P q={0,0};
#pragma omp target teams distribute map(tofrom:q) map(to:a) reduction(pj:q)
  for(int r=0;r<50;r++){
    int sum=0;
#pragma omp parallel for reduction(+:sum)
    for(int i=0;i<100;i++) sum+=a[r*100+i];
    q.s+=sum; q.n++;
  }
  check_near("distribute",0,q.s,es,0);
  check_int("distribute",1,q.n,50);
  // array reduction of teams
  int bins[10]={0}; 
#pragma omp target teams map(tofrom:bins) map(to:a) num_teams(8) reduction(+:bins)
  {
    bins[9]++;
#pragma omp distribute parallel for reduction(+:bins)
    for(int i=0;i<N;i++) bins[a[i]%7]++;
  }
  int eb[10]={0}; for(int i=0;i<N;i++) eb[a[i]%7]++; eb[9]=8;
  for(int i=0;i<10;i++) check_int("bins",i,bins[i],eb[i]);
  // nowait and a loop of launches
  int m=-5;
  for(int t=0;t<20;t++){
#pragma omp target teams distribute parallel for reduction(mx:m) map(tofrom:m) map(to:a) nowait depend(inout:m)
  for(int i=t*100;i<t*100+100;i++) if(a[i]>m) m=a[i];
  }
#pragma omp taskwait
  int em=-1; for(int i=0;i<2000;i++) if(a[i]>em) em=a[i];
  check_int("nowait",0,m,em);
  // team-local
  int out[16];
#pragma omp target teams distribute map(from:out) map(to:a) num_teams(16)
  for(int r=0;r<16;r++){
    int l=-7;
#pragma omp parallel for reduction(mx:l)
    for(int i=0;i<300;i++) l = a[r*300+i]>l?a[r*300+i]:l;
    out[r]=l;
  }
  for(int r=0;r<16;r++){ int l=-7; for(int i=0;i<300;i++) l = a[r*300+i]>l?a[r*300+i]:l; check_int("local",r,out[r],l);}
  // present data
  int z=0;
#pragma omp target data map(tofrom:z)
  {
#pragma omp target teams distribute parallel for reduction(mx:z) num_teams(500)
  for(int i=0;i<N;i++) z = z>a[i]?z:a[i];
#pragma omp target teams distribute parallel for reduction(mx:z) if(target: nt<3)
  for(int i=0;i<N;i++) z = z>a[i]?z:a[i];
  }
  check_int("present",0,z,1000);
  return finish();
}
