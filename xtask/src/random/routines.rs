//! `routine`s: sequential ones, of vectors, of workers, such as are none by a directive but are called; given numbers,
//! structures, pointers to elements, rows and locals; called by others, in conditions, for their result or what they write.
//!
//! A program has some functions of each kind; a function of it is a nest that calls them.
//!
//! Defined in C, since
//! - a pointer that is handed on is followed by eight elements, and functions access these alone;
//! - a routine calls only those before it.

use super::grammar::{Dice, Grammar, Lines, Rules, names};

const FUNCTIONS: usize = 5;

const PARAMETERS: &str =
    "int n, const double *restrict a, double (*restrict o)[64], double *restrict p, struct S *restrict s";

struct Routines {
    dice: Dice,
    lines: Lines,
    /// What an expression may use here.
    leaves: Vec<String>,
    /// Names with what they take.
    sequential: Vec<(String, Takes)>,
    made: usize,
    seed: u64,
}

#[derive(Clone, Copy, PartialEq)]
enum Takes {
    Numbers,
    /// Changes eight elements, gives a number.
    Elements,
    Structure,
    StructurePointer,
}

impl Grammar for Routines {
    fn dice(&mut self) -> &mut Dice {
        &mut self.dice
    }

    fn lines(&mut self) -> &mut Lines {
        &mut self.lines
    }
}

pub fn program(seed: u64) -> String {
    let mut g = Routines {
        dice: Dice::new(seed),
        lines: Lines::default(),
        leaves: vec![],
        sequential: vec![],
        made: 0,
        seed,
    };
    g.line(HEAD);
    for _ in 0..g.between(3, 6) {
        g.sequential();
    }
    g.vector();
    g.worker();
    for k in 0..FUNCTIONS {
        g.block(format!("static void f{k}({PARAMETERS})"), Routines::function);
    }
    g.line(MAIN.replace("NAMES", &names(FUNCTIONS)));
    g.lines.take()
}

const EXPRESSIONS: &Rules<Routines> = &[
    (5, |g, _| g.leaf()),
    (3, |g, d| format!("({} {} {})", g.expression(d), g.pick(&["+", "-"]), g.expression(d))),
    (2, |g, d| format!("0.5 * {}", g.expression(d))),
    (1, |g, d| format!("fmin({}, {})", g.expression(d), g.expression(d))),
    (2, |g, d| {
        let (a, b, c) = (g.expression(d), g.expression(d), g.expression(d));
        format!("({a} < {b} ? {c} : 1.5)")
    }),
    (4, |g, d| g.call_of(&[Takes::Numbers, Takes::Structure], d)),
];

impl Routines {
    fn leaf(&mut self) -> String {
        let leaves = self.leaves.clone();
        self.pick(&leaves)
    }

    fn expression(&mut self, depth: usize) -> String {
        if depth == 0 { self.leaf() } else { self.make(EXPRESSIONS, depth - 1) }
    }

    /// A call of one that takes what `takes` says, or a number.
    fn call_of(&mut self, takes: &[Takes], depth: usize) -> String {
        let those: Vec<_> = self.sequential.iter().filter(|(_, t)| takes.contains(t)).cloned().collect();
        if those.is_empty() {
            return self.leaf();
        }
        let (name, takes) = self.pick(&those);
        let (a, b) = (self.expression(depth.min(1)), self.leaf());
        match takes {
            Takes::Numbers => format!("{name}({a}, {b})"),
            Takes::Structure => {
                let whole = self.chance(50);
                let argument = if whole && self.leaves.iter().any(|l| l == "t.x") {
                    "t".to_owned()
                } else {
                    format!("make({a}, {b})")
                };
                format!("{name}({argument}){}", self.pick(&[".x", ".v[1]"]))
            }
            Takes::Elements | Takes::StructurePointer => unreachable!("they are called by statements"),
        }
    }

    /// Statements that call routines which write what they are given; `elements` and `structure` are such places.
    fn calls(&mut self, elements: &[&str], structures: &[&str]) {
        for _ in 0..self.between(1, 2) {
            let those: Vec<_> = self
                .sequential
                .iter()
                .filter(|(_, t)| matches!(t, Takes::Elements | Takes::StructurePointer))
                .cloned()
                .collect();
            if those.is_empty() {
                return;
            }
            let (name, takes) = self.pick(&those);
            let value = self.expression(1);
            match takes {
                Takes::Elements => {
                    let (place, to) = (self.pick(elements), self.pick(&["x = 0.5 * ", "x += ", ""]));
                    self.line(format!("{to}{name}({place}, {value});"));
                }
                _ => {
                    let place = self.pick(structures);
                    self.line(format!("{name}({place}, {value});"));
                }
            }
        }
    }

