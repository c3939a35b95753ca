//! Each rule of the verifier, kept and broken.

use accl_ir::*;

fn errors(text: &str) -> Vec<String> {
    let module = Module::from_text(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    match verify(&module) {
        Ok(()) => Vec::new(),
        Err(errors) => errors.iter().map(ToString::to_string).collect(),
    }
}

fn function(stmts: &str) -> String {
    format!(
        "struct P {{ f64 x @0; i32 k @8; }} size 16 align 8
        fn g(i32 n, f64 x) -> f64 {{ return x; }}
        fn f(i32 n, f64 s, f64* p, struct P* q) -> void {{ {stmts} }}"
    )
}

fn good(stmts: &str) {
    assert_eq!(errors(&function(stmts)), Vec::<String>::new(), "{stmts}");
}

/// One error, whose rule contains `rule`.
fn bad(stmts: &str, rule: &str) {
    one_error(&errors(&function(stmts)), stmts, rule);
}

fn one_error(found: &[String], text: &str, rule: &str) {
    assert!(found.len() == 1 && found[0].contains(rule), "{text}: expected {rule:?}, found {found:#?}");
}

/// A GPU variant with these statements.
fn variant(stmts: &str) -> String {
    format!(
        "fn f(i32 n, f64* x) -> void {{}}
        kernel k of f \"parallel\" {{
            param i32 n = value \"n\";
            param f64* x = data 0 x read written;
            param f64 sum = reduction(+) \"s\";
            dim trips (0; < n; += 1) \"n\";
            body {{}}
            variant k_v block(128, 1, 1) per_thread(1, 1, 1) {{
                shared f64 tile[128];
                {stmts}
            }}
        }}"
    )
}

fn good_variant(stmts: &str) {
    assert_eq!(errors(&variant(stmts)), Vec::<String>::new(), "{stmts}");
}

fn bad_variant(stmts: &str, rule: &str) {
    one_error(&errors(&variant(stmts)), stmts, rule);
}

#[test]
fn an_error_quotes_the_function_the_statement_and_the_rule() {
    let found = errors(&function("if (n) { p[n] = n; }"));
    let expected = "compiler bug: function `f`, at `p[n] = n;`: the value `n` has type i32, not f64";
    assert_eq!(found, [expected]);
}

#[test]
fn types_of_operands() {
    good("s = s + p[n] * (f64)n; n = n << (i32)1i64; p = p + n; n = (i32)(p - p); n = s < 2.0 && n;");
    good("i64 wide = 1i64 << n; u8 c = 200u8; p = (f64*)0; p = (0 : f64*);");
    bad("s = s + n;", "Add of `s` (f64) and `n` (i32)");
    bad("n = n % (n < 2 ? 3i64 : 4i64);", "Rem of");
    bad("s = s % s;", "Rem of `s` (f64) and `s` (f64)");
    bad("n = p < n;", "Lt of");
    bad("s = ~s;", "BitNot of `s`");
    bad("n = (n + n : i64);", "says it has type i64");
    bad("s = (s < s : f64);", "says it has type f64");
    bad("n = n ? 1 : 2.0;", "the other choice `2.0` has type f64, not i32");
    bad("u8 c = 256u8;", "does not fit its type u8");
    bad("p = (f64*)s;", "is cast to f64*");
}

#[test]
fn places_and_values() {
    good("f64 t[3]; t[1] = p[2]; p = t; q->x = (*q).x; p = &q->x;");
    bad("s = place(s);", "it needs a load");
    bad("place(p)[n] = s;", "neither a place of array type nor a value of pointer type");
    bad("value(s) = s;", "the value `s` stands where a place belongs");
    bad("place(q->#7 : f64) = s;", "`*q` has no field 7");
    bad("n = load(place(s : i32));", "says it has type i32");
    bad("f64 t[3]; s = load(t);", "is loaded");
    bad("p[s] = s;", "the index `s` is not an integer");
    bad("f64 t[3]; t = t;", "an array is assigned as a whole");
}

#[test]
fn calls_and_mathematics() {
    good("s = call g(n, sqrt(s)); call s = g(1, 2.0); n = isnan(s); s = ldexp(s, 3); n = max(n, 3);");
    bad("s = call g(n);", "takes 2 arguments, not 1");
    bad("s = call g(n, n);", "for parameter `x` of `g`, `n` has type i32, not f64");
    bad("call n = g(n, s);", "a result of type f64 goes to a place of type i32");
    bad("s = pow(s);", "`pow` takes 2 arguments");
    bad("n = sqrt(n);", "`sqrt` takes (i32)");
    bad("s = fmin(s, 1.0f32);", "`fmin` takes (f64, f32)");
}

