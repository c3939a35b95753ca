//! Structures and arrays declared at every level of a nest and carried from iteration to iteration; recurrences of arrays at
//! every level, in `kernels`, in `loop auto`, and within the iterations of a parallel loop.
//!
//! A function is a nest of up to three loops. Its locals, aggregates most of them, are read and written at their own level and
//! at all levels within, so that an inner loop may be parallel only where it does not carry them.
//!
//! Defined in C, since
//! - loop variables lie in [2, 14), and what is added to them in [-2, 2): a place of the cube is in [0, 4096);
//! - every local has a value from its declaration on;
//! - values shrink: what is stored is a quarter of two values, or half of itself and a quarter of another, or grows by inputs alone.
//!
//! Where the outer loop is said to be independent, places have its own index, so its iterations are.

use super::grammar::{Dice, Grammar, Lines, Rules, names};

const FUNCTIONS: usize = 6;

const PARAMETERS: &str =
    "int n, int m, const double *restrict a, double *restrict o, double *restrict p, double *restrict res";

struct Carried {
    dice: Dice,
    lines: Lines,
    /// The variables of the loops around, outermost first.
    around: Vec<&'static str>,
    locals: Vec<(String, Shape)>,
    /// Iterations of the outer loop have nothing to do with each other.
    independent: bool,
    /// How many loops the function may still have.
    loops: usize,
    made: usize,
}

#[derive(Clone, Copy, PartialEq)]
enum Shape {
    Number,
    /// `struct P`
    Pair,
    /// `struct Q`: an array, a `struct P`.
    Mixed,
    Array,
    Pairs,
}

impl Grammar for Carried {
    fn dice(&mut self) -> &mut Dice {
        &mut self.dice
    }

    fn lines(&mut self) -> &mut Lines {
        &mut self.lines
    }
}

pub fn program(seed: u64) -> String {
    let mut g = Carried {
        dice: Dice::new(seed),
        lines: Lines::default(),
        around: vec![],
        locals: vec![],
        independent: false,
        loops: 0,
        made: 0,
    };
    g.line(HEAD);
    for k in 0..FUNCTIONS {
        g.block(format!("static void f{k}({PARAMETERS})"), Carried::function);
    }
    g.line(MAIN.replace("NAMES", &names(FUNCTIONS)));
    g.lines.take()
}

/// The construct, and whether its outer loop is said to be independent.
const CONSTRUCTS: &[(&str, bool)] = &[
    ("kernels", false),
    ("kernels", false),
    ("kernels", false),
    ("kernels loop", false),
    ("parallel loop auto", false),
    ("kernels loop independent", true),
    ("parallel loop", true),
    ("parallel loop gang", true),
    ("parallel loop gang vector vector_length(32)", true),
    ("serial loop", false),
];

const HEADERS: &Rules<Carried> = &[
    (50, |_, _| "for (int V = 2; V < n; V++)".to_owned()),
    (15, |_, _| "for (int V = 2; V < m; V++)".to_owned()),
    (10, |_, _| "for (int V = n - 1; V >= 2; V--)".to_owned()),
    (10, |_, _| "for (int V = 2; V < 14; V += 2)".to_owned()),
    (10, |_, _| "for (long V = 3; V <= 12; V++)".to_owned()),
    (5, |_, _| "for (short V = 4; V < 5; V++)".to_owned()),
];

const DECLARATIONS: &Rules<Carried, ()> = &[
    (2, |g, _| {
        let (first, d) = (g.value(), g.declare('d', Shape::Number));
        g.line(format!("double {d} = {first};"));
    }),
    (4, |g, _| {
        let (x, y, s) = (g.value(), g.value(), g.declare('s', Shape::Pair));
        if g.chance(50) {
            return g.line(format!("struct P {s} = {{{x}, {y}}};"));
        }
        g.line(format!("struct P {s};"));
        g.line(format!("{s}.x = {x};"));
        g.line(format!("{s}.y = {y};"));
    }),
    (3, |g, _| {
        let (x, y, q) = (g.value(), g.value(), g.declare('q', Shape::Mixed));
        g.line(format!("struct Q {q} = {{{{{x}, 0.5, {y}}}, {{1, {x}}}, 2}};"));
    }),
    (4, |g, _| {
        let (x, t) = (g.value(), g.declare('t', Shape::Array));
        if g.chance(60) {
            return g.line(format!("double {t}[3] = {{{x}}};"));
        }
        g.line(format!("double {t}[3];"));
        g.line(format!("{t}[0] = {t}[1] = 0.25;"));
        g.line(format!("{t}[2] = {x};"));
    }),
    (2, |g, _| {
        let (x, y, v) = (g.value(), g.value(), g.declare('v', Shape::Pairs));
        g.line(format!("struct P {v}[2] = {{{{{x}, {y}}}, {{0.5, -1}}}};"));
    }),
];

