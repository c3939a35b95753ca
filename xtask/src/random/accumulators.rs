//! Loops without a clause in `parallel` that accumulate into elements of arrays, as matrix products are often written: users
//! expect the serial answer.
//!
//! A function is a construct with loops over rows, or rows and columns, and loops within that add to (multiply, take the
//! maximum of, fill step by step) elements that do not depend on them: of arrays of one and two dimensions, members of
//! structures, elements at an index that was read; and to scalars, those of the file among them.
//!
//! Defined in C, and with a clear expected result, since
//! - the outermost loop's iterations write elements of their own, but where that loop itself adds to columns;
//! - what is accumulated into is not read within the accumulating loop but by the statement that accumulates.

use super::grammar::{Dice, Grammar, Lines, Rules, names};

const FUNCTIONS: usize = 6;

const PARAMETERS: &str = "int n, int m, double (*restrict A)[M], double (*restrict C)[M], double *restrict x, \
double *restrict y, double *restrict z, struct S *restrict s, const int *restrict ix";

struct Accumulators {
    dice: Dice,
    lines: Lines,
    made: usize,
}

impl Grammar for Accumulators {
    fn dice(&mut self) -> &mut Dice {
        &mut self.dice
    }

    fn lines(&mut self) -> &mut Lines {
        &mut self.lines
    }
}

pub fn program(seed: u64) -> String {
    let mut g = Accumulators { dice: Dice::new(seed), lines: Lines::default(), made: 0 };
    g.line(HEAD);
    for k in 0..FUNCTIONS {
        let program = g.lines.take();
        g.block(format!("static void f{k}({PARAMETERS})"), Accumulators::function);
        let function = g.lines.take();
        // Every fourth function declares its counters as older C does.
        let older = (seed + k as u64).is_multiple_of(4);
        g.line(
            program.trim_end().to_owned() + "\n" + &if older { counters_first(&function) } else { function },
        );
    }
    g.line(MAIN.replace("NAMES", &names(FUNCTIONS)));
    g.lines.take()
}

fn counters_first(function: &str) -> String {
    function.replacen("{\n", "{\n    int i, j, k;\n", 1).replace("for (int ", "for (")
}

const DATA: &str = "copy(C[0:N], y[0:N], z[0:N], s[0:N]) copyin(A[0:N], x[0:N], ix[0:N])";

const FUNCTIONS_OF_LOOPS: &Rules<Accumulators, ()> = &[
    (6, Accumulators::rows),
    (4, Accumulators::product),
    (2, Accumulators::columns),
    (2, Accumulators::triangle),
];

/// What an iteration of a row accumulates into, and how it is set before.
const TARGETS: &[(&str, &str)] = &[
    ("y[i]", "0"),
    ("y[i]", "x[i]"),
    ("z[i]", "1"),
    ("s[i].a", "0"),
    ("s[i].v[1]", "0.5"),
    ("C[i][0]", "0"),
    ("C[i][i % M]", "A[i][1]"),
    ("t[0]", "0"),
    ("t[i & 1]", "1"),
    ("w.a", "0"),
    ("w.v[i & 1]", "0"),
    ("y[ix[i]]", "0"),
    ("y[n - 1 - i]", "0"),
    ("v", "0.5"),
    ("v", "x[i]"),
    ("G", "0"),
];

const VALUES: &[&str] = &[
    "A[i][j] * x[j]",
    "A[j][i % M] * x[j]",
    "A[i][j]",
    "x[j] - 0.5",
    "A[i][j] * A[i][M - 1 - j]",
    "j * 0.25",
    "x[ix[j]]",
];

impl Accumulators {
    fn function(&mut self) {
        self.line(format!("#pragma acc data {DATA}"));
        self.block("", |g| g.make(FUNCTIONS_OF_LOOPS, 0));
    }

    /// The outer loop of a function, in a construct of its own or combined with it.
    fn outer(&mut self, words: &str, head: &str, inside: impl FnOnce(&mut Accumulators)) {
        if self.chance(50) {
            self.line(format!("#pragma acc parallel loop {words}").trim_end());
            return self.block(head, inside);
        }
        self.line("#pragma acc parallel");
        self.block("", |g| {
            g.line(format!("#pragma acc loop {words}").trim_end());
            g.block(head, inside);
        });
    }

    /// A loop with a plain loop directive or none; no clause says that it is independent.
    fn inner(&mut self, head: &str, inside: impl FnOnce(&mut Accumulators)) {
        if self.chance(75) {
            self.line("#pragma acc loop");
        }
        self.block(head, inside);
    }

    fn rows(&mut self, _: usize) {
        let words = self.pick(&["", "", "gang", "independent"]);
        self.outer(words, "for (int i = 0; i < n; i++)", |g| {
            let (targets, head) = (g.between(1, 2), g.inner_head());
            let all: Vec<_> = TARGETS.to_vec();
            let first = g.pick(&all);
            // Elements of the same array could be the same.
            let others: Vec<_> = all.into_iter().filter(|(t, _)| t[..1] != first.0[..1]).collect();
            let mut chosen = vec![first, g.pick(&others)];
            chosen.truncate(targets);
            if chosen.iter().any(|(t, _)| t.starts_with('t')) {
                g.line("double t[2] = {0};");
            }
            if chosen.iter().any(|(t, _)| t.starts_with('v')) {
                g.line("double v = 1;");
            }
            if chosen.iter().any(|(t, _)| t.starts_with('w')) {
                g.line("struct S w = {0};");
            }
            let set = g.chance(80);
            for (target, first) in chosen.iter().filter(|(t, _)| set || *t == "G") {
                g.line(format!("{target} = {first};"));
            }
            g.inner(&head, |g| {
                for (target, _) in &chosen {
                    let value = g.pick(VALUES);
                    g.accumulate(target, value);
                }
            });
            for (target, _) in chosen.iter().filter(|(t, _)| t.starts_with(['t', 'v', 'w', 'G'])) {
                g.line(
                    format!("z[i] = 0.5 * {target};")
                        .replace("z", if chosen[0].0 == "z[i]" { "y" } else { "z" }),
                );
            }
            if g.chance(30) {
                let (target, _) = chosen[0];
                g.line(format!("{target} = 0.5 * {target} + 1;"));
            }
        });
    }