#[test]
fn statements() {
    good("s += 1.0; n <<= 2; p += n; while (p) { break; } switch (n) { case 1 { break; } case default {} }");
    bad("s += 1;", "the value `1` has type i32, the place f64");
    bad("s &= s;", "the value `s` has type f64, the place f64");
    bad("n &&= 1;", "there is no store with LogicalAnd");
    bad("if (*q) {}", "the condition `*q` is not a scalar");
    bad("switch (s) {}", "the switch value `s` is not an integer");
    bad("switch (n) { case 1 {} case 1 {} }", "a case stands twice");
    bad("break;", "a break stands outside");
    bad("continue;", "a continue stands outside");
    bad("return s;", "the result `s` has type f64, not void");
    bad("f64 t = 1;", "the initialiser `1` has type i32, not f64");
}

#[test]
fn canonical_loops() {
    good("for (i32 i = 0; i < n; i += 1) { if (n) { continue; } while () { break; } }");
    bad("for (i32 i = 0; i < n; i += 1) { break; }", "a break leaves a canonical loop");
    bad("for (i32 i = 0; i < n; i += 1) { i = 3; }", "the loop's variable is written in its body");
    bad("for (i32 i = 0; i < n; i += 1) { for (i = 0; i < n; i += 1) {} }", "is written in its body");
    bad("for (i32 i = 0i64; i < n; i += 1) {}", "the lower bound `0i64` has type i64");
    bad("for (f64 x = 0.0; x < s; x += 1.0) {}", "the loop's variable is no integer");
    bad("for (i32 i = 0; i < n; i += 0) {}", "the step is 0");
    good("for (i32 i = 0; i < n; i += n) {}");
    bad("for (i32 i = 0; i != n; i += n) @[vector] {}", "by != and a step not constant");
    bad("for (i32 i = 0; i < n; i += 1) loop[collapse 0] {}", "collapse is 0");
    bad("for (i32 i = 0; i < n; i += 1) loop[reduction(^: s)] {}", "BitXor of `s`");
}

#[test]
fn atomics() {
    good("atomic p[n] += s; atomic read p[n] capture before s; atomic n min= 3 capture after n;");
    bad("atomic p[n] += 1;", "the value `1` has type i32, not f64");
    bad("atomic read p[n];", "do not make an atomic Read");
    bad("atomic p[n] sqrt= s;", "do not make an atomic Extremum(Sqrt)");
    bad("atomic p[n] = s capture before n;", "is captured as i32");
}

#[test]
fn constructs() {
    good("region data data[copy p[0:\"n\"]] { region parallel { } region kernels {} }");
    bad("region parallel { region serial {} }", "a compute construct stands in another");
    bad("region parallel { return; }", "a return leaves a construct");
    bad("while (n) { region data data[copy p] { break; } }", "a break stands outside");
    bad("barrier block;", "a barrier stands where threads are not explicit yet");
    bad("n = $threadIdx.x;", "the builtin ThreadIdx(0) has no meaning here");
}

#[test]
fn names_and_structures() {
    one_error(
        &errors("struct P { f64 x @0; f64 y @4; } size 16 align 8"),
        "overlap",
        "structure `P`: field `y` at 4 begins before 8",
    );
    one_error(&errors("struct P { f64 x @0; } size 4 align 4"), "size", "end at 8, past its size 4");
    assert_eq!(
        errors(
            "struct A { f64 x @0; i32 k @8; } size 16 align 8\nstruct B { struct A a @0; i32 n @12; } size 16 align 8"
        ),
        Vec::<String>::new()
    );
    let mut m = Module::from_text("fn f(i32 a) -> i32 { i32 b = a; return b; }").unwrap();
    let f = m.functions.handles().next().unwrap();
    m.functions[f].body.as_mut().unwrap().locals.iter_mut().for_each(|(_, l)| l.name = "a".into());
    let found: Vec<String> = verify(&m).unwrap_err().iter().map(ToString::to_string).collect();
    one_error(&found, "names", "two locals are named `a`");
}

#[test]
fn cycles_and_bad_handles_are_found() {
    let mut m = Module::from_text("fn f(i32 a) -> void { a = -a; }").unwrap();
    let f = m.functions.handles().next().unwrap();
    let body = m.functions[f].body.as_mut().unwrap();
    let Stmt::Store { value, .. } = body.block[0].kind else { panic!() };
    body.exprs[value].kind = ExprKind::Load(Handle::from_index(99));
    let found: Vec<String> = verify(&m).unwrap_err().iter().map(ToString::to_string).collect();
    one_error(&found, "handle", "expression 99 does not exist");
}

