//! Dependence analysis against running the loops: nests with arbitrary bounds, steps and subscripts, where a conflict
//! that exists must be found and, where all is constant, one that does not exist hardly ever is.

use accl_analysis::data::{self, Surroundings};
use accl_analysis::dependence::Analysis;
use accl_ir::{Module, Stmt};
use std::collections::BTreeMap;

/// xorshift: the same programs each time.
struct Random(u64);

impl Random {
    fn below(&mut self, n: i64) -> i64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as i64
    }
    fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below(high - low + 1)
    }
}

/// `i·a + j·b + n·c + d`
#[derive(Clone, Copy, Debug)]
struct Linear {
    i: i64,
    j: i64,
    n: i64,
    c: i64,
}

impl Linear {
    fn text(self) -> String {
        format!("{} * i + {} * j + {} * n + {}", self.i, self.j, self.n, self.c).replace("+ -", "- ")
    }
    fn at(self, i: i64, j: i64, n: i64) -> i64 {
        self.i * i + self.j * j + self.n * n + self.c
    }
}

struct Nest {
    i: (i64, i64, i64),
    j: (Linear, Linear, i64),
    /// Two dimensions each; the first is written.
    references: Vec<[Linear; 2]>,
    constant: bool,
}

fn linear(r: &mut Random, constant: bool, only_c: bool) -> Linear {
    let some = |r: &mut Random, low: i64, high: i64| if r.below(2) == 0 { 0 } else { r.between(low, high) };
    let (i, j) = if only_c { (0, 0) } else { (some(r, -2, 3), some(r, -2, 3)) };
    Linear { i, j, n: if constant { 0 } else { some(r, -1, 1) }, c: r.between(-3, 3) }
}

fn nest(r: &mut Random) -> Nest {
    let constant = r.below(2) == 0;
    let step = [1, 1, 2, 3, -1, -2][r.below(6) as usize];
    let (low, high) = (r.between(0, 3), r.between(3, 8));
    let i = if step > 0 { (low, high, step) } else { (high, low, step) };
    let triangular = if r.below(3) == 0 { 1 } else { 0 };
    let start = Linear { i: triangular, j: 0, n: 0, c: r.between(0, 1) };
    let n = if constant { 0 } else { 1 };
    let end = Linear { i: 0, j: 0, n, c: if constant { r.between(2, 7) } else { 0 } };
    let j = (start, end, [1, 1, 2][r.below(3) as usize]);
    let simple = r.below(2) == 0;
    let count = r.between(1, 3) as usize;
    let references = (0..count).map(|_| [linear(r, constant, false), linear(r, constant, simple)]).collect();
    Nest { i, j, references, constant }
}

/// An iteration, and whether it writes.
type Visit = (i64, i64, bool);

impl Nest {
    fn text(&self) -> String {
        let place = |d: &[Linear; 2]| format!("a[{}][{}]", d[0].text(), d[1].text());
        let values: Vec<String> = self.references[1..].iter().map(place).collect();
        let value = if values.is_empty() { "1.0".to_owned() } else { values.join(" + ") };
        let (first, last, step) = self.i;
        let compare = if step > 0 { "<" } else { ">" };
        format!(
            "fn f(i32 n, f64[1000]* a) -> void {{
                region kernels data[present a[:100]] {{
                    for (i32 i = {first}; i {compare} {last}; i += {step}) {{
                        for (i32 j = {}; j < {}; j += {}) {{
                            {} = {value};
                        }}
                    }}
                }}
            }}",
            self.j.0.text().replace(" + 0 * j", ""),
            self.j.1.text(),
            self.j.2,
            place(&self.references[0]),
        )
        .replace("+ 0 * j + 0 * n", "+ 0 * n")
    }

    /// Whether iterations of the outer and of the inner loop share an element that one of them writes, for some n.
    fn conflicts(&self) -> [bool; 2] {
        let mut found = [false, false];
        let all = if self.constant { 0..=0 } else { 0..=9 };
        for n in all {
            let mut seen: BTreeMap<(i64, i64), Vec<Visit>> = BTreeMap::new();
            let (mut i, last, step) = self.i;
            while if step > 0 { i < last } else { i > last } {
                let mut j = self.j.0.at(i, 0, n);
                while j < self.j.1.at(i, 0, n) {
                    for (k, d) in self.references.iter().enumerate() {
                        let element = (d[0].at(i, j, n), d[1].at(i, j, n));
                        seen.entry(element).or_default().push((i, j, k == 0));
                    }
                    j += self.j.2;
                }
                i += step;
            }
            for visits in seen.values() {
                for (x, a) in visits.iter().enumerate() {
                    for b in &visits[x + 1..] {
                        let write = a.2 || b.2;
                        found[0] |= write && a.0 != b.0;
                        found[1] |= write && a.0 == b.0 && a.1 != b.1;
                    }
                }
            }
        }
        found
    }
}

/// Whether analysis calls the outer and the inner loop sequential.
fn analysed(text: &str) -> [bool; 2] {
    let module = Module::from_text(text).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    let f = module.function_named("f").expect("f");
    let body = module.functions[f].body.as_ref().expect("a body");
    let Stmt::Region(region) = &body.block[0].kind else { panic!("a region") };
    let summary = data::of_region(&module, body, region, &Surroundings::default());
    let mut analysis = Analysis::new(&summary);
    let Stmt::For(outer) = &region.body[0].kind else { panic!("a loop") };
    let Stmt::For(inner) = &outer.body[0].kind else { panic!("a loop") };
    [(0, outer), (1, inner)].map(|(index, l)| !analysis.of_loop(index, l).is_parallel())
}

#[test]
fn agrees_with_running_the_loops() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut parallel, mut exact, mut needless) = (0, 0, 0);
    for case in 0..2_000 {
        let nest = nest(&mut random);
        let text = nest.text();
        let (real, said) = (nest.conflicts(), analysed(&text));
        for level in 0..2 {
            assert!(said[level] || !real[level], "case {case}, loop {level}: a conflict is missed\n{text}");
            exact += usize::from(nest.constant);
            needless += usize::from(nest.constant && said[level] && !real[level]);
            parallel += usize::from(!said[level]);
        }
    }
    // Loops around are any iteration at all, and a loop without iterations inside keeps its references all the same.
    let told = format!("{parallel} parallel, {needless} of {exact} needlessly sequential");
    assert!(parallel > 500 && exact > 500 && needless * 8 < exact, "{told}");
}