    fn inner_head(&mut self) -> String {
        let end = self.pick(&["m", "m", "M", "(i < M ? i + 1 : M)", "m % 5"]);
        self.pick(&[
            "for (int j = 0; j < E; j++)",
            "for (int j = 0; j < E; j++)",
            "for (int j = E - 1; j >= 0; j--)",
            "for (int j = 0; j < E; j += 2)",
        ])
        .replace('E', end)
    }

    fn accumulate(&mut self, target: &str, value: &str) {
        let text = match self.between(0, 9) {
            0..6 => format!("{target} += {value};"),
            6 => format!("{target} = {target} + {value};"),
            7 => format!("{target} -= {value};"),
            8 => format!("{target} = fmax({target}, {value});"),
            _ if self.chance(50) => format!("{target} = 0.5 * {target} + {value};"),
            // The last value that is larger than the previous one by more than one.
            _ => format!("if ({value} > {target} + 1) {target} = {value};"),
        };
        if self.chance(20) {
            let limit = self.pick(&["x[j] > 1", "j != i", "j % 3"]);
            return self.line(format!("if ({limit}) {text}"));
        }
        self.line(text);
    }

    /// A product of matrices, or what looks like one.
    fn product(&mut self, _: usize) {
        let collapsed = self.chance(40);
        let target = self.pick(&["C[i][j]", "C[i][j]", "C[n - 1 - i][j]", "C[i][M - 1 - j]"]);
        let value = self.pick(&[
            "A[i][k] * A[k][j]",
            "A[i][k] * A[j][k]",
            "A[k % N][j] * x[k]",
            "0.5 * A[k][i % M] * A[k][j]",
        ]);
        let middle = "for (int j = 0; j < m; j++)";
        let body = move |g: &mut Accumulators| {
            let first = g.pick(&["= 0;", "*= 0.5;", "+= x[i];", "= A[i][j];"]);
            if g.chance(85) {
                g.line(format!("{target} {first}"));
            }
            g.made += 1;
            let head = g.pick(&[
                "for (int k = 0; k < m; k++)",
                "for (int k = 0; k < M; k++)",
                "for (int k = m - 1; k >= 0; k--)",
            ]);
            g.inner(head, |g| {
                let times = g.between(1, 2);
                for _ in 0..times {
                    g.line(format!("{target} += {value};"));
                }
            });
        };
        if collapsed {
            return self.outer(
                "collapse(2)",
                "for (int i = 0; i < n; i++)\nfor (int j = 0; j < m; j++)",
                body,
            );
        }
        self.outer("", "for (int i = 0; i < n; i++)", |g| g.inner(middle, body));
    }

    /// The outer loop adds to elements of its inner loop.
    fn columns(&mut self, _: usize) {
        let target = self.pick(&["y[j]", "C[3][j]", "s[j].a", "z[m - 1 - j]"]);
        let value = self.pick(&["A[i][j]", "A[i][j] * x[i]", "0.5 * x[j]"]);
        self.outer("", "for (int i = 0; i < n; i++)", |g| {
            g.inner("for (int j = 0; j < m; j++)", |g| g.line(format!("{target} += {value};")));
        });
    }

    /// Sums over the part of a matrix beside its diagonal, with their mirror.
    fn triangle(&mut self, _: usize) {
        let start = self.pick(&["i", "i + 1"]);
        self.outer("", "for (int i = 0; i < M - 1; i++)", |g| {
            g.inner(&format!("for (int j = {start}; j < M; j++)"), |g| {
                g.line("C[i][j] = 0;");
                g.inner("for (int k = 0; k < n; k++)", |g| g.line("C[i][j] += A[k][i] * A[k][j];"));
                if g.chance(70) {
                    g.line("C[j][i] = C[i][j];");
                }
            });
        });
    }
}

const HEAD: &str = "\
#include <math.h>
#include <stdio.h>
#define N 48
#define M 40
struct S {
    double a, v[2];
};
static double G;
";

const MAIN: &str = r#"
static double A[N][M], C[N][M], x[N], y[N], z[N];
static struct S s[N];
static int ix[N];

int main(void)
{
    void (*f[])(int, int, double (*)[M], double (*)[M], double *, double *, double *, struct S *, const int *) = {NAMES};
    for (int i = 0; i < N; i++) {
        x[i] = i % 5 - 1, ix[i] = (i * 7 + 3) % N;
        for (int j = 0; j < M; j++)
            A[i][j] = (i * 3 + j * 7) % 11 * 0.25 - 1;
    }
    for (unsigned k = 0; k < sizeof f / sizeof *f; k++) {
        for (int i = 0; i < N; i++) {
            y[i] = i, z[i] = -i, s[i] = (struct S){i * 0.5, {1, i}};
            for (int j = 0; j < M; j++)
                C[i][j] = i - j;
        }
        f[k](N, 37, A, C, x, y, z, s, ix);
        for (int i = 0; i < N; i++) {
            printf("f%u %d %.9g %.9g %.9g %.9g %.9g\n", k, i, y[i], z[i], s[i].a, s[i].v[0], s[i].v[1]);
            for (int j = 0; j < M; j++)
                printf("f%u %d %d %.9g\n", k, i, j, C[i][j]);
        }
    }
    return 0;
}"#;