    fn sequential(&mut self) {
        self.made += 1;
        // Programs are linked together: a name is in one of them alone.
        let name = format!("g{}_{}", self.seed, self.made);
        // One that is called but has no directive is a routine, too.
        if self.chance(70) {
            self.line("#pragma acc routine seq");
        }
        let words = self.pick(&["static ", "static ", "static inline ", ""]);
        let takes = match self.made {
            1 => Takes::Numbers,
            2 => Takes::Elements,
            _ => self.pick(&[Takes::Numbers, Takes::Elements, Takes::Structure, Takes::StructurePointer]),
        };
        match takes {
            Takes::Numbers => self.of_numbers(words, &name),
            Takes::Elements => self.of_elements(words, &name),
            Takes::Structure => self.of_structure(words, &name),
            Takes::StructurePointer => self.of_structure_pointer(words, &name),
        }
        self.sequential.push((name, takes));
    }

    fn scope(&mut self, leaves: &[&str]) {
        self.leaves = leaves.iter().map(|l| (*l).to_owned()).collect();
    }

    fn of_numbers(&mut self, words: &str, name: &str) {
        self.scope(&["x", "y", "1", "0.25", "x"]);
        self.block(
            format!("{words}double {name}(double x, {} y)", ["double", "float"][self.made % 2]),
            |g| {
                let (a, b) = (g.expression(2), g.expression(2));
                match g.between(0, 2) {
                    0 => g.line(format!("if (x > y) return {a};")),
                    1 => g.line(format!("for (int k = 0; k < 3; k++) x = 0.5 * x + 0.25 * ({a});")),
                    _ => g.line(format!("double z = {a}; x -= 0.5 * z;")),
                }
                g.line(format!("return 0.5 * ({b});"));
            },
        );
    }

    fn of_elements(&mut self, words: &str, name: &str) {
        let form = self.pick(&["double *e", "double *e", "double e[8]", "double *restrict e"]);
        self.scope(&["x", "e[0]", "e[1]", "e[k]", "*e", "0.5"]);
        self.block(format!("{words}double {name}({form}, double x)"), |g| {
            g.line("int k = 2;");
            let start = g.pick(&["0", "1"]);
            let value = g.expression(1);
            g.block(format!("for (k = {start}; k < 8; k++)"), |g| {
                g.line(format!("e[k] = 0.5 * e[k] + 0.125 * ({value});"))
            });
            g.line("k = 3;");
            if g.chance(50) {
                let call = g.call_of(&[Takes::Numbers], 1);
                g.line(format!("*(e + 5) = {call};"));
            }
            if g.chance(40) {
                let others: Vec<_> =
                    g.sequential.iter().filter(|(_, t)| *t == Takes::Elements).cloned().collect();
                if let Some((other, _)) = others.first() {
                    g.line(format!("x += {other}(e, x);"));
                }
            }
            let result = g.expression(1);
            g.line(format!("return 0.5 * ({result});"));
        });
    }

    fn of_structure(&mut self, words: &str, name: &str) {
        self.scope(&["t.x", "t.v[0]", "t.v[t.k & 1]", "2"]);
        self.block(format!("{words}struct S {name}(struct S t)"), |g| {
            let (a, b) = (g.expression(2), g.expression(1));
            g.line(format!("t.v[0] = 0.25 * ({a});"));
            g.line(format!("struct S u = {{0.5 * ({b}), {{1, t.x}}, t.k + 1}};"));
            let result = g.pick(&["t", "u", "t.x > 0 ? t : u"]);
            g.line(format!("return {result};"));
        });
    }

    fn of_structure_pointer(&mut self, words: &str, name: &str) {
        self.scope(&["t->x", "t->v[0]", "t->v[t->k & 1]", "x", "1"]);
        self.block(format!("{words}void {name}(struct S *t, double x)"), |g| {
            let (a, b) = (g.expression(2), g.expression(1));
            g.line(format!("t->x = 0.25 * ({a});"));
            g.line(format!("if (t->k > 3) t->v[1] = 0.5 * ({b});"));
            g.line("t->k ^= 1;");
        });
    }

    fn vector(&mut self) {
        self.line("#pragma acc routine vector");
        self.scope(&["in[j]", "x", "j", "in[63 - j]"]);
        let value = self.expression(2);
        self.block("static void row(int n, const double *in, double *out, double x)", |g| {
            g.line("#pragma acc loop vector");
            g.block("for (int j = 0; j < n; j++)", |g| g.line(format!("out[j] = 0.5 * ({value});")));
        });
        self.line("#pragma acc routine vector");
        self.scope(&["in[j]", "j"]);
        let value = self.expression(2);
        self.block("static double sum(int n, const double *in)", |g| {
            g.line("double r = 0.5;");
            g.line("#pragma acc loop vector reduction(+:r)");
            g.block("for (int j = 0; j < n; j++)", |g| g.line(format!("r += {value};")));
            g.line("return r;");
        });
    }

    fn worker(&mut self) {
        self.line("#pragma acc routine worker");
        self.block("static void plane(int rows, const double *in, double (*out)[64], double x)", |g| {
            g.line("#pragma acc loop worker");
            g.block("for (int k = 0; k < rows; k++)", |g| {
                let shift = g.pick(&["k", "k * 8", "0"]);
                g.line(format!("row(64, in + {shift}, out[k], x + k);"));
            });
        });
    }

