//! Pointers formed in regions: private, firstprivate and local ones, into arrays, into structures, into local arrays; moved,
//! chosen by conditions, subtracted, compared, handed to inner loops.
//!
//! A function is one loop. An iteration reads `a` and `b` anywhere and writes 16 elements of `o` and one structure of `s`, its own.
//!
//! Defined in C and parallel, since
//! - a pointer is kept with how many elements lie before and after it, and accessed and moved within these alone;
//! - pointers that are written through are only formed of the iteration's own elements and locals.

use super::grammar::{Dice, Grammar, Lines, Rules, names};

const FUNCTIONS: usize = 6;

/// Elements of `o` that an iteration has.
const ROW: usize = 16;

const PARAMETERS: &str = "int n, const double *restrict a, const double *restrict b, double *restrict o, \
struct S *restrict s, const struct S *restrict t";

struct Pointers {
    dice: Dice,
    lines: Lines,
    pointers: Vec<Pointer>,
    /// Those that may be assigned, with what they point to.
    variables: Vec<(String, To)>,
    /// Where pointers may be moved: not within a branch or loop, after which nobody would know where they point.
    moves: bool,
    made: usize,
}

#[derive(Clone)]
struct Pointer {
    name: String,
    to: To,
    before: usize,
    after: usize,
}

#[derive(Clone, Copy, PartialEq)]
enum To {
    Inputs,
    Outputs,
    /// `struct S *` to be written; `const struct S *`
    Own,
    Others,
    /// `const int *`
    Counts,
}

impl To {
    fn declared(self) -> &'static str {
        match self {
            To::Inputs => "const double *",
            To::Outputs => "double *",
            To::Own => "struct S *",
            To::Others => "const struct S *",
            To::Counts => "const int *",
        }
    }
}

impl Grammar for Pointers {
    fn dice(&mut self) -> &mut Dice {
        &mut self.dice
    }

    fn lines(&mut self) -> &mut Lines {
        &mut self.lines
    }
}

pub fn program(seed: u64) -> String {
    let mut g = Pointers {
        dice: Dice::new(seed),
        lines: Lines::default(),
        pointers: vec![],
        variables: vec![],
        moves: true,
        made: 0,
    };
    g.line(HEAD);
    for k in 0..FUNCTIONS {
        g.block(format!("static void f{k}({PARAMETERS})"), Pointers::function);
    }
    g.line(MAIN.replace("NAMES", &names(FUNCTIONS)));
    g.lines.take()
}

const CONSTRUCTS: &[&str] = &[
    "parallel loop",
    "parallel loop gang",
    "parallel loop gang vector vector_length(64)",
    "kernels loop independent",
    "serial loop",
];

/// What a pointer may be set to: an expression, elements before and after.
type Target = (String, usize, usize);

const TARGETS: &Rules<Pointers, (To, Target)> = &[
    (4, |g, _| {
        let (array, at) = (g.pick(&["a", "b"]), g.between(0, 8));
        (To::Inputs, (format!("&{array}[i * {ROW} + {at}]"), at, ROW - at))
    }),
    (3, |g, _| {
        (To::Inputs, (format!("{} + ((i * {}) & 511)", g.pick(&["a", "b"]), g.between(1, 99)), 0, ROW))
    }),
    (2, |_, _| (To::Inputs, ("i % 3 ? &a[i] : b + 7".to_owned(), 0, ROW))),
    (2, |g, _| (To::Inputs, (format!("{}[(i * 5) & 63].v", g.pick(&["t", "t"])), 0, 4))),
    (1, |_, _| (To::Inputs, ("&t[i & 31].v[2]".to_owned(), 2, 2))),
    (1, |_, _| (To::Inputs, ("&t[i].x".to_owned(), 0, 1))),
    (4, |g, _| {
        let at = g.between(0, 12);
        (
            To::Outputs,
            (
                g.pick(&["o + i * ROW + AT", "&o[i * ROW + AT]", "&o[i * ROW] + AT"])
                    .replace("AT", &at.to_string()),
                at,
                ROW - at,
            ),
        )
    }),
    (3, |g, _| (To::Outputs, (g.pick(&["s[i].v", "&s[i].v[0]", "&*s[i].v", "(s + i)->v"]).to_owned(), 0, 4))),
    (1, |_, _| (To::Outputs, ("i & 1 ? &o[i * ROW] : s[i].v".to_owned(), 0, 4))),
    (3, |g, _| (To::Own, (g.pick(&["&s[i]", "s + i", "&s[n - 1] - (n - 1 - i)"]).to_owned(), 0, 1))),
    (3, |g, _| {
        (
            To::Others,
            (
                g.pick(&["&t[i]", "t + ((i * 3) & 63)", "&t[63 - (i & 31)]", "i > 9 ? t + i : t"]).to_owned(),
                0,
                1,
            ),
        )
    }),
    (2, |g, _| (To::Counts, (g.pick(&["t[i].k", "&t[i & 7].k[0]"]).to_owned(), 0, 3))),
];

