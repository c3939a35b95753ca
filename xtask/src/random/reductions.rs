//! Variables that the loops of a construct reduce, and that the construct uses elsewhere: before, behind and between its loops,
//! in branches, and in the turns of sequential loops.
//!
//! A function is one construct. Statements set `s`, `c` and `x`, add to them in loops with directives, and write them to `res`.
//!
//! Defined in C, and with a clear expected result, since
//! - what stands outside the loops with directives is done once, by one gang (team); where there may be several, it only writes
//!   to `res` what all of them have;
//! - sums are of multiples of a half, small enough for every order of the additions to be exact.

use super::grammar::{Dice, Grammar, Lines, Rules, main_with_results};

const FUNCTIONS: usize = 6;

struct Reductions {
    dice: Dice,
    lines: Lines,
    sentinel: &'static str,
    /// What the loops of the construct may be.
    loops: &'static [&'static str],
    statements: Statements,
    /// Sequential loops around.
    around: usize,
}

impl Grammar for Reductions {
    fn dice(&mut self) -> &mut Dice {
        &mut self.dice
    }

    fn lines(&mut self) -> &mut Lines {
        &mut self.lines
    }
}

/// Directives of constructs, and of the loops in them.
type Constructs = [(&'static str, &'static [&'static str], Statements)];
type Statements = &'static Rules<Reductions, ()>;

const OPENACC: &Constructs = &[
    (
        "parallel num_gangs(1)",
        &["loop", "loop gang vector", "loop vector", "loop worker vector", "loop seq"],
        ONE_GANG,
    ),
    (
        "parallel num_gangs(1) num_workers(4)",
        &["loop worker", "loop vector", "loop gang worker vector"],
        ONE_GANG,
    ),
    ("parallel", &["loop", "loop gang vector"], GANGS),
    ("parallel", &["loop gang"], GANGS),
    ("parallel num_gangs(4)", &["loop gang vector"], GANGS),
    ("serial", &["loop", "loop seq"], ONE_GANG),
    ("kernels", &["loop", "loop independent"], ONE_GANG),
    ("kernels num_gangs(3)", &["loop independent", "loop gang vector"], ONE_GANG),
];

const OPENMP: &Constructs = &[
    ("target", &["parallel for", "simd", "loop bind(thread)"], ONE_GANG),
    ("target teams num_teams(1)", &["distribute parallel for", "distribute parallel for simd"], ONE_GANG),
    ("target teams num_teams(1)", &["parallel for"], ONE_GANG),
    ("target parallel num_threads(1)", &["for"], GANGS),
];

pub fn openacc(seed: u64) -> String {
    program(seed, "acc", OPENACC)
}

pub fn openmp(seed: u64) -> String {
    program(seed, "omp", OPENMP)
}

fn program(seed: u64, sentinel: &'static str, constructs: &Constructs) -> String {
    let mut g = Reductions {
        dice: Dice::new(seed),
        lines: Lines::default(),
        sentinel,
        loops: &[],
        statements: ONE_GANG,
        around: 0,
    };
    g.line("#include <math.h>\n#include <stdio.h>\n");
    for k in 0..FUNCTIONS {
        let (construct, loops, statements) = g.pick(constructs);
        (g.loops, g.statements) = (loops, statements);
        g.block(format!("static void f{k}(int n, const double *restrict a, double *restrict res)"), |g| {
            VARIABLES.iter().for_each(|text| g.line(text));
            // The construct may have variables of its own, with the same names.
            let own = g.chance(30);
            let shared = if own { "" } else { ", s, c, x" };
            let data = match sentinel {
                "acc" => format!("copyin(a[0:4096]) copy(res[0:8]{shared})"),
                _ => format!("map(to: a[0:4096]) map(tofrom: res[0:8]{shared})"),
            };
            g.line(format!("#pragma {sentinel} {construct} {data}"));
            g.block("", |g| {
                VARIABLES.iter().filter(|_| own).for_each(|text| g.line(text));
                (0..g.between(2, 5)).for_each(|_| g.make(statements, 2));
            });
            g.line("res[8] = s, res[9] = c, res[10] = x;");
        });
    }
    g.line(main_with_results(FUNCTIONS, 11));
    g.lines.take()
}

const VARIABLES: &[&str] = &["double s = 1.5;", "long c = 2;", "float x = -50;"];

const ONE_GANG: Statements = &[
    (8, Reductions::reducing_loop),
    (4, |g, _| {
        let text = g.pick(&[
            "s = a[n];",
            "s = 0.5 * s;",
            "s += 7;",
            "s = c;",
            "c = (long)a[3];",
            "c += 3;",
            "c = -c;",
            "x = a[n - 1];",
            "x = fminf(x, 5);",
            "x = x - 1;",
        ]);
        g.line(text);
    }),
    (4, |g, _| {
        let how = g.pick(&["=", "+="]);
        g.result(how);
    }),
    (3, Reductions::branch),
    (3, Reductions::turns),
];

const GANGS: Statements =
    &[(5, Reductions::reducing_loop), (3, |g, _| g.result("=")), (1, Reductions::turns)];

/// What a loop's iteration does, with the clause for it.
const UPDATES: &[(&str, &str)] = &[
    ("+:s", "s += a[i & 4095];"),
    ("+:s", "s = s + 0.5 * i;"),
    ("+:s", "if (a[i & 4095] > 0) s += 1;"),
    ("+:s", "s -= a[(i * 7) & 4095];"),
    ("max:s", "s = fmax(s, a[i & 4095]);"),
    ("min:s", "if (a[i & 4095] < s) s = a[i & 4095];"),
    ("+:c", "c += i;"),
    ("+:c", "c++;"),
    ("^:c", "c ^= 3 * i;"),
    ("max:x", "x = fmaxf(x, a[(i + 3) & 4095]);"),
    ("min:x", "x = fminf(x, i * 0.25f);"),
    ("+:x", "for (int k = 0; k < 3; k++) x += k;"),
];

const HEADS: &[&str] = &[
    "for (int i = 0; i < n; i++)",
    "for (int i = 3; i < n; i += 2)",
    "for (int i = n - 1; i >= 0; i--)",
    "for (int i = 0; i < 1000; i++)",
    "for (long i = 0; i < n; i++)",
    "for (int i = n; i < n; i++)",
    "for (int i = 0; i < 1; i++)",
];

impl Reductions {
    fn result(&mut self, how: &str) {
        let (to, value) = (self.between(0, 7), self.pick(&["s", "c", "x", "s + c", "x * 2"]));
        self.line(format!("res[{to}] {how} {value};"));
    }

    fn some(&mut self, depth: usize) {
        let statements = self.statements;
        (0..self.between(1, 3)).for_each(|_| self.make(statements, depth));
    }

    fn branch(&mut self, depth: usize) {
        let Some(depth) = depth.checked_sub(1) else { return self.reducing_loop(0) };
        let condition = self.pick(&["n > 30", "n < 30", "s > 10", "c & 1", "x < 0", "a[5] < a[6]"]);
        self.block(format!("if ({condition})"), |g| g.some(depth));
        if self.chance(40) {
            self.block("else", |g| g.some(depth));
        }
    }

    fn turns(&mut self, depth: usize) {
        let Some(depth) = depth.checked_sub(1) else { return self.reducing_loop(0) };
        let (t, turns) = (["t", "u"][self.around], self.pick(&["3", "2", "n % 3", "0"]));
        self.around += 1;
        self.block(format!("for (int {t} = 0; {t} < {turns}; {t}++)"), |g| g.some(depth));
        self.around -= 1;
    }

    fn reducing_loop(&mut self, _: usize) {
        let first = self.pick(UPDATES);
        let others: Vec<_> =
            UPDATES.iter().filter(|(clause, _)| !first.0.ends_with(&clause[clause.len() - 1..])).collect();
        let mut updates = vec![first];
        if self.chance(40) {
            updates.push(*self.pick(&others));
        }
        let clauses: String = updates.iter().map(|(clause, _)| format!(" reduction({clause})")).collect();
        let (directive, head) = (self.pick(self.loops), self.pick(HEADS));
        self.line(format!("#pragma {} {directive}{clauses}", self.sentinel));
        self.block(head, |g| updates.iter().for_each(|(_, text)| g.line(text)));
    }
}
