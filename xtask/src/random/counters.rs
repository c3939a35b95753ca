//! What loops count with, and what is private to them: pointers, globals, unsigned, short and long variables, up and down and
//! in steps; structures and scalars with an address in private clauses; sums into elements inside loops that the host runs.
//!
//! Defined in C, since
//! - each iteration of a loop that may run in parallel writes elements of its own;
//! - what a private clause names is set before it is used, and not read after its loop;
//! - a loop that counts with a variable declared outside is followed by an assignment to it before it is read.

use super::grammar::{Dice, Grammar, Lines, Rules, names};

const FUNCTIONS: usize = 6;

const PARAMETERS: &str =
    "int n, int m, double *restrict a, double *restrict b, struct P *restrict p, double *restrict out";

struct Counters {
    dice: Dice,
    lines: Lines,
}

impl Grammar for Counters {
    fn dice(&mut self) -> &mut Dice {
        &mut self.dice
    }

    fn lines(&mut self) -> &mut Lines {
        &mut self.lines
    }
}

pub fn program(seed: u64) -> String {
    let mut g = Counters { dice: Dice::new(seed), lines: Lines::default() };
    g.line(HEAD);
    for k in 0..FUNCTIONS {
        g.block(format!("static void f{k}({PARAMETERS})"), Counters::function);
    }
    g.line(MAIN.replace("NAMES", &names(FUNCTIONS)));
    g.lines.take()
}

const SHAPES: &Rules<Counters, ()> = &[
    (4, Counters::flat),
    (3, Counters::structures),
    (3, Counters::addressed),
    (3, Counters::rows),
    (2, Counters::sums_in_host_loops),
    (2, Counters::joined),
];

/// A loop's head, and its element of an array with the name `A`: a place, and a number below N that tells which it is.
const HEADS: &[(&str, &str, &str)] = &[
    ("for (double *q = A + 3; q < A + n; q++)", "*q", "(q - A)"),
    ("for (double *q = A; q != A + n; q += 2)", "q[0]", "(q - A)"),
    ("for (double *q = &A[n - 1]; q >= &A[5]; q--)", "*q", "(q - A)"),
    ("for (w = A; w < &A[m]; w += 3)", "*w", "(w - A)"),
    ("for (gi = 0; gi < n; gi++)", "A[gi]", "gi"),
    ("for (gi = n - 1; gi >= m; gi -= 2)", "A[gi]", "gi"),
    ("for (gl = m; gl < n; gl++)", "A[gl]", "gl"),
    ("for (unsigned u = n; u > 0; u--)", "A[u - 1]", "(u - 1)"),
    ("for (unsigned u = n; u-- > 0;)", "A[u]", "u"),
    ("for (size_t u = 0; u < (size_t)n; u += 4)", "A[u]", "u"),
    ("for (short h = 0; h < n; h++)", "A[h]", "h"),
    ("for (unsigned char c = 7; c < m; c++)", "A[c]", "c"),
    ("for (size_t u = far; u < far + n; u += 4)", "A[u - far]", "(long)(u - far)"),
    ("for (size_t u = far + n; u > far; u -= 3)", "A[u - far - 1]", "(long)(u - far - 1)"),
    ("for (size_t u = far + n; u-- > far;)", "A[u - far]", "(long)(u - far)"),
    ("for (size_t u = -1; u >= (size_t)-100; u--)", "A[-u]", "(long)-u"),
    ("for (int i = 2147483600; i < 2147483647; i++)", "A[i - 2147483600]", "(i - 2147483600)"),
    ("for (long long l = n - 1; l > 2; l -= 5)", "A[l]", "l"),
    ("for (int i = m; i < 3; i++)", "A[i]", "i"),
    ("for (e = 0; e < n; e++)", "A[e]", "e"),
];

impl Counters {
    fn function(&mut self) {
        self.line("double *w;");
        self.line("int e = 0, x = -7, k, last = 0;");
        self.line("struct P g = {-1, {-2, -3}}, s;");
        self.line("double sum = 0;");
        self.line("size_t far = (size_t)1 << 63;");
        self.line("far -= m;");
        let count = self.between(1, 3);
        for _ in 0..count {
            self.make(SHAPES, 0);
        }
        self.line("out[0] = sum; out[1] = last;");
    }