const STATEMENTS: &Rules<Pointers, ()> = &[
    (6, Pointers::form),
    (3, Pointers::move_one),
    (8, Pointers::store),
    (3, Pointers::walk),
    (2, |g, _| {
        g.made += 1;
        let (w, x) = (format!("w{}", g.made), g.value());
        g.line(format!("double {w}[4] = {{{x}, 1, 2}};"));
        let at = g.between(0, 3);
        g.declared(To::Outputs, (format!("{w} + {at}"), at, 4 - at));
    }),
    (2, |g, d| {
        let (x, y, moves) = (g.value(), g.value(), g.moves);
        g.moves = false;
        g.block(format!("if ({x} > {y})"), |g| g.store(d));
        g.moves = moves;
    }),
];

impl Pointers {
    fn function(&mut self) {
        self.pointers.clear();
        self.variables.clear();
        let mut clauses = [vec![], vec![]];
        for k in 0..self.between(0, 4) {
            let to = self.pick(&[
                To::Inputs,
                To::Inputs,
                To::Outputs,
                To::Outputs,
                To::Own,
                To::Others,
                To::Counts,
            ]);
            let name = format!("p{k}");
            let first = match to {
                To::Inputs => "a",
                To::Outputs => "o",
                To::Own => "s",
                To::Others => "t",
                To::Counts => "t->k",
            };
            let firstprivate = self.chance(35);
            if firstprivate || self.chance(30) {
                self.line(format!("{}{name} = {first};", to.declared()));
            } else {
                self.line(format!("{}{name};", to.declared()));
            }
            clauses[usize::from(firstprivate)].push(name.clone());
            self.variables.push((name, to));
        }
        let [private, firstprivate] = clauses.map(|names| names.join(", "));
        let mut construct = self.pick(CONSTRUCTS);
        if !firstprivate.is_empty() && construct.starts_with("kernels") {
            construct = "parallel loop";
        }
        let mut text =
            format!("#pragma acc {construct} copyin(a[0:1024], b[0:1024], t[0:64]) copy(o[0:1024], s[0:64])");
        for (word, names) in [("private", private), ("firstprivate", firstprivate)] {
            if !names.is_empty() {
                text += &format!(" {word}({names})");
            }
        }
        self.line(text);
        self.block("for (int i = 0; i < n; i++)", |g| {
            (0..g.between(2, 5)).for_each(|_| g.form(0));
            (0..g.between(3, 7)).for_each(|_| g.make(STATEMENTS, 0));
        });
    }

    /// One of the variables set, or a pointer declared.
    fn form(&mut self, depth: usize) {
        let (to, target) = self.make(TARGETS, depth);
        let variables: Vec<_> =
            self.variables.iter().filter(|(_, t)| *t == to).map(|(name, _)| name.clone()).collect();
        if !self.moves {
            return self.store(depth);
        }
        if variables.is_empty() || self.chance(25) {
            return self.declared(to, target);
        }
        let name = self.pick(&variables);
        let (text, before, after) = target;
        self.line(format!("{name} = {text};"));
        self.pointers.retain(|p| p.name != name);
        self.pointers.push(Pointer { name, to, before, after });
    }

    fn declared(&mut self, to: To, (text, before, after): Target) {
        self.made += 1;
        let name = format!("q{}", self.made);
        self.line(format!("{}{name} = {text};", to.declared()));
        self.pointers.push(Pointer { name, to, before, after });
    }

    fn one(&mut self, to: To) -> Option<Pointer> {
        let those: Vec<Pointer> = self.pointers.iter().filter(|p| p.to == to).cloned().collect();
        if those.is_empty() { None } else { Some(self.pick(&those)) }
    }

    fn move_one(&mut self, depth: usize) {
        let movable: Vec<Pointer> = self.pointers.iter().filter(|p| p.after > 1).cloned().collect();
        if movable.is_empty() || !self.moves {
            return self.store(depth);
        }
        let pointer = self.pick(&movable);
        let by = self.between(1, pointer.after - 1);
        let text = match by {
            1 => self.pick(&["P++;", "++P;", "P += 1;"]).to_owned(),
            _ => format!("P {};", if self.chance(50) { format!("+= {by}") } else { format!("= P + {by}") }),
        };
        self.line(text.replace('P', &pointer.name));
        for p in self.pointers.iter_mut().filter(|p| p.name == pointer.name) {
            (p.before, p.after) = (p.before + by, p.after - by);
        }
    }