#[test]
fn kernels() {
    good_variant("i32 i = $threadIdx.x; x[i] = 1.0; sum += x[i]; reduce grid (+: sum) param 2; return;");
    bad_variant("reduce grid (max: sum) param 2;", "parameter 2 is reduced with Add, not Max");
    bad_variant("reduce grid (+: sum) param 0;", "parameter 0 is no reduction");
    bad_variant("n = (i32)$begin;", "the builtin Begin has no meaning here");
    bad_variant("host;", "host text stands in a kernel");
    bad_variant("f64 four[4]; vload 8 four = x[0];", "8 of f64 do not go with an array of type f64[4]");
    let second = "variant k_v block(128, 1, 1) per_thread(1, 1, 1) {} variant k_v";
    let found = errors(&variant("").replace("variant k_v", second));
    one_error(&found, "names", "two of the variants are named `k_v`");
    let text = variant("")
        .replace("block(128, 1, 1) per_thread(1, 1, 1)", "block(64, 32, 1) per_thread(0, 1, 1) int32");
    let found = errors(&text).join("\n");
    for rule in ["2048 threads", "a thread has no iterations", "its last variant needs something"] {
        assert!(found.contains(rule), "{found}");
    }
}

#[test]
fn barriers_in_uniform_control_flow() {
    good_variant("barrier block;");
    good_variant("if (n > 3) { barrier block; }");
    good_variant("for (i32 i = $blockIdx.x; i < n; i += 1) { tile[$threadIdx.x] = x[i]; barrier block; }");
    good_variant("if ($threadIdx.x < n) { x[0] = 1.0; } barrier block;");
    good_variant("if (n) { return; } barrier block;");
    good_variant("i32 i = $threadIdx.x; i = 3; if (i < n) { barrier block; }");
    good_variant("f64 s = x[$threadIdx.x]; reduce block (+: s); if (s > 0.0) { barrier block; }");
    good_variant("while (x[0] > 0.0) { if ($threadIdx.x) { x[0] = 0.0; } barrier block; }");
    good_variant("if ($threadIdx.x / 32 == 0) { barrier warp; }");
    good_variant("if ($threadIdx.y == 0) { barrier warp; f64 s = x[$threadIdx.x]; reduce warp (+: s); }");
    good_variant("if (tile[3] > 0.0) { barrier block; }");
    good_variant("while (n > 0) { n -= 1; if ($threadIdx.x) { continue; } } barrier block;");
}

#[test]
fn barriers_in_divergent_control_flow() {
    let rule = "a barrier stands in divergent control flow: ";
    let depends = |cond: &str| format!("{rule}`{cond}` depends on the thread");
    bad_variant("if ($threadIdx.x < n) { barrier block; }", &depends("$threadIdx.x < n"));
    bad_variant("i32 i = $threadIdx.x; if (i < n) { if (n) { barrier block; } }", &depends("i < n"));
    bad_variant("for (i32 i = $threadIdx.x; i < n; i += 128) { barrier block; }", &depends("$threadIdx.x"));
    bad_variant("if (x[$threadIdx.x] > 0.0) { barrier block; }", "divergent");
    bad_variant("if (tile[$threadIdx.x] > 0.0) { barrier block; }", "divergent");
    bad_variant("i32 i = 0; if ($threadIdx.x) { i = 1; } if (i) { barrier block; }", &depends("i"));
    bad_variant("if ($threadIdx.x) { return; } barrier block;", "some threads have left");
    bad_variant("while (n) { if ($threadIdx.x) { break; } barrier block; }", "divergent");
    bad_variant("while (n) { barrier block; if ($threadIdx.x) { break; } }", "divergent");
    bad_variant(
        "while (n) { if ($threadIdx.x) { continue; } for (i32 i = 0; i < n; i += 1) {} barrier block; }",
        "divergent",
    );
    bad_variant("i32 i = 0; while (i < n) { barrier block; i += $threadIdx.x; }", &depends("i < n"));
    bad_variant("f64 s = 0.0; atomic x[0] += 1.0 capture before s; if (s) { barrier block; }", &depends("s"));
    bad_variant("switch ($threadIdx.x) { case 1 { barrier block; } }", "divergent");
    bad_variant(
        "i32 i = 0; switch (n) { case 1 { i = $threadIdx.x; break; } case 2 { i = 0; } } if (i) { barrier block; }",
        &depends("i"),
    );
    bad_variant(
        "i32 i = 0; i32 j = 0; while (n) { for (i32 k = 0; k < n; k += 1) { if (j) { barrier block; } j = i; } i = $threadIdx.x; }",
        &depends("j"),
    );
    bad_variant("if ($threadIdx.y == 0) { barrier block; }", &depends("$threadIdx.y == 0"));
    bad_variant("if ($threadIdx.x == 0) { barrier warp; }", "divergent");
    bad_variant("f64 s = x[$threadIdx.x]; reduce warp (+: s); if (s) { barrier block; }", &depends("s"));
    bad_variant("if ($threadIdx.x) { f64 s; reduce block (+: s); }", "a reduction across threads stands");
    bad_variant("f64 t[2]; t[0] = x[$threadIdx.x]; if (t[1]) { barrier block; }", &depends("t[1]"));
}