const STATEMENTS: &Rules<Carried, ()> = &[
    (30, |g, _| {
        let (place, value) = (g.place(), g.value());
        g.line(format!("{place} = 0.5 * {place} + 0.25 * {value};"));
    }),
    (15, |g, _| {
        let (place, value) = (g.place(), g.pair_of_values());
        g.line(format!("{place} = {value};"));
    }),
    (15, |g, _| {
        let (place, value) = (g.place(), g.input());
        g.line(format!("{place} += 0.125 * {value};"));
    }),
    (25, |g, _| {
        let (array, cell, value) = (g.pick(&["o", "p"]), g.cell(true), g.pair_of_values());
        g.line(format!("{array}[{cell}] = {value};"));
    }),
    (12, |g, _| {
        let (array, to, from) = (g.pick(&["o", "p"]), g.cell(true), g.cell(false));
        let value = g.value();
        g.line(format!("{array}[{to}] = 0.5 * {array}[{from}] + 0.25 * {value};"));
    }),
    (8, Carried::copy),
    (6, |g, _| {
        let (a, b) = (g.value(), g.value());
        g.block(format!("if ({a} > {b})"), |g| {
            let locals = g.locals.len();
            g.make(STATEMENTS, 0);
            g.locals.truncate(locals);
        });
    }),
    (4, |g, _| {
        let (place, value) = (g.place(), g.value());
        g.line(format!("if ({place} < {value}) {place} = {value};"));
    }),
];

impl Carried {
    fn function(&mut self) {
        self.locals.clear();
        self.loops = self.between(1, 5);
        let (construct, independent) = self.pick(CONSTRUCTS);
        self.independent = independent;
        let outside = !construct.starts_with("kernels loop") && self.chance(35);
        let mut clauses = String::new();
        if outside {
            clauses = self.outside(construct);
        }
        self.line(format!("#pragma acc {construct} copyin(a[0:4096]) copy(o[0:4096], p[0:4096]){clauses}"));
        if construct == "kernels" {
            let loops = self.between(1, 2);
            self.block("", |g| (0..loops).for_each(|_| g.nest(&[])));
        } else {
            let first: &[&str] = if clauses.contains("private") {
                &["g.x = 0.5;", "g.y = h[0] = h[1] = h[2] = i;"]
            } else {
                &[]
            };
            self.nest(first);
        }
        if outside && !independent {
            self.line("res[0] = g.x, res[1] = g.y, res[2] = h[0], res[3] = h[1], res[4] = h[2];");
        }
    }

    /// Aggregates of the function itself; the clauses that they need.
    fn outside(&mut self, construct: &str) -> String {
        self.line("struct P g = {1, 2};");
        self.line("double h[3] = {0.5, 0.25, -1};");
        self.locals = vec![("g".to_owned(), Shape::Pair), ("h".to_owned(), Shape::Array)];
        if self.independent {
            return " private(g, h)".to_owned();
        }
        let clause =
            if construct == "kernels" { self.pick(&[" copy(g, h)", " copy(g)", ""]) } else { " copy(g, h)" };
        clause.to_owned()
    }

    fn nest(&mut self, first: &[&str]) {
        self.a_loop(|g| {
            first.iter().for_each(|line| g.line(line));
            g.level();
        });
    }

    fn a_loop(&mut self, inside: impl FnOnce(&mut Carried)) {
        let variable = ["i", "j", "k"][self.around.len()];
        let head = self.make(HEADERS, 0).replace('V', variable);
        let locals = self.locals.len();
        self.around.push(variable);
        self.block(head, inside);
        self.around.pop();
        self.locals.truncate(locals);
    }

    /// What one iteration does.
    fn level(&mut self) {
        for _ in 0..self.between(0, 2) {
            self.make(DECLARATIONS, 0);
        }
        for _ in 0..self.between(1, 3) {
            if self.around.len() < 3 && self.loops > 0 && self.chance(60) {
                self.loops -= 1;
                if self.chance(15) {
                    let directive = self.pick(&["auto", "seq"]);
                    self.line(format!("#pragma acc loop {directive}"));
                }
                self.a_loop(Carried::level);
            }
            self.make(STATEMENTS, 0);
        }
        let (cell, value) = (self.cell(true), self.pair_of_values());
        if self.chance(60) {
            self.line(format!("o[{cell}] = {value};"));
        }
    }

