//! Parallel loops whose iterations go through rows of their own by loops without a directive, which lanes may share.
//!
//! An iteration declares scalars, sums and searches through its row, stores what it found, writes rows by it, calls functions that are
//! given the row, leaves rows out. Loops that carry something from element to element are among them, and arrays that may overlap as
//! far as the compiler knows.
//!
//! Defined in C, and with one result in any order, since an iteration writes elements of its own row or number alone, and numbers are
//! whole and small: what is written is taken modulo 64.

use super::grammar::{Dice, Grammar, Lines, Rules};

const FUNCTIONS: usize = 5;
const MOST_STEPS: usize = 4;

struct Iterations {
    dice: Dice,
    lines: Lines,
}

impl Grammar for Iterations {
    fn dice(&mut self) -> &mut Dice {
        &mut self.dice
    }

    fn lines(&mut self) -> &mut Lines {
        &mut self.lines
    }
}

pub fn program(seed: u64) -> String {
    let mut g = Iterations { dice: Dice::new(seed), lines: Lines::default() };
    let number = g.pick(&["double", "float", "int", "long"]);
    g.line(HEAD.replace("NUMBER", number));
    for k in 0..FUNCTIONS {
        let pointer = g.pick(&["*", "*restrict "]);
        let head = format!(
            "static void f{k}(int n, int m, const T {pointer}a, T {pointer}b, const T {pointer}x, T {pointer}y)"
        );
        g.block(head, Iterations::function);
    }
    g.line(MAIN.replace("NAMES", &super::grammar::names(FUNCTIONS)));
    g.lines.take()
}

/// `depth` counts the conditions and loops that may still stand around.
const STEPS: &Rules<Iterations, ()> = &[
    (4, Iterations::sum),
    (3, Iterations::write),
    (2, Iterations::store),
    (1, Iterations::nearest),
    (1, Iterations::called),
    (1, Iterations::carried),
    (2, Iterations::condition),
];

const ROW: &[&str] =
    &["a[i * m + j]", "a[(long)i * m + j]", "b[i * m + j]", "x[j]", "row[j]", "x[j] * a[i * m + j]"];

impl Iterations {
    fn function(&mut self) {
        let (clause, reduced) = if self.chance(30) { (" reduction(+:all)", "all += s;") } else { ("", "") };
        self.line("long all = 0;");
        self.line(format!(
            "#pragma acc parallel loop{clause} copyin(a[0:n*m], x[0:m]) copy(b[0:n*m], y[0:n])"
        ));
        self.block("for (int i = 0; i < n; i++)", |g| {
            g.line("long s = i, t = 1;");
            g.line("const T *row = &a[i * m];");
            if g.chance(15) {
                g.line("if (i % 5 == 3)");
                g.line("    continue;");
            }
            let steps = g.between(1, MOST_STEPS);
            for _ in 0..steps {
                g.make(STEPS, 2);
            }
            g.line(reduced);
            g.line("y[i] += (s + t) % 64;");
            g.line("(void)row;");
        });
        self.line("if (n > 0)");
        self.line("    y[0] += all % 64;");
    }

    fn through_row(&mut self, inside: impl FnOnce(&mut Iterations)) {
        let head = self.pick(&[
            "for (int j = 0; j < m; j++)",
            "for (int j = 0; j < m; j++)",
            "for (int j = 1; j < m; j++)",
            "for (int j = 0; j < m / 2; ++j)",
            "for (long j = 0; j < m; j++)",
            "for (int j = m - 1; j >= 0; j--)",
        ]);
        self.block(head, inside);
    }

    fn sum(&mut self, _: usize) {
        let (of, to) = (self.pick(ROW), self.pick(&["s", "t"]));
        let statement = self.pick(&[
            "V += (long)(E);",
            "V -= (long)(E) * 2;",
            "V = E > V ? E : V;",
            "if (E < V)\n    V = E;",
        ]);
        self.through_row(|g| {
            statement.replace('V', to).replace('E', of).lines().for_each(|line| g.line(line));
        });
        self.line(format!("{to} %= 64;"));
    }

