//! Loops of `kernels`: the compiler finds out which of them are parallel.
//!
//! A function has one or two loops, or nests of two, in one construct. Most write one array through one subscript, so
//! that many are parallel; the others write where they like. Scalars are kept, added to, counted, compared.
//!
//! In programs of the kind `overlaps` the arrays are parts of one, without `restrict`, and each function is called with parts
//! that are apart, that are the same, and that overlap.
//!
//! Defined in C, since
//! - loop variables lie in [8, 112), and subscripts are made of them such that they lie in [0, 2600);
//! - arrays that are called `restrict` do not overlap;
//! - what becomes an integer is brought into the range of `int` before (`WHOLE`; NaN, too);
//! - integers are small, and sums of them short.

use super::grammar::{Dice, Grammar, Lines, Rules, names};

pub const FUNCTIONS: usize = 6;

const HEAD: &str = "\
#include <math.h>
#include <stdio.h>
#define WHOLE(x) ((int)fmin(fmax(x, -1e6), 1e6))
enum { SIZE = 2600 };
";

const PARAMETERS: &str = "double *restrict A, double *restrict B, float *restrict F, int *restrict I, const int *restrict IX, \
int n, int k1, int m0, double x0, double *out";

/// All of one type, so that they may be parts of one array.
const OVERLAPPING: &str =
    "double *A, double *B, double *F, int *I, const int *IX, int n, int k1, int m0, double x0, double *out";

struct Loops {
    overlapping: bool,
    dice: Dice,
    lines: Lines,
    /// The variables of the loops around, outermost first.
    around: Vec<String>,
    /// The only array that the loop writes; none: any.
    written: Option<&'static str>,
    /// Where it is written, and the variables in that.
    place: Option<(String, Vec<String>)>,
    /// How many names were made.
    made: usize,
}

impl Grammar for Loops {
    fn dice(&mut self) -> &mut Dice {
        &mut self.dice
    }

    fn lines(&mut self) -> &mut Lines {
        &mut self.lines
    }
}

pub fn program(seed: u64) -> String {
    made(seed, false)
}

pub fn overlapping(seed: u64) -> String {
    made(seed, true)
}

fn made(seed: u64, overlapping: bool) -> String {
    let mut g = Loops {
        overlapping,
        dice: Dice::new(seed),
        lines: Lines::default(),
        around: vec![],
        written: None,
        place: None,
        made: 0,
    };
    g.line(HEAD);
    let parameters = if overlapping { OVERLAPPING } else { PARAMETERS };
    for k in 0..FUNCTIONS {
        g.block(format!("static void f{k}({parameters})"), Loops::function);
    }
    g.main();
    g.lines.take()
}

const HEADERS: &Rules<Loops> = &[
    (55, |_, _| "for (int V = 8; V < n; V++)".to_owned()),
    (10, |_, _| "for (int V = n - 1; V >= 8; V--)".to_owned()),
    (10, |g, _| format!("for (int V = 8; V <= {}; V += 2)", g.between(60, 111))),
    (7, |_, _| "for (long V = 8; V < n; V++)".to_owned()),
    (6, |_, _| "for (unsigned V = 8; V < (unsigned)n; V += 3)".to_owned()),
    (6, |_, _| "for (int V = 8; V != n; ++V)".to_owned()),
    (6, |_, _| "for (V = 8; V < n; V++)".to_owned()),
];

/// Of one of the variables around, V.
const SUBSCRIPTS: &Rules<Loops> = &[
    (2, |_, _| "V".to_owned()),
    (1, |g, _| format!("V + {}", g.between(0, 8))),
    (1, |g, _| format!("V - {}", g.between(0, 8))),
    (1, |_, _| "2 * V".to_owned()),
    (1, |_, _| "2 * V + 1".to_owned()),
    (1, |_, _| "239 - V".to_owned()),
    (1, |_, _| "n - V".to_owned()),
    (1, |_, _| "IX[V]".to_owned()),
    (1, |g, _| format!("(V + {}) % 240", g.between(0, 8))),
    (1, |g, _| g.between(0, 239).to_string()),
    (1, |_, _| "V + k1".to_owned()),
    (1, |_, _| "V + m0".to_owned()),
    (1, |_, _| "V / 2".to_owned()),
    (1, |_, _| "V ^ 1".to_owned()),
];