    fn declare(&mut self, prefix: char, shape: Shape) -> String {
        self.made += 1;
        let name = format!("{prefix}{}", self.made);
        self.locals.push((name.clone(), shape));
        name
    }

    /// A whole pair assigned.
    fn copy(&mut self, depth: usize) {
        let pairs: Vec<_> =
            self.locals.iter().filter(|(_, s)| !matches!(s, Shape::Number | Shape::Array)).cloned().collect();
        if pairs.len() < 2 {
            return self.make(DECLARATIONS, depth);
        }
        let (to, from) = (self.pick(&pairs), self.pick(&pairs));
        let (to, from) = (self.pair(&to), self.pair(&from));
        self.line(format!("{to} = {from};"));
    }

    fn pair(&mut self, (name, shape): &(String, Shape)) -> String {
        match shape {
            Shape::Mixed => format!("{name}.p"),
            Shape::Pairs => format!("{name}[{}]", self.index(2)),
            Shape::Number | Shape::Array | Shape::Pair => name.clone(),
        }
    }

    /// Of a small array.
    fn index(&mut self, size: usize) -> String {
        let variable = self.around.last().copied().unwrap_or("1");
        match self.between(0, 2) {
            0 => format!("{variable} % {size}"),
            _ => self.between(0, size - 1).to_string(),
        }
    }

    /// A number in a local.
    fn place(&mut self) -> String {
        let locals = self.locals.clone();
        if locals.is_empty() {
            let (array, cell) = (self.pick(&["o", "p"]), self.cell(true));
            return format!("{array}[{cell}]");
        }
        let local = self.pick(&locals);
        match local.1 {
            Shape::Number => local.0,
            Shape::Array => format!("{}[{}]", local.0, self.index(3)),
            Shape::Mixed if self.chance(60) => format!("{}.v[{}]", local.0, self.index(3)),
            Shape::Pair | Shape::Pairs | Shape::Mixed => {
                let pair = self.pair(&local);
                format!("{pair}.{}", self.pick(&["x", "y"]))
            }
        }
    }

    fn value(&mut self) -> String {
        match self.between(0, 9) {
            0..4 => self.input(),
            4..7 => self.place(),
            7..9 => {
                let cell = self.cell(false);
                format!("{}[{cell}]", self.pick(&["o", "p"]))
            }
            _ => self.pick(&["0.5", "-1.0", "2.0f"]).to_owned(),
        }
    }

    fn pair_of_values(&mut self) -> String {
        let (a, b) = (self.value(), self.value());
        format!("0.25 * {a} {} 0.25 * {b}", self.pick(&["+", "-"]))
    }

    fn input(&mut self) -> String {
        let cell = self.cell(false);
        format!("a[{cell}]")
    }

    /// A place of the cube: that of this iteration, mostly, where it is to be written.
    fn cell(&mut self, own: bool) -> String {
        let around = self.around.clone();
        let moved = if own { 12 } else { 40 };
        let mut terms = vec![];
        for (level, stride) in [256, 16, 1].into_iter().enumerate() {
            let free = level > 0 || !self.independent;
            let term = match around.get(level) {
                Some(variable) if free && self.chance(moved) => {
                    format!("({variable} {})", self.pick(&["- 1", "+ 1", "- 2"]))
                }
                Some(variable) => (*variable).to_owned(),
                None => self.between(0, 15).to_string(),
            };
            terms.push(if stride == 1 { term } else { format!("{term} * {stride}") });
        }
        terms.join(" + ")
    }
}

const HEAD: &str = "\
#include <stdio.h>
struct P {
    double x, y;
};
struct Q {
    double v[3];
    struct P p;
    int c;
};
";

const MAIN: &str = r#"
static double a[4096], o[4096], p[4096];

int main(void)
{
    void (*f[])(int, int, const double *, double *, double *, double *) = {NAMES};
    for (int i = 0; i < 4096; i++)
        a[i] = (i * 7 % 31) * 0.125 - 2;
    for (unsigned k = 0; k < sizeof f / sizeof *f; k++) {
        double res[5] = {0};
        for (int i = 0; i < 4096; i++)
            o[i] = (i % 17) * 0.25, p[i] = (i % 13) * -0.5;
        f[k](14, 9, a, o, p, res);
        for (int i = 0; i < 4096; i++)
            printf("f%u %d %.9g %.9g\n", k, i, o[i], p[i]);
        printf("f%u res %.9g %.9g %.9g %.9g %.9g\n", k, res[0], res[1], res[2], res[3], res[4]);
    }
    return 0;
}"#;
