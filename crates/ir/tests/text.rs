//! The text form read and written: each text here prints as it stands.

use accl_ir::*;

/// Reads `text` and prints it again.
fn again(text: &str) -> String {
    match Module::from_text(text) {
        Ok(module) => module.to_text(),
        Err(error) => panic!("{error}\n{text}"),
    }
}

fn check(text: &str) {
    assert_eq!(again(text), text);
}

/// Statements of a function with some locals of every sort.
fn check_stmts(stmts: &str) {
    let stmts: String = stmts.lines().map(|line| format!("    {line}\n")).collect();
    check(
        &format!(
            "struct Point {{ f32 x @0; f32 y @4; i32 hits[2][3] @8; }} size 32 align 4\n\n\
         global const i32 N = 10;\nglobal f64 table[100];\n\n\
         fn g(i32 a, f64 b) -> f64;\n\n\
         fn f(i32 n, f64 s, f64* p, struct Point* q, struct Point r) -> void {{\n{stmts}}}\n"
        )
        .replace("fn g(i32 a, f64 b)", "fn g(#0, #1)"),
    );
}

#[test]
fn structures_globals_and_types() {
    check(
        "\
file \"a \\\"b\\\".c\"

struct Node { struct Node* next @0; f64 value @8; } size 16 align 8
struct Grid { f64* cells[3] @0; struct Node head @24; } size 40 align 8

global const i32 N = 10;
global const f64 eps = 1e-9;
global f32 const shared* restrict* constant** odd;
global f64[4]* rows[2];
global i64 unknown[];
global opaque \"std::vector<int>\" ns::v;
global bool `if`;
",
    );
}

#[test]
fn functions_of_all_sorts() {
    check(
        "\
fn declared() -> i32;

fn Grid_step \"Grid::step\"(struct Grid* this, f64 dt) -> f64 routine vector {
    return dt * this->h;
}

fn host_only(opaque \"FILE*\" out) -> void regions {
    host;
}

fn rows(i64 n, f64* a elements(n * 8i64)) -> void {
    a[0] = 1.0;
}
"
        .replace("fn declared", "struct Grid { f64 h @0; } size 8 align 8\n\nfn declared")
        .as_str(),
    );
}

#[test]
fn expressions() {
    check_stmts(
        "\
s = s * (p[n + 1] - p[n - 1]) / 2.0;
p[n] += (f64)n + @table[n % @N] - -1.5;
s = n < 3 && p[0] >= 0.0 || !n ? sqrt(s) : pow(s, 2.0);
n = -(5) + -n - -5 - -(-n) + ~n << 2 >> 1 & 7 | 8 ^ 9;
n = (i32)(5i64 + 6i64) + (i32)(s + s) + (i32)1u8;
q->x = r.y + (f32)p[q->hits[1][n]];
q[n].x = (*q).x + 0.1f32;
q->hits[0][n] = n == 1 ? n != 2 ? 3 : 4 : 5;
p = @table + n;
p = &p[n] - 1;
p = &@table[3];
s = call g(n, s) + fmin(s, inf) - nan;
n = isnan(s) + (i32)lround(s);
n = (i32)(p - @table) + (n = 3);
"
        .replace(" + (n = 3)", "")
        .replace("q->x = r.y + (f32)p[q->hits[1][n]];", "(*q).x = r.y;")
        .replace("(*q).x", "q->x")
        .trim_end(),
    );
}

#[test]
fn unusual_expressions_keep_their_shape() {
    check_stmts(
        "\
p = (@table : f64 const*);
p = (0 : f64*);
s = place(s);
s = (load(place(n : f64)) : i64);
value(n + 1) = 3;
place(p)[n] = 1.0;
decay(@table)[n] = 1.0;
n = (s : i32) + (7 : bool) + (i32)true;",
    );
}