    fn function(&mut self) {
        let data = "copyin(a[0:4096]) copy(o[0:n][0:64], p[0:4096], s[0:n])";
        match self.between(0, 5) {
            0..=2 => self.flat(data),
            3..=4 => self.rows(data),
            _ => self.planes(data),
        }
    }

    fn flat(&mut self, data: &str) {
        let construct = self.pick(&[
            "parallel loop",
            "kernels loop independent",
            "parallel loop gang vector",
            "serial loop",
            "parallel loop vector_length(32)",
        ]);
        self.line(format!("#pragma acc {construct} {data}"));
        self.block("for (int i = 0; i < n; i++)", |g| {
            g.scope(&["a[i]", "a[i * 7]", "i", "1.5", "s[i].x"]);
            let first = g.expression(1);
            g.line(format!("double x = {first}, w[8] = {{x, 1, 2}};"));
            g.line("struct S t = s[i];");
            g.scope(&["a[i]", "x", "w[3]", "t.x", "i", "t.v[1]"]);
            g.calls(
                &["&o[i][0]", "o[i]", "o[i] + 9", "w", "&w[0]", "p + i * 16", "&p[i * 16 + 8]"],
                &["&t", "&s[i]", "s + i"],
            );
            if g.chance(40) {
                let (a, b) = (g.expression(2), g.expression(1));
                g.block(format!("if ({a} > {b})"), |g| g.calls(&["o[i] + 16", "w"], &["&t"]));
            }
            let (a, b) = (g.expression(2), g.expression(2));
            g.line(format!("p[i * 16] = {a} + w[1] + x;"));
            g.line(format!("s[i].v[1] = 0.5 * t.v[0] + {b};"));
        });
    }

    fn rows(&mut self, data: &str) {
        let words = self.pick(&["gang", "gang vector_length(64)", "gang vector_length(32)"]);
        self.line(format!("#pragma acc parallel loop {words} {data}"));
        self.block("for (int i = 0; i < n; i++)", |g| {
            g.scope(&["a[i]", "i", "0.5"]);
            let x = g.expression(1);
            g.line(format!("double x = {x};"));
            if g.chance(70) {
                let (length, argument) = (g.pick(&["64", "n", "i + 1"]), g.pick(&["x", "i", "2.5"]));
                g.line(format!("row({length}, a + i * 64, o[i], {argument});"));
            }
            if g.chance(70) {
                let (length, argument) =
                    (g.pick(&["64", "n", "7"]), g.pick(&["a + i * 64", "&a[i]", "o[i]"]));
                g.line(format!("x += sum({length}, {argument});"));
            }
            g.scope(&["x", "a[i]", "1"]);
            let value = g.expression(1);
            g.line(format!("p[i] = {value} + x;"));
            if g.chance(50) {
                g.line("#pragma acc loop vector");
                g.scope(&["x", "a[j]", "j"]);
                let value = g.expression(2);
                g.block("for (int j = 0; j < 64; j++)", |g| g.line(format!("p[64 + i * 64 + j] = {value};")));
            }
        });
    }

    fn planes(&mut self, data: &str) {
        let words = self.pick(&["num_workers(4) vector_length(32)", "num_workers(2)", ""]);
        let x = self.pick(&["1.5", "i", "a[i]"]);
        self.line(format!("#pragma acc parallel loop gang {words} {data}"));
        self.block("for (int i = 0; i < n / 8; i++)", |g| {
            g.line(format!("plane(8, a + i * 64, o + i * 8, {x});"))
        });
    }
}

const HEAD: &str = "\
#include <math.h>
#include <stdio.h>
struct S {
    double x, v[2];
    int k;
};
#pragma acc routine seq
static struct S make(double x, double y)
{
    struct S t = {x, {y, 0.5 * x}, x > y};
    return t;
}
";

const MAIN: &str = r#"
static double a[4096], o[48][64], p[4096];
static struct S s[48];

int main(void)
{
    void (*f[])(int, const double *, double (*)[64], double *, struct S *) = {NAMES};
    for (int i = 0; i < 4096; i++)
        a[i] = (i * 7 % 31) * 0.125 - 2;
    for (unsigned k = 0; k < sizeof f / sizeof *f; k++) {
        for (int i = 0; i < 4096; i++)
            p[i] = i % 19;
        for (int i = 0; i < 48; i++) {
            s[i] = (struct S){i * 0.25, {-1, i}, i % 7};
            for (int j = 0; j < 64; j++)
                o[i][j] = i - 0.5 * j;
        }
        f[k](48, a, o, p, s);
        for (int i = 0; i < 4096; i++)
            if (i < 200 || i % 3 == 0)
                printf("f%u %d %.9g\n", k, i, p[i]);
        for (int i = 0; i < 48; i++) {
            printf("f%u s %d %.9g %.9g %.9g %d\n", k, i, s[i].x, s[i].v[0], s[i].v[1], s[i].k);
            for (int j = 0; j < 64; j++)
                printf("f%u %d %d %.9g\n", k, i, j, o[i][j]);
        }
    }
    return 0;
}"#;
