// Bit-fields of classes, templates and members of unions in code for devices.
// expect: launches=2
#include "../check.h"
#include <cstring>
struct Flags { unsigned on:1; unsigned kind:3; bool ok:1; int level:10;
  Flags():on(0),kind(2),ok(true),level(-5){}
  void bump(int k){ kind = kind + k; level -= k; ok = !ok; }
  int total() const { return kind*100+level+(ok?7:0)+on; } };
struct Header : Flags { int x; };
template<class T> struct Cell { T v; unsigned tag:6, age:26; T f(){ tag++; return v+T(age--)+T(++tag); } };
union U { unsigned w; struct { unsigned lo:16, hi:16; } h; };
struct alignas(16) Al { unsigned a:3; float f; };
int main(){
  const int n=100; static Flags a[n], b[n]; static Cell<double> c[n], d[n]; static U u[n], v[n]; static Al l[n];
  for(int i=0;i<n;i++){ c[i].v=d[i].v=i; c[i].tag=d[i].tag=i; c[i].age=d[i].age=1000-i; u[i].w=v[i].w=i*65537*3; l[i].a=i; l[i].f=i;}
  static double r[n], e[n];
#pragma omp target teams distribute parallel for map(tofrom:a,c,u,l) map(from:r)
  for(int i=0;i<n;i++){ a[i].bump(i%3); a[i].on = i; auto f=[&](Flags &g){ g.level+=g.on; return g.level; }; r[i]=a[i].total()+c[i].f()+f(a[i]); 
    u[i].h.lo += 5; r[i]+=u[i].h.hi; l[i].a ^= 5; l[i].f += l[i].a; if (a[i].kind == 3 && a[i].ok) r[i] += 1; switch(a[i].kind){case 2: r[i]+=2; break; default: r[i]+=3;} for(a[i].kind=0;a[i].kind<4;a[i].kind++) r[i]+=1; }
  for(int i=0;i<n;i++){ b[i].bump(i%3); b[i].on = i; auto f=[&](Flags &g){ g.level+=g.on; return g.level; }; e[i]=b[i].total()+d[i].f()+f(b[i]); 
    v[i].h.lo += 5; e[i]+=v[i].h.hi; if (b[i].kind == 3 && b[i].ok) e[i] += 1;  switch(b[i].kind){case 2: e[i]+=2; break; default: e[i]+=3;} for(b[i].kind=0;b[i].kind<4;b[i].kind++) e[i]+=1; }
  for(int i=0;i<n;i++){ check_near("r",i,r[i],e[i],1e-9); check_int("a",i,memcmp(&a[i],&b[i],sizeof a[i]),0); check_int("tag",i,c[i].tag,d[i].tag); check_int("age",i,c[i].age,d[i].age); check_int("u",i,u[i].w,v[i].w); check_int("la",i,l[i].a,(i&7)^5); check_near("lf",i,l[i].f,i+(((i&7)^5)),0);}
  int num=0;
#pragma omp target teams distribute parallel for num_teams(a[0].kind) map(tofrom:num) reduction(+:num)
  for(int i=0;i<n;i++) num++;
  check_int("clause",0,num,n);
  return finish();
}