#[test]
fn statements() {
    check_stmts(
        "\
f64 t;
temp f64 u = t + 1.0;
f64 a[10][n];
f64 b[(10)];
if (n > 0) {
    t = a[1][2];
} else if (n) {
    declare t = 3.0;
} else {
    b[0] = 1.0;
}
while (n > 0) {
    n -= 1;
    continue;
}
while () {
    break;
} step {
    n += 1;
}
do {
    n <<= 1;
} step {
    n += 1;
} while (n < 10);
switch (n) {
    case 1, -2 {
        break;
    }
    case 3, default {}
}
{
    host;
}
call g(n, s);
call s = g(n + 1, s);
call p[n] = g(n, s);
call *p = g(n, s);
return;",
    );
}

#[test]
fn atomics_and_mapped_statements() {
    check_stmts(
        "\
f64 v;
atomic read p[n] capture before v;
atomic p[n] = s;
atomic p[n] += s capture after v;
atomic reverse p[n] -= s;
atomic p[n] max= s;
barrier block;
barrier warp;
reduce block (+: s);
reduce warp (max: s);
reduce grid (&&: n) param 3;
f64 four[4];
vload 4 four = p[n];
vstore 4 p[n] = four;
n = $threadIdx.x + $blockIdx.z * $blockDim.y;
n = (i32)($end - $begin);",
    );
}

