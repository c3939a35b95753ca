//! OpenMP's `lastprivate` on loops and nests: joined or not, rectangular or with rows of any length, also empty ones, with statements
//! between the loops; and variables that are `firstprivate`, too.
//!
//! Defined in C, with directives and without: each iteration sets the variables before it reads them, and the counters are looked at
//! only where the last rows have elements. A variable that is both changes in the last iteration alone.

use super::grammar::{Dice, Grammar, Lines, main_with_results};

const FUNCTIONS: usize = 8;

struct LastPrivate {
    dice: Dice,
    lines: Lines,
}

impl Grammar for LastPrivate {
    fn dice(&mut self) -> &mut Dice {
        &mut self.dice
    }

    fn lines(&mut self) -> &mut Lines {
        &mut self.lines
    }
}

/// The heads of the inner loop, and whether the last row has elements.
const INNER: &[(&str, bool)] = &[
    ("for (j = 0; j < 11; j++)", true),
    ("for (j = 20; j > 3; j -= 2)", true),
    ("for (j = 0; j < n / 4; j++)", true),
    ("for (j = 0; j <= 2 * i; j++)", true),
    ("for (j = i; j < i + 5; j++)", true),
    ("for (j = i; j < 17; j++)", false),
    ("for (j = 40 - 3 * i; j > 0; j--)", false),
];

const VALUES: &[&str] = &["i * 1000 + j", "n - i + keep", "j * keep + (long)a[i]", "keep"];

pub fn program(seed: u64) -> String {
    let mut g = LastPrivate { dice: Dice::new(seed), lines: Lines::default() };
    g.line("#include <stdio.h>\n");
    for k in 0..FUNCTIONS {
        g.block(format!("static void f{k}(int n, const double *restrict a, double *restrict res)"), |g| {
            g.line("long x = -1;");
            g.line("double y = 0.5;");
            g.line("int i = -5, j = -6, keep = 7, sum = 0;");
            if g.chance(30) {
                g.one_loop()
            } else {
                g.nest()
            }
            g.line("res[0] = x, res[1] = y, res[4] = keep, res[5] = sum;");
        });
    }
    g.line(main_with_results(FUNCTIONS, 6));
    g.lines.take()
}

impl LastPrivate {
    fn one_loop(&mut self) {
        let both = self.chance(60);
        let clauses = if both { "firstprivate(keep) lastprivate(x, keep)" } else { "lastprivate(x)" };
        self.line(format!("#pragma omp target parallel for {clauses} reduction(+: sum)"));
        self.block("for (i = 0; i < n; i++)", |g| {
            g.line("x = i * keep;");
            g.line("sum += keep;");
            if both {
                g.line("if (i == n - 1) keep = i + 2;");
            }
        });
    }

    fn nest(&mut self) {
        let (inner, ends) = self.pick(INNER);
        let between = self.chance(25);
        let counters = ends && self.chance(50);
        let simd = if self.chance(30) && !between { " simd" } else { "" };
        // Where loops are not joined the last row is the last iteration.
        let joined = if !ends || self.chance(75) { " collapse(2)" } else { " private(j)" };
        let names = match (counters, joined) {
            (true, " collapse(2)") => "x, y, i, j",
            (true, _) => "x, y, i",
            _ => "x, y",
        };
        let directive = self.pick(&["target teams distribute parallel for", "target parallel for"]);
        self.line(format!(
            "#pragma omp {directive}{simd}{joined} lastprivate({names}) reduction(+: sum) map(to: a[0:4096])"
        ));
        let value = self.pick(VALUES);
        self.block("for (i = 0; i < n / 2; i++)", |g| {
            if between {
                g.line("double twice = 2.0 * i;");
            }
            g.block(inner, |g| {
                g.line(format!("x = {value};"));
                g.line(if between { "y = twice + j;" } else { "y = a[i & 4095] - j;" });
                g.line("sum += (int)(x % 7);");
            });
        });
        if counters {
            let second = if joined == " collapse(2)" { "j" } else { "0" };
            self.line(format!("res[2] = i, res[3] = {second};"));
        }
    }
}