    fn write(&mut self, _: usize) {
        let (of, operation) = (self.pick(ROW), self.pick(&["=", "+="]));
        let with = self.pick(&["s", "t", "s + t", "(long)y[i]"]);
        self.through_row(|g| g.line(format!("b[i * m + j] {operation} ((long)({of}) + {with}) % 64;")));
    }

    fn store(&mut self, _: usize) {
        let statement = self.pick(&[
            "y[i] = s % 64;",
            "y[i] += t % 64;",
            "t = y[i];",
            "s += (long)y[i] % 8;",
            "b[i * m] = s % 64;",
        ]);
        let guard = if statement.starts_with('b') { "if (m > 0)\n    " } else { "" };
        format!("{guard}{statement}").lines().for_each(|line| self.line(line));
    }

    fn nearest(&mut self, _: usize) {
        self.block("for (int k = 0; k < 3; k++)", |g| {
            g.line("long d = 0;");
            g.through_row(|g| g.line("d += ((long)row[j] - (long)x[j] - k) % 16;"));
            g.line("if (d % 64 < t)");
            g.line("    t = d % 64, s = k;");
        });
    }

    fn called(&mut self, _: usize) {
        let call = self.pick(&[
            "total(&a[i * m], m)",
            "total(row, m)",
            "both(row, x, m)",
            "total(b + i * m, m / 2)",
        ]);
        self.line(format!("s += {call} % 64;"));
    }

    fn carried(&mut self, _: usize) {
        self.line("for (int j = 1; j < m; j++)");
        self.line("    b[i * m + j] = (long)(b[i * m + j] + b[i * m + j - 1]) % 64;");
    }

    fn condition(&mut self, depth: usize) {
        let condition = self.pick(&["s % 3 == 0", "i % 2", "t > 8", "y[i] > 4"]);
        if depth == 0 {
            return self.sum(0);
        }
        self.block(format!("if ({condition})"), |g| g.make(STEPS, depth - 1));
        if self.chance(40) {
            self.block("else", |g| g.make(STEPS, depth - 1));
        }
    }
}

const HEAD: &str = "\
#include <stdio.h>
#include <stdlib.h>
typedef NUMBER T;

static long total(const T *p, int count)
{
    long sum = 0;
    for (int j = 0; j < count; j++)
        sum += (long)p[j];
    return sum;
}

static long both(const T *p, const T *q, int count)
{
    long sum = 1;
    for (int k = 0; k < 2; k++)
        sum += total(p, count) - total(q, count / 2) * k;
    return sum;
}
";

const MAIN: &str = r#"
int main(void)
{
    void (*f[])(int, int, const T *, T *, const T *, T *) = {NAMES};
    const int sizes[][2] = {{7, 0}, {40, 1}, {300, 6}, {33, 70}, {5, 700}};
    for (unsigned k = 0; k < sizeof f / sizeof *f; k++)
        for (unsigned z = 0; z < sizeof sizes / sizeof *sizes; z++) {
            int n = sizes[z][0], m = sizes[z][1];
            T *a = malloc((n * m + 1) * sizeof(T)), *b = malloc((n * m + 1) * sizeof(T));
            T *x = malloc((m + 1) * sizeof(T)), *y = malloc(n * sizeof(T));
            for (int i = 0; i < n * m; i++)
                a[i] = i * 7 % 31, b[i] = i % 11;
            for (int j = 0; j < m; j++)
                x[j] = j % 5;
            for (int i = 0; i < n; i++)
                y[i] = i % 9;
            f[k](n, m, a, b, x, y);
            double sum = 0;
            for (int i = 0; i < n * m; i++)
                sum += b[i] * (i % 17 + 1);
            printf("f%u %d %.17g\n", k, m, sum);
            for (int i = 0; i < n; i++)
                printf("f%u %d %d %.9g\n", k, m, i, (double)y[i]);
            free(a), free(b), free(x), free(y);
        }
    return 0;
}"#;