/// A subscript of the two outermost variables; not all of them are different for every pair.
const PLANES: &[&str] = &["i + j", "(i - 8) * 2 + j % 2", "i * 2 - j / 16"];
const WRITTEN_PLANES: &[&str] = &["i * 20 + j", "j * 2 + i", "i + j * 12", "j", "i", "20 * i - j"];

const EXPRESSIONS: &Rules<Loops> = &[
    (35, |g, d| format!("({} + {})", g.expression(d), g.expression(d))),
    (20, |g, d| format!("({} - {})", g.expression(d), g.expression(d))),
    (15, |g, d| format!("0.25 * {}", g.expression(d))),
    (10, |g, d| format!("fmin({}, {})", g.expression(d), g.expression(d))),
    (10, |g, d| {
        let (a, b) = (g.expression(d), g.expression(d));
        format!("({a} > {b} ? {a} : {b})")
    }),
    (10, |g, d| format!("(double)WHOLE({})", g.expression(d))),
];

/// Leaves where anything may be written.
const READS: &Rules<Loops> = &[
    (55, |g, _| format!("{}[{}]", g.pick(&["A", "B", "F"]), g.subscript())),
    (10, |g, _| format!("I[{}]", g.subscript())),
    (10, |g, _| g.pick(&["t", "x0"]).to_owned()),
    (10, |g, _| g.variable()),
    (15, |g, _| g.number()),
];

/// Leaves where one array is written.
const READS_BESIDE: &Rules<Loops> = &[
    (15, |g, _| g.old()),
    (60, |g, _| format!("{}[{}]", g.other(), g.subscript())),
    (10, |g, _| g.pick(&["x0", "2.5"]).to_owned()),
    (5, |g, _| g.variable()),
    (10, |g, _| g.number()),
];

/// Statements that may write any array.
const STATEMENTS: &Rules<Loops, ()> = &[
    (38, |g, _| {
        let text = format!("{}[{}] = {};", g.pick(&["A", "B", "F"]), g.subscript(), g.expression(2));
        g.line(text);
    }),
    (12, |g, _| {
        let text =
            format!("{}[{}] += 0.5 * ({}) - 1;", g.pick(&["A", "B", "F"]), g.subscript(), g.expression(1));
        g.line(text);
    }),
    (10, |g, _| {
        let text = format!("I[{}] = WHOLE({}) & 255;", g.subscript(), g.expression(2));
        g.line(text);
    }),
    (10, Loops::branch),
    (8, |g, _| g.scalar("t = E;")),
    (6, |g, _| g.scalar("sum += E;")),
    (4, |g, _| g.line("cnt++;")),
    (4, |g, _| g.scalar("if (E > big) big = E;")),
    (8, Loops::inner_loop),
];

/// Statements that write one array.
const STATEMENTS_OF_ONE: &Rules<Loops, ()> = &[
    (60, |g, _| {
        let text = format!("{} {} {};", g.target(), g.pick(&["=", "=", "+="]), g.expression(2));
        g.line(text);
    }),
    (10, |g, _| {
        g.made += 1;
        let (u, value) = (format!("u{}", g.made), g.expression(2));
        g.line(format!("double {u} = {value};"));
        let target = g.target();
        g.line(format!("if ({u} > 3) {target} = {u};"));
    }),
    (10, |g, _| g.scalar("sum += E;")),
    (5, |g, _| g.scalar("if (E > 4) cnt++;")),
    (5, |g, _| g.scalar("big = fmax(big, E);")),
    (2, |g, _| g.scalar("if (E > big) big = E;")),
    (8, Loops::inner_loop),
];