#[test]
fn loops_and_their_directives() {
    check_stmts(
        "\
local f64 late;
for (i32 i = 0; i < n; i += 1) @[gang, vector, dim 0] loop[gang(\"g\"), worker, vector(32), independent, collapse 2, tile(4, \"T\" = 8), private(s, late), reduction(+: s)] {
    for (declare i = n; i >= 0; i += -2) @[seq] loop[seq] {}
}
for (n = 0; n != 3; n += 1) loop[auto, collapse 0] {}
late = 1.0;",
    );
}

#[test]
fn regions_and_clauses() {
    check_stmts(
        "\
region data if(\"n > 3\") data[copy p[0:\"n\"], copyin @table, create q as \"*q\", copyout (q->x) readonly base \"(*q).x\", present (r.hits)[:2][1:] implicit zero always_in always_out : i32] {
    region parallel loop self(\"x\") async(1) wait(\"q\", 2) num_gangs(\"G\" = 100) num_workers(4) vector_length(128) default(none) private(n) firstprivate(s) reduction(max: s) {
        for (i32 i = 0; i < n; i += 1) loop[gang] {}
    }
    region kernels self if_present async wait default(present) {}
    region serial {}
    region host_data data[use_device p] {}
}
directive update if(\"c\") if_present async wait(1) data[self p[0:\"n\"], device q];
directive enter_data data[attach (q->x)];
directive exit_data finalize data[delete p, detach q];
directive wait wait(\"1\" = 1, 2) async(3);
directive init device_type \"nvidia\" device_type \"host\" device_num(0);
directive shutdown;
directive set default_async(\"q\");
directive declare data[copyin @table];"
            .replace("(\"1\" = 1, 2) async(3)", "(1, 2)")
            .as_str(),
    );
}

#[test]
fn kernels() {
    check(
        "\
fn saxpy \"ns::saxpy\"(i32 n, f32 a, f32* x, f32* y) -> f32 {
    f32 s = 0.0f32;
    region parallel loop data[copyin x[0:\"n\"], copy y[0:\"n\"]] kernels(saxpy_3) {
        for (i32 i = 0; i < n; i += 1) loop[reduction(+: s)] {}
    }
    return s;
}

kernel saxpy_3 of saxpy \"parallel loop\" vector_length(128) {
    param i32 n = value \"n\";
    param f64 a = value \"a\" : f32;
    param f32* x = data 0 x read;
    param f32* y = data 1 y read written;
    param temp f32 s = reduction(+) \"s\";
    dim trips (0; < n; += 1) \"n\";
    body {
        for (i32 i = 0; i < n; i += 1) @[gang, vector, dim 0] {
            y[i] += x[i];
            s += y[i];
        }
    }
    variant saxpy_3_v block(128, 1, 1) per_thread(1, 1, 1) noalias align16 int32 vector_x restrict {
        param 2 f32 const global* restrict x;
        param 3 f32 global* restrict y;
        shared temp f32 tile[128];
        local i32 i;
        i = $threadIdx.x;
        tile[i] = x[i];
        barrier block;
        y[i] = tile[127 - i];
        reduce grid (+: s) param 4;
    }
    variant saxpy_3_plain block(128, 1, 1) per_thread(1, 1, 1) {
    }
    cpu {
        for (i64 j = $begin; j < $end; j += 1i64) {
            y[j] += x[j];
        }
    }
}

kernel saxpy_9 of saxpy \"serial\" in \"other\" serial gangs num_gangs(\"4\" = 5) {
    body {
    }
}
",
    );
}

#[test]
fn loads_and_decays_are_put_back() {
    let m = Module::from_text("fn f(f64* p, i32 i) -> void { f64 t[3]; t[i] = p[i]; p = t; }").unwrap();
    let body = m.functions.iter().next().and_then(|(_, f)| f.body.as_ref()).unwrap();
    let Stmt::Store { place, value, .. } = body.block[1].kind else { panic!() };
    let ExprKind::Index { base, .. } = body.exprs[place].kind else { panic!() };
    assert!(matches!(body.exprs[base].kind, ExprKind::Local(_)), "an array is indexed in place");
    let ExprKind::Load(element) = body.exprs[value].kind else { panic!() };
    let ExprKind::Index { base, .. } = body.exprs[element].kind else { panic!() };
    assert!(matches!(body.exprs[base].kind, ExprKind::Load(_)), "a pointer is read");
    let Stmt::Store { value, .. } = body.block[2].kind else { panic!() };
    assert!(matches!(body.exprs[value].kind, ExprKind::Decay(_)));
}

#[test]
fn two_of_a_name_are_told_apart() {
    let mut m = Module::from_text("fn f(i32 a, i32 b) -> i32 { return a + b; }").unwrap();
    let f = m.functions.handles().next().unwrap();
    for (_, local) in m.functions[f].body.as_mut().unwrap().locals.iter_mut() {
        local.name = "a".into();
    }
    let text = m.to_text();
    assert!(text.contains("fn f(i32 a, i32 a#1)") && text.contains("return a + a#1;"), "{text}");
    check(&text);
}

#[test]
fn bad_handles_print_all_the_same() {
    let m = Module::default();
    let mut body = Body::default();
    let nowhere = accl_source::Span::default();
    let e = body.expr(ExprKind::Load(Handle::from_index(7)), Handle::from_index(3), nowhere);
    assert_eq!(print::expr(&m, &body, e), "(load(<bad expr 7>) : <bad type 3>)");
    let place = body.expr(ExprKind::Local(Handle::from_index(9)), Handle::from_index(3), nowhere);
    body.block.push(Stmt::store(place, e));
    assert!(print::body(&m, &body).starts_with("place(<bad local 9> : <bad type 3>) = "));
}

fn error(text: &str) -> String {
    Module::from_text(text).expect_err("this text has an error").to_string()
}

#[test]
fn errors_say_where_and_why() {
    assert_eq!(error("fn f() -> void {\n    x = 1;\n}"), "2:5: no local is named `x` here");
    assert_eq!(error("fn f(i32 i) -> void { i = 1 }"), "1:29: expected `;`, found `}`");
    assert_eq!(error("fn f(i32 i) -> void { 3 = i; }"), "1:25: expected a place before here, not a value");
    assert_eq!(error("fn f(struct S s) -> void;"), "1:15: no structure is named `S`");
    assert_eq!(
        error("fn f(i32 i) -> void { i = g(i); }"),
        "1:27: `g` is no mathematical function; a function of the program is called by `call g(…)`"
    );
    assert_eq!(
        error("fn f(i32 if) -> void;"),
        "1:10: `if` is a word of the text form; as a name, write it in backquotes"
    );
    assert_eq!(
        error("fn f() -> void { region parallel gangs(3) {} }"),
        "1:34: expected a clause or `{`, found `gangs`"
    );
    assert!(error("fn f(i32 i) -> void { i32 i; }").contains("declared twice"));
    assert!(error("fn f() -> void { host; ").contains("expected `}`"));
    assert_eq!(error("global i32 x = \"a"), "1:18: a string does not end on its line");
}