    fn construct(&mut self) -> &'static str {
        self.pick(&[
            "parallel loop",
            "kernels loop independent",
            "parallel loop gang",
            "parallel loop gang vector",
        ])
    }

    fn head(&mut self, array: &str) -> (String, String, String) {
        let (head, place, index) = self.pick(HEADS);
        let named = |text: &str| text.replace('A', array);
        (named(head), named(place), named(index))
    }

    fn value(&mut self, index: &str) -> String {
        let text = self.pick(&[
            "0.5 * I",
            "I % 7 + 1.0",
            "p[I % 40].x - I",
            "p[I % 40].v[I & 1] * 2",
            "(double)(I * I % 13)",
        ]);
        text.replace('I', index)
    }

    fn flat(&mut self, _: usize) {
        let (head, place, index) = self.head("a");
        let (construct, value) = (self.construct(), self.value(&index));
        let clauses = "copy(a[0:n]) copyin(p[0:40])";
        let reduction = if self.chance(50) { " reduction(+:sum)" } else { "" };
        self.line(format!("#pragma acc {construct} {clauses}{reduction}"));
        self.block(head, |g| {
            g.line(format!("{place} = {value} + 0.5 * {place};"));
            if !reduction.is_empty() {
                g.line(format!("sum += {value};"));
            }
        });
    }

    fn structures(&mut self, _: usize) {
        let private = self.pick(&["g", "s", "g, s"]);
        let construct = self.pick(&["parallel", "kernels"]);
        self.line(format!("#pragma acc {construct} copy(b[0:40 * 64]) copyin(p[0:40])"));
        self.line("#pragma acc loop gang independent");
        self.block("for (int i = 0; i < 40; i++)", |g| {
            let level = g.pick(&["worker", "worker", "seq"]);
            let rows = if level == "seq" { "1" } else { "4" };
            g.line(format!("#pragma acc loop {level} private({private})"));
            g.block(format!("for (int r = 0; r < {rows}; r++)"), |g| {
                let name = if private == "s" { "s" } else { "g" };
                g.line(format!("{name}.x = i + r;"));
                g.line(format!("{name}.v[0] = {name}.v[1] = p[i].v[0] + r;"));
                if private == "g, s" {
                    g.line("s = g; s.v[1] += 1; g.x = s.v[1];");
                }
                g.line("#pragma acc loop vector");
                g.block("for (int j = 0; j < 16; j++)", |g| {
                    let member = g.pick(&["x", "v[0]", "v[1]", "v[j & 1]"]);
                    g.line(format!("b[i * 64 + r * 16 + j] += {name}.{member} * j;"));
                });
            });
        });
    }

    fn addressed(&mut self, _: usize) {
        let gang_vector = self.chance(50);
        self.line("#pragma acc parallel loop gang copy(b[0:40 * 64]) private(x)");
        self.block("for (int i = 0; i < 40; i++)", |g| {
            let own = g.chance(50);
            if own {
                g.line("int z = 3;");
            }
            let name = if own { "z" } else { "x" };
            g.line(format!("int *to = &{name};"));
            g.line("*to = i % 5;");
            if g.chance(50) {
                g.line(format!("if ({name} > 2) *to += 1;"));
            }
            if gang_vector {
                g.line("#pragma acc loop vector");
            }
            g.block("for (int j = 0; j < 64; j++)", |g| g.line(format!("b[i * 64 + j] += {name} * j;")));
            g.line(format!("*to = {name} * 2 + i;"));
            g.line("#pragma acc loop vector");
            g.block("for (int j = 0; j < 64; j++)", |g| g.line(format!("b[i * 64 + j] += {name};")));
        });
    }

    fn rows(&mut self, _: usize) {
        let outer = self.pick(&["for (int i = 0; i < 40; i++)", "for (gi = 0; gi < 40; gi++)"]);
        let i = if outer.contains("gi") { "gi" } else { "i" };
        self.line("#pragma acc parallel loop gang copy(b[0:40 * 64]) copyin(p[0:40])");
        self.block(outer, |g| {
            let mark = g.pick(&["#pragma acc loop vector", "#pragma acc loop", "#pragma acc loop seq"]);
            g.line(mark);
            let head = g.pick(&[
                "for (double *q = b + I * 64; q < b + I * 64 + 64; q++)",
                "for (double *q = &b[I * 64]; q < &b[I * 64 + 60]; q += 2)",
                "for (double *q = &b[I * 64 + 63]; q >= b + I * 64; --q)",
            ]);
            g.block(head.replace('I', i), |g| {
                g.line(format!("*q = *q * 0.5 + p[{i}].x + (q - b) % 64;"));
            });
        });
    }

    /// A loop whose variable is declared outside and read after it stays on the host, or on one gang.
    fn sums_in_host_loops(&mut self, _: usize) {
        let first = self.between(0, 9);
        self.line("#pragma acc kernels copy(a[0:n], b[0:40 * 64])");
        self.block("", |g| {
            g.block(format!("for (int i = {first}; i < 40; i++)"), |g| {
                let target = g.pick(&["a[i]", "b[i]", "a[39 - i]"]);
                let value = g.pick(&["b[64 + k]", "0.25 * k", "b[64 + i]"]);
                g.block("for (k = 0; k < m; k++)", |g| g.line(format!("{target} += {value};")));
                if g.chance(50) {
                    g.line("a[i] *= 0.5;");
                }
            });
        });
        self.line("last += k;");
    }

    fn joined(&mut self, _: usize) {
        let (i, j) = self.pick(&[("gi", "e"), ("i", "gi"), ("gl", "gi")]);
        let declared = if i == "i" { "int " } else { "" };
        self.line("#pragma acc parallel loop collapse(2) copy(b[0:40 * 64])");
        self.line(format!("for ({declared}{i} = 0; {i} < 40; {i}++)"));
        self.block(format!("for ({j} = 1; {j} < 64; {j} += 2)"), |g| {
            g.line(format!("b[{i} * 64 + {j}] = b[{i} * 64 + {j} - 1] + {i} - 0.5 * {j};"));
        });
    }
}

const HEAD: &str = "\
#include <stddef.h>
#include <stdio.h>
struct P {
    double x, v[2];
};
static int gi;
static long gl;
";

const MAIN: &str = r#"
static double a[200], b[40 * 64];
static struct P p[40];

int main(void)
{
    void (*f[])(int, int, double *, double *, struct P *, double *) = {NAMES};
    for (int i = 0; i < 40; i++)
        p[i] = (struct P){i * 0.5, {1 + i % 3, -i}};
    for (unsigned k = 0; k < sizeof f / sizeof *f; k++) {
        double out[2];
        for (int i = 0; i < 200; i++)
            a[i] = i % 9;
        for (int i = 0; i < 40 * 64; i++)
            b[i] = i % 11;
        f[k](200, 37, a, b, p, out);
        for (int i = 0; i < 200; i++)
            printf("f%u a %d %.9g\n", k, i, a[i]);
        for (int i = 0; i < 40 * 64; i++)
            printf("f%u b %d %.9g\n", k, i, b[i]);
        printf("f%u out %.9g %.9g\n", k, out[0], out[1]);
    }
    return 0;
}"#;
