//! Arrays of the device alone (`create`) of which each iteration of a parallel loop has a row for itself. GPUs may store them by
//! columns, which nothing may show.
//!
//! A function brings two such arrays, one with rows and one a matrix, in a data construct or in one around another, and has
//! kernels that fill rows, change them, read other rows, go through all elements or through columns, and between these
//! whatever else looks at the arrays: updates, other names, other functions, nested constructs.
//!
//! Defined in C, and with a clear expected result, since
//! - the first kernel fills all elements;
//! - an iteration writes elements of its own row, column or number alone, and a kernel that writes an array reads nothing
//!   else of it;
//! - numbers are whole and stay below 2^53.

use super::grammar::{Dice, Grammar, Lines, Rules, names};

const FUNCTIONS: usize = 5;
/// Of a function; each may make the numbers of a row as many times larger as it has elements.
const MOST_STEPS: usize = 5;

struct Scratch {
    dice: Dice,
    lines: Lines,
}

impl Grammar for Scratch {
    fn dice(&mut self) -> &mut Dice {
        &mut self.dice
    }

    fn lines(&mut self) -> &mut Lines {
        &mut self.lines
    }
}

pub fn program(seed: u64) -> String {
    let mut g = Scratch { dice: Dice::new(seed), lines: Lines::default() };
    let (number, row) = (g.pick(&["double", "long long"]), g.pick(&["3", "4", "5", "8", "12", "33"]));
    g.line(HEAD.replace("NUMBER", number).replace("ROW", row));
    for k in 0..FUNCTIONS {
        g.block(
            format!("static void f{k}(int n, T *a, T (*b)[C], T *out, const int *ix)"),
            Scratch::function,
        );
    }
    g.line(MAIN.replace("NAMES", &names(FUNCTIONS)));
    g.lines.take()
}

const STEPS: &Rules<Scratch, ()> = &[
    (4, Scratch::own_row),
    (3, Scratch::other_rows),
    (1, Scratch::all),
    (1, Scratch::columns),
    (2, Scratch::look),
];

/// An element `e` of row k, of either array.
const ELEMENTS: &[&str] =
    &["a[k * C + e]", "a[C * k + e]", "a[(size_t)k * C + e]", "a[row + e]", "b[k][e]", "(b[k])[e]"];

/// Subscripts in a row: sums of the counter i, and those that only the device knows.
const WITHIN: &[&str] = &["i", "i", "i", "C - 1 - i", "ix[i]", "(i + k) % C"];

impl Scratch {
    fn function(&mut self) {
        let brought = self.pick(&[
            "create(a[0:n*C], b[0:n])",
            "create(a[0:n*C]) create(b[0:n][0:C])",
            "create(b[0:n], a[0:N*C])",
        ]);
        self.line(format!("#pragma acc data {brought} copyin(ix[0:N])"));
        self.block("", |g| {
            g.rows("", |g| {
                g.line("for (int i = 0; i < C; i++)");
                g.line("    a[k * C + i] = k + i, b[k][i] = k - 2 * i;");
            });
            let steps = g.between(2, MOST_STEPS);
            for _ in 0..steps {
                g.make(STEPS, 0);
            }
            g.other_rows(0);
        });
    }

    /// A parallel loop over rows.
    fn rows(&mut self, clauses: &str, inside: impl FnOnce(&mut Scratch)) {
        let levels = self.pick(&["", "gang vector ", "vector_length(64) ", "gang num_gangs(3) vector "]);
        self.line(format!("#pragma acc parallel loop {levels}{clauses}").trim_end());
        let head = self.pick(&[
            "for (int k = 0; k < n; k++)",
            "for (int k = n - 1; k >= 0; k--)",
            "for (long k = 0; k < n; k++)",
        ]);
        self.block(head, |g| {
            g.line("int row = k * C;");
            inside(g);
            g.line("(void)row;");
        });
    }

    fn element(&mut self) -> String {
        let within = self.pick(WITHIN);
        self.pick(ELEMENTS).replace("e]", &format!("{within}]"))
    }

    fn own_row(&mut self, _: usize) {
        self.rows("", |g| {
            let (mut first, second) = (g.element(), g.element());
            if g.chance(10) {
                first = "b[k][C / 2]".to_owned();
            }
            let operation = g.pick(&["+=", "-=", "="]);
            g.line("for (int i = 0; i < C; i++)");
            g.line(format!("    {first} {operation} {second} + i;"));
            if g.chance(40) {
                g.line("for (int i = 1; i < C; i++)");
                g.line("    a[k * C + i] += a[k * C + i - 1];");
            }
        });
    }

    fn other_rows(&mut self, _: usize) {
        self.rows("copy(out[0:n])", |g| {
            g.line("T sum = 0;");
            let (own, other) = (g.element(), g.element().replace("row", "k * C").replace('k', "ix[k]"));
            g.line("for (int i = 0; i < C; i++)");
            g.line(format!("    sum += {own} - {other} * (i % 2);"));
            g.line("out[k] += sum;");
        });
    }

    fn all(&mut self, _: usize) {
        self.line("#pragma acc parallel loop");
        self.line("for (int e = 0; e < n * C; e++)");
        self.line("    a[e] -= e % 7;");
    }

    fn columns(&mut self, _: usize) {
        self.line("#pragma acc parallel loop gang");
        self.block("for (int i = 0; i < C; i++)", |g| {
            g.line("#pragma acc loop vector");
            g.line("for (int k = 0; k < n; k++)");
            g.line("    a[k * C + i] += b[k][i];");
        });
    }

    /// What is not a kernel that uses rows.
    fn look(&mut self, _: usize) {
        let lines = self.pick(&[
            "from_outside(n, a, out);",
            "from_outside(n - 1, a + C, out);",
            "from_outside(n, b[0], out);",
            "rows_outside(n, a);",
            "#pragma acc update self(a[0:n*C])\nfor (int e = 0; e < n * C; e++)\n    a[e] += e % 3;\n#pragma acc update device(a[0:n*C])",
            "#pragma acc update self(b[1:1])\nb[1][0] = 5;\n#pragma acc update device(b[1:1])",
            "#pragma acc data copy(a[0:n*C])\nrows_outside(n, a);",
        ]);
        lines.lines().for_each(|line| self.line(line));
    }
}

const HEAD: &str = "\
#include <stdio.h>
#include <stdlib.h>
#define N 77
#define C ROW
typedef NUMBER T;

static void from_outside(int n, const T *from, T *out)
{
#pragma acc parallel loop present(from[0:n*C]) copy(out[0:n])
    for (int k = 0; k < n; k++)
        out[k] += from[k] - from[n * C - 1 - k];
}

static void rows_outside(int n, T *p)
{
#pragma acc data create(p[0:n*C])
    {
#pragma acc parallel loop
        for (int k = 0; k < n; k++)
            for (int i = 0; i < C; i++)
                p[k * C + i] += i;
    }
}
";

const MAIN: &str = r#"
int main(void)
{
    void (*f[])(int, T *, T (*)[C], T *, const int *) = {NAMES};
    int ix[N];
    for (int k = 0; k < N; k++)
        ix[k] = k < C ? C - 1 - k : (k * 5) % N;
    for (unsigned j = 0; j < sizeof f / sizeof *f; j++) {
        T *a = calloc(N * C, sizeof(T)), (*b)[C] = calloc(N, sizeof *b), out[N] = {0};
        f[j](N, a, b, out, ix);
        for (int k = 0; k < N; k++)
            printf("f%u %d %.17g\n", j, k, (double)out[k]);
        free(a);
        free(b);
    }
    return 0;
}"#;