    fn store(&mut self, _: usize) {
        let value = self.value();
        let outputs = self.one(To::Outputs);
        let text = match (outputs, self.one(To::Own)) {
            (Some(p), own) if own.is_none() || self.chance(70) => {
                let element = self.element(&p);
                format!("{element} {}", self.pick(&["=", "+=", "= 0.5 *"]))
            }
            (_, Some(p)) => {
                let member = self.pick(&["x", "y", "v[1]", "v[i & 3]"]);
                format!("{}->{member} {}", p.name, self.pick(&["=", "+="]))
            }
            _ => "o[i * ROW + 15] +=".to_owned(),
        };
        self.line(format!("{text} {value};"));
    }

    /// A loop that a pointer goes along.
    fn walk(&mut self, depth: usize) {
        let Some(p) = self.one(To::Inputs) else { return self.store(depth) };
        self.made += 1;
        let (w, x) = (format!("w{}", self.made), format!("x{}", self.made));
        let count = self.between(1, p.after);
        self.line(format!("double {x} = 0;"));
        match self.between(0, 2) {
            0 => self.line(format!(
                "for (const double *{w} = {0}; {w} < {0} + {count}; {w}++) {x} += *{w};",
                p.name
            )),
            1 => {
                self.line(format!("const double *{w} = {};", p.name));
                self.line(format!("for (int k = 0; k < {count}; k++) {x} = 0.5 * {x} + *{w}++;"));
            }
            _ => {
                self.line(format!("const double *{w} = {};", p.name));
                self.line(format!("while ({w} != {} + {count}) {x} += *{w}++;", p.name));
                self.line(format!("{x} += (double)({w} - {});", p.name));
            }
        }
        self.line(format!("o[i * ROW + {}] += {x};", self.made % ROW));
    }

    fn element(&mut self, p: &Pointer) -> String {
        let at = self.between(0, p.before + p.after - 1) as isize - p.before as isize;
        match at {
            0 if self.chance(50) => format!("*{}", p.name),
            1.. if self.chance(30) => format!("*({} + {at})", p.name),
            _ => format!("{}[{at}]", p.name),
        }
    }

    fn value(&mut self) -> String {
        let kind =
            self.pick(&[To::Inputs, To::Inputs, To::Inputs, To::Outputs, To::Own, To::Others, To::Counts]);
        let first = match self.one(kind) {
            None => "a[i]".to_owned(),
            Some(p) => match kind {
                To::Inputs | To::Outputs | To::Counts => self.element(&p),
                To::Own | To::Others => {
                    format!("{}->{}", p.name, self.pick(&["x", "y", "v[2]", "k[1]", "v[i & 3]"]))
                }
            },
        };
        let second = self.pick(&["0.5", "b[i]", "i", "t[i].x", "1"]);
        format!("({first} {} {second})", self.pick(&["+", "-"]))
    }
}

const HEAD: &str = "\
#include <stdio.h>
#define ROW 16
struct S {
    double x, v[4];
    float y;
    int k[3];
};
";

const MAIN: &str = r#"
static double a[1024], b[1024], o[1024];
static struct S s[64], t[64];

int main(void)
{
    void (*f[])(int, const double *, const double *, double *, struct S *, const struct S *) = {NAMES};
    for (int i = 0; i < 1024; i++)
        a[i] = (i * 7 % 31) * 0.125 - 2, b[i] = (i * 11 % 29) * 0.5;
    for (int i = 0; i < 64; i++)
        t[i] = (struct S){i, {i + 1, -i, 0.5 * i, 3}, i * 0.25f, {i, 2 * i, 7}};
    for (unsigned k = 0; k < sizeof f / sizeof *f; k++) {
        for (int i = 0; i < 1024; i++)
            o[i] = i % 17;
        for (int i = 0; i < 64; i++)
            s[i] = (struct S){-i, {i, i, 1, 2}, i, {1, 2, i}};
        f[k](64, a, b, o, s, t);
        for (int i = 0; i < 1024; i++)
            printf("f%u %d %.9g\n", k, i, o[i]);
        for (int i = 0; i < 64; i++)
            printf("f%u s %d %.9g %.9g %.9g %.9g %.9g %.6g\n", k, i, s[i].x, s[i].v[0], s[i].v[1], s[i].v[2], s[i].v[3], s[i].y);
    }
    return 0;
}"#;