impl Loops {
    fn function(&mut self) {
        self.line("double t = 1.5, sum = 0.25, big = -1000;");
        self.line("long cnt = 0;");
        self.line("int i = 0, j = 0;");
        let clause = if self.overlapping { "present" } else { "copy" };
        self.line(format!(
            "#pragma acc kernels {clause}(A[0:SIZE], B[0:SIZE], F[0:SIZE]) copy(I[0:SIZE]) copyin(IX[0:SIZE])"
        ));
        let (one, nest, loops) = (self.chance(85), self.chance(45), self.pick(&[1, 1, 2]));
        self.block("", |g| {
            for _ in 0..loops {
                g.written = if one { Some(g.pick(&["A", "B", "F"])) } else { None };
                g.place = None;
                g.a_loop("i", if nest { Loops::nest } else { Loops::straight });
            }
        });
        self.line("out[0] = t; out[1] = sum; out[2] = big; out[3] = cnt; out[4] = i; out[5] = j;");
    }

    fn a_loop(&mut self, variable: &str, body: impl FnOnce(&mut Loops)) {
        let head = self.make(HEADERS, 0).replace('V', variable);
        self.around_loop(head, variable, body);
    }

    fn around_loop(&mut self, head: String, variable: &str, body: impl FnOnce(&mut Loops)) {
        self.around.push(variable.to_owned());
        self.block(head, body);
        self.around.pop();
    }

    fn straight(&mut self) {
        if self.chance(if self.written.is_some() { 10 } else { 40 }) {
            self.scalar("t = E;");
        }
        for _ in 0..self.between(1, 3) {
            self.statement(1);
        }
    }

    fn nest(&mut self) {
        if self.chance(33) {
            self.statement(0);
        }
        self.a_loop("j", |g| {
            for _ in 0..g.between(1, 2) {
                g.statement(1);
            }
        });
        if self.chance(33) {
            self.statement(0);
        }
    }

    fn statement(&mut self, depth: usize) {
        if self.place.as_ref().is_some_and(|(_, used)| used.iter().any(|v| !self.around.contains(v))) {
            self.place = None;
        }
        // Where one array is written, some statements write others nevertheless.
        if self.written.is_some() && self.chance(98) {
            self.make(STATEMENTS_OF_ONE, depth);
        } else {
            self.make(STATEMENTS, depth);
        }
    }

    /// A statement with expressions for its E.
    fn scalar(&mut self, statement: &str) {
        let mut parts = statement.split('E');
        let mut text = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            text += &self.expression(1);
            text += part;
        }
        self.line(text);
    }

    fn branch(&mut self, depth: usize) {
        let inside = depth.saturating_sub(1);
        let head = format!("if ({} > {})", self.expression(1), self.expression(1));
        self.block(head, |g| g.statement(inside));
        if self.chance(40) {
            self.block("else", |g| g.statement(inside));
        }
    }

    fn inner_loop(&mut self, depth: usize) {
        if depth == 0 {
            return self.scalar("sum += E;");
        }
        self.made += 1;
        let q = format!("q{}", self.made);
        let head = format!("for (int {q} = 8; {q} < {}; {q}++)", self.between(8, 20));
        self.around_loop(head, &q, |g| g.statement(depth - 1));
    }

    fn expression(&mut self, depth: usize) -> String {
        if depth > 0 && self.chance(75) {
            self.make(EXPRESSIONS, depth - 1)
        } else if self.written.is_some() {
            self.make(READS_BESIDE, 0)
        } else {
            self.make(READS, 0)
        }
    }

    fn variable(&mut self) -> String {
        let around = self.around.clone();
        self.pick(&around)
    }

    fn number(&mut self) -> String {
        self.pick(&["0.5", "2", "1.25f", "3", "k1", "x0"]).to_owned()
    }

    fn subscript(&mut self) -> String {
        if self.around.len() > 1 && self.chance(15) {
            return self.of_two(PLANES);
        }
        let variable = self.variable();
        self.make(SUBSCRIPTS, 0).replace('V', &variable)
    }

    fn of_two(&mut self, planes: &[&'static str]) -> String {
        let plane = self.pick(planes);
        let inner = self.around[1].clone();
        plane.replace('j', &inner)
    }

    /// An array that is not written.
    fn other(&mut self) -> &'static str {
        let others: Vec<&str> = ["A", "B", "F"].into_iter().filter(|a| Some(*a) != self.written).collect();
        self.pick(&others)
    }

    /// What the written array held: mostly where it is written.
    fn old(&mut self) -> String {
        match (self.written, self.place.clone()) {
            (Some(array), Some((place, _))) if self.chance(80) => format!("{array}[{place}]"),
            (Some(array), _) if self.chance(20) => format!("{array}[{}]", self.subscript()),
            _ => format!("{}[{}]", self.other(), self.subscript()),
        }
    }

    /// The element that the loop writes.
    fn target(&mut self) -> String {
        if self.place.is_none() {
            let two = self.around.len() > 1 && self.chance(80);
            let place = if two { self.of_two(WRITTEN_PLANES) } else { self.subscript() };
            let used = self.around.iter().filter(|v| place.contains(v.as_str())).cloned().collect();
            self.place = Some((place, used));
        }
        let place = self.place.as_ref().map_or("0", |(place, _)| place);
        format!("{}[{place}]", self.written.unwrap_or("A"))
    }

    fn main(&mut self) {
        let index = self.pick(&["(i * 7 + 3) % SIZE", "(i * 7 + 3) % 240", "i", "i / 3"]);
        let main = if self.overlapping { MAIN_OVERLAPPING } else { MAIN };
        let main = main.replace("INDEX", index).replace("NAMES", &names(FUNCTIONS));
        self.line(main);
    }
}

const MAIN: &str = r#"
static double A[SIZE], B[SIZE];
static float F[SIZE];
static int I[SIZE], IX[SIZE];

int main(void)
{
    void (*f[])(double *, double *, float *, int *, const int *, int, int, int, double, double *) = {NAMES};
    for (unsigned k = 0; k < sizeof f / sizeof *f; k++) {
        double out[6];
        for (int i = 0; i < SIZE; i++) {
            A[i] = (i * 7 % 31) * 0.5;
            B[i] = (i * 11 % 29) - 10;
            F[i] = (i * 5 % 23) * 0.25f;
            I[i] = i * 13 % 37;
            IX[i] = INDEX;
        }
        f[k](A, B, F, I, IX, 112, 3, 0, 1.75, out);
        for (int i = 0; i < SIZE; i++)
            printf("f%u %d %.9g %.9g %.9g %d\n", k, i, A[i], B[i], F[i], I[i]);
        printf("f%u out %.9g %.9g %.9g %.9g %.9g %.9g\n", k, out[0], out[1], out[2], out[3], out[4], out[5]);
    }
}"#;

const MAIN_OVERLAPPING: &str = r#"
static double P[3 * SIZE];
static int I[SIZE], IX[SIZE];

int main(void)
{
    void (*f[])(double *, double *, double *, int *, const int *, int, int, int, double, double *) = {NAMES};
    /* Where A, B and F begin. */
    const int parts[][3] = {{0, SIZE, 2 * SIZE}, {0, 0, SIZE}, {0, 1, SIZE + 1}, {3, SIZE + 3, 0}, {SIZE, 2 * SIZE, 0},
                            {0, 0, 0}};
    for (unsigned k = 0; k < sizeof f / sizeof *f; k++)
        for (unsigned c = 0; c < sizeof parts / sizeof *parts; c++) {
            double out[6];
            for (int i = 0; i < 3 * SIZE; i++)
                P[i] = (i * 7 % 31) * 0.5 - i * 11 % 29;
            for (int i = 0; i < SIZE; i++) {
                I[i] = i * 13 % 37;
                IX[i] = INDEX;
            }
#pragma acc data copy(P)
            f[k](P + parts[c][0], P + parts[c][1], P + parts[c][2], I, IX, 112, 3, 0, 1.75, out);
            for (int i = 0; i < 3 * SIZE; i += 4)
                printf("f%u %u %d %.9g %.9g %.9g %.9g\n", k, c, i, P[i], P[i + 1], P[i + 2], P[i + 3]);
            for (int i = 0; i < SIZE; i++)
                printf("f%u %u I %d\n", k, c, I[i]);
            printf("f%u %u out %.9g %.9g %.9g %.9g %.9g %.9g\n", k, c, out[0], out[1], out[2], out[3], out[4], out[5]);
        }
}"#;
