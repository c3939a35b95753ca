//! C within one iteration: arithmetic of all types, conversions, declarations, branches, loops, `switch`, private arrays,
//! structs, compound assignments; and reductions of it.
//!
//! A function is one loop of a compute construct. It reads ten arrays, one of each type, anywhere, and writes ten others at
//! its own iteration.
//!
//! Defined in C (with `-fwrapv`, which also the compiler under test gets), since
//! - divisors are small positive numbers or constants other than 0 and -1;
//! - shifts go by less than eight, to the left of unsigned operands only;
//! - what is converted from floating-point to an integer lies in a range that every integer concerned has;
//! - each iteration writes elements of its own, and every local has a value.

use super::grammar::{Dice, Grammar, Lines, Rules, names};

const FUNCTIONS: usize = 6;

const INTEGERS: &[&str] = &[
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "_Bool",
];

struct Expressions {
    dice: Dice,
    lines: Lines,
    /// Locals and parameters in scope that may be read.
    integers: Vec<String>,
    floats: Vec<String>,
    /// Locals in scope that may be written, with their types.
    locals: Vec<(String, &'static str)>,
    /// How many names were made.
    made: usize,
}

impl Grammar for Expressions {
    fn dice(&mut self) -> &mut Dice {
        &mut self.dice
    }

    fn lines(&mut self) -> &mut Lines {
        &mut self.lines
    }
}

pub fn program(seed: u64) -> String {
    let mut g = Expressions {
        dice: Dice::new(seed),
        lines: Lines::default(),
        integers: vec![],
        floats: vec![],
        locals: vec![],
        made: 0,
    };
    g.line(HEAD);
    for k in 0..FUNCTIONS {
        let head =
            format!("static void f{k}(int x, long y, float f, double g, struct S st, const struct S *sp)");
        g.block(head, Expressions::function);
    }
    g.line(MAIN.replace("NAMES", &names(FUNCTIONS)));
    g.lines.take()
}

const WHOLE_NUMBERS: &[&str] = &[
    "0",
    "1",
    "2",
    "3",
    "7",
    "-1",
    "-5",
    "100",
    "255",
    "256",
    "65535",
    "0x7fffffff",
    "3u",
    "10u",
    "5L",
    "-7L",
    "12UL",
    "'a'",
];
const FRACTIONS: &[&str] = &["0.5", "1.5f", "2.0", "-0.25f", "1e3", "0.1", "0.3f", "3"];
const ELEMENTS: &[&str] = &["i", "(i + 7) % N", "N - 1 - i"];
const INTEGER_ARRAYS: &[&str] = &["sc", "uc", "sh", "us", "in", "un", "lo", "ul"];

const WHOLE_LEAVES: &Rules<Expressions> = &[
    (35, |g, _| g.pick(WHOLE_NUMBERS).to_owned()),
    (25, |g, _| format!("{}[{}]", g.pick(INTEGER_ARRAYS), g.pick(ELEMENTS))),
    (20, |g, _| {
        let names = g.integers.clone();
        g.pick(&names)
    }),
    (7, |g, _| g.pick(&["st.a", "st.v[1]", "sp[i].a", "sp[i].v[i & 1]", "G0", "tab[i & 3]"]).to_owned()),
    (13, |_, _| "i".to_owned()),
];

const WHOLES: &Rules<Expressions> = &[
    (40, |g, d| format!("({} {} {})", g.whole(d), g.pick(&["+", "-", "*"]), g.whole(d))),
    (10, |g, d| format!("({} {} {})", g.whole(d), g.pick(&["&", "|", "^"]), g.whole(d))),
    (3, |g, d| format!("({} {} (({} & 63) | 1))", g.whole(d), g.pick(&["/", "%"]), g.whole(d))),
    (3, |g, d| format!("({} {} {})", g.whole(d), g.pick(&["/", "%"]), g.pick(&["3", "7", "5u", "9L", "-4"]))),
    (6, |g, d| {
        let unsigned = g.pick(&["unsigned", "unsigned long", "unsigned char", "unsigned short"]);
        let (shift, by) = (g.pick(&["<<", ">>"]), g.pick(&["1", "3", "(i & 7)", "2u"]));
        format!("(({unsigned}){} {shift} {by})", g.whole(d))
    }),
    (4, |g, d| format!("({} >> {})", g.whole(d), g.pick(&["1", "2", "(i & 3)"]))),
    (8, |g, d| {
        let compare = g.pick(&["<", ">", "<=", ">=", "==", "!="]);
        format!("({} {compare} {})", g.whole(d), g.whole(d))
    }),
    (6, |g, d| {
        let (a, b) = (g.whole(d), g.whole(d));
        format!("({a} {} {b} ? {a} : {b})", g.pick(&["<", ">"]))
    }),
    (4, |g, d| format!("({} {} {})", g.whole(d), g.pick(&["&&", "||"]), g.whole(d))),
    (4, |g, d| format!("({} {})", g.pick(&["-", "~", "!"]), g.whole(d))),
    (12, |g, d| format!("(({}){})", g.pick(INTEGERS), g.whole(d))),
];

const FLOAT_LEAVES: &Rules<Expressions> = &[
    (30, |g, _| g.pick(FRACTIONS).to_owned()),
    (40, |g, _| format!("{}[{}]", g.pick(&["fl", "db"]), g.pick(ELEMENTS))),
    (15, |g, _| {
        let names = g.floats.clone();
        g.pick(&names)
    }),
    (15, |g, _| g.pick(&["st.b", "sp[i].b", "G1", "in[i]", "i", "uc[i]"]).to_owned()),
];

const FUNCTIONS_OF_ONE: &[&str] =
    &["fabs(A)", "sqrt(fabs(A))", "floor(A)", "fabsf(A)", "sqrtf(fabsf(A))", "ceil(A)", "trunc(A)"];

const FLOATS: &Rules<Expressions> = &[
    (50, |g, d| format!("({} {} {})", g.float(d), g.pick(&["+", "-", "*"]), g.float(d))),
    (8, |g, d| {
        let (a, b) = (g.float(d), g.float(d));
        format!("({a} / ({b} * {b} + 1))")
    }),
    (8, |g, d| g.pick(FUNCTIONS_OF_ONE).replace('A', &g.float(d))),
    (4, |g, d| format!("{}({}, {})", g.pick(&["fmin", "fmax", "copysign"]), g.float(d), g.float(d))),
    (10, |g, d| {
        let (a, b) = (g.float(d), g.float(d));
        format!("({a} {} {b} ? {a} : {b})", g.pick(&["<", ">"]))
    }),
    (8, |g, d| format!("((float){})", g.float(d))),
    (6, |g, d| format!("(double)({})fmin(fmax({}, -1e4), 1e4)", g.pick(&["int", "long"]), g.float(d))),
    (6, |g, _| format!("({} * 0.125)", g.whole(1))),
];

const STATEMENTS: &Rules<Expressions, ()> = &[
    (30, Expressions::declaration),
    (25, |g, _| g.store()),
    (10, Expressions::assignment),
    (5, Expressions::count),
    (10, Expressions::branch),
    (7, Expressions::for_loop),
    (4, Expressions::while_loop),
    (4, Expressions::switch),
    (5, Expressions::private_array),
];

const CONSTRUCTS: &[&str] = &[
    "parallel loop firstprivate(st)",
    "parallel loop firstprivate(st)",
    "kernels loop independent",
    "parallel loop gang vector vector_length(64) firstprivate(st)",
    "parallel loop gang worker vector num_workers(2) firstprivate(st)",
    "serial loop firstprivate(st)",
];

impl Expressions {
    fn function(&mut self) {
        self.integers = vec!["x".to_owned(), "y".to_owned()];
        self.floats = vec!["f".to_owned(), "g".to_owned()];
        let reduces = self.chance(40);
        if reduces {
            self.line("long rs = 3;");
            self.line("double rd = 0.5;");
            self.line("unsigned ru = 0;");
            self.line("int rm = -1000;");
            self.line("float rf = 1e9f;");
        }
        let reductions = if reduces {
            " reduction(+:rs, rd) reduction(^:ru) reduction(max:rm) reduction(min:rf)"
        } else {
            ""
        };
        let construct = self.pick(CONSTRUCTS);
        self.line(format!("#pragma acc {construct} copyin(sp[0:N]){reductions}"));
        self.block("for (int i = 0; i < N; i++)", |g| {
            g.statements(2);
            g.statements(2);
            if reduces {
                g.reduce();
            }
        });
        if reduces {
            self.line(r#"printf("reduced %ld %.9g %u %d %.6g\n", rs, rd, ru, rm, rf);"#);
        }
    }

    fn reduce(&mut self) {
        let (whole, float, bits) = (self.whole(1), self.float(1), self.whole(1));
        self.line(format!("rs += {whole};"));
        self.line(format!("rd += (double)({float}) * 0.0625;"));
        self.line(format!("ru ^= {bits};"));
        self.line("if (rm < (int)in[i]) rm = in[i];");
        self.line("rf = fminf(rf, fl[i]);");
    }

    /// Up to three statements; what they declare ends with them.
    fn statements(&mut self, depth: usize) {
        let (integers, floats, locals) = (self.integers.len(), self.floats.len(), self.locals.len());
        for _ in 0..self.between(1, 3) {
            self.make(STATEMENTS, depth);
        }
        self.integers.truncate(integers);
        self.floats.truncate(floats);
        self.locals.truncate(locals);
    }

    /// As an operand: an atom or in parentheses.
    fn whole(&mut self, depth: usize) -> String {
        match depth {
            0 => self.make(WHOLE_LEAVES, 0),
            _ => self.make(WHOLES, depth - 1),
        }
    }

    fn float(&mut self, depth: usize) -> String {
        match depth {
            0 => self.make(FLOAT_LEAVES, 0),
            _ => self.make(FLOATS, depth - 1),
        }
    }

    fn name(&mut self, prefix: char) -> String {
        self.made += 1;
        format!("{prefix}{}", self.made)
    }

    fn declaration(&mut self, _: usize) {
        let name = self.name('v');
        if self.chance(60) {
            let (ty, value) = (self.pick(INTEGERS), self.whole(2));
            self.line(format!("{ty} {name} = {value};"));
            self.integers.push(name.clone());
            self.locals.push((name, ty));
        } else {
            let (ty, value) = (self.pick(&["float", "double"]), self.float(2));
            self.line(format!("{ty} {name} = {value};"));
            self.floats.push(name.clone());
            self.locals.push((name, ty));
        }
    }

    fn store(&mut self) {
        if self.chance(20) {
            let array = self.pick(&["fl", "db"]);
            let (operator, value) = (self.pick(&["=", "=", "=", "+=", "-=", "*="]), self.float(3));
            return self.line(format!("o_{array}[i] {operator} {value};"));
        }
        let array = self.pick(INTEGER_ARRAYS);
        let signed = ["sc", "sh", "in", "lo"].contains(&array);
        let operators = &["=", "=", "=", "+=", "-=", "*=", "&=", "|=", "^=", "/=", "%=", "<<=", ">>="];
        let value = match self.pick(operators) {
            operator @ ("/=" | "%=") => format!("{operator} {}", self.pick(&["3", "7u", "(i | 1)", "5L"])),
            "<<=" if signed => format!("^= {}", self.whole(1)),
            operator @ ("<<=" | ">>=") => format!("{operator} {}", self.pick(&["1", "2", "(i & 3)"])),
            operator @ ("+=" | "-=") if signed && self.chance(15) => {
                self.line(format!("o_{array}[i] &= 63;"));
                format!("{operator} {}", self.pick(&["1.5", "0.5f", "2.25"]))
            }
            operator => format!("{operator} {}", self.whole(3)),
        };
        self.line(format!("o_{array}[i] {value};"));
    }

    fn assignment(&mut self, depth: usize) {
        let locals = self.locals.clone();
        if locals.is_empty() {
            return self.declaration(depth);
        }
        let (name, ty) = self.pick(&locals);
        let text = if ["float", "double"].contains(&ty) {
            format!("{name} {} {};", self.pick(&["=", "+=", "-=", "*="]), self.float(2))
        } else {
            format!("{name} {} {};", self.pick(&["=", "+=", "-=", "^=", "|=", "&="]), self.whole(2))
        };
        self.line(text);
    }

    fn count(&mut self, depth: usize) {
        let numbers: Vec<_> = self.locals.iter().filter(|(_, ty)| *ty != "_Bool").cloned().collect();
        if numbers.is_empty() {
            return self.declaration(depth);
        }
        let (name, _) = self.pick(&numbers);
        let text = self.pick(&["V++;", "++V;", "V--;"]).replace('V', &name);
        self.line(text);
    }

    fn branch(&mut self, depth: usize) {
        if depth == 0 {
            return self.store();
        }
        let head = format!("if ({} {} {})", self.whole(1), self.pick(&[">", "<", "!="]), self.whole(1));
        self.block(head, |g| g.statements(depth - 1));
        if self.chance(50) {
            self.block("else", |g| g.statements(depth - 1));
        }
    }

    fn for_loop(&mut self, depth: usize) {
        if depth == 0 {
            return self.store();
        }
        let k = self.name('k');
        let (first, end) = (self.pick(&["0", "1", "i & 3"]), self.pick(&["3", "5", "(i & 7)", "4"]));
        let step = self.pick(&["++", " += 2"]);
        self.integers.push(k.clone());
        self.block(format!("for (int {k} = {first}; {k} < {end}; {k}{step})"), |g| {
            if g.chance(30) {
                let text =
                    format!("if ({} == {}) {};", g.whole(1), g.whole(1), g.pick(&["break", "continue"]));
                g.line(text);
            }
            g.statements(depth - 1);
        });
        self.integers.retain(|name| *name != k);
    }

    fn while_loop(&mut self, depth: usize) {
        if depth == 0 {
            return self.store();
        }
        let w = self.name('w');
        let (first, condition) = (self.pick(&["3", "i & 3"]), self.pick(&["W-- > 0", "--W > 0"]));
        self.line(format!("int {w} = {first};"));
        self.block(format!("while ({})", condition.replace('W', &w)), |g| g.statements(depth - 1));
    }

    fn switch(&mut self, _: usize) {
        let head = format!("switch ({} & 3)", self.whole(1));
        self.block(head, |g| {
            for case in 0..g.between(1, 3) {
                g.line(format!("case {case}:"));
                g.store();
                if g.chance(75) {
                    g.line("break;");
                }
            }
            g.line("default:");
            g.store();
        });
    }

    fn private_array(&mut self, _: usize) {
        let (a, first, second) = (self.name('a'), self.whole(1), self.whole(1));
        self.line(format!("int {a}[3] = {{{first}, {second}}};"));
        let (at, value) = (self.pick(&["2", "i % 3", "i & 1"]), self.whole(1));
        self.line(format!("{a}[{at}] += {value};"));
        let last = self.pick(&["2", "(i + 1) % 3"]);
        self.line(format!("o_lo[i] += {a}[0] + 2L * {a}[1] + {a}[{last}];"));
    }
}

const HEAD: &str = "\
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#define N 150
struct S {
    int a;
    double b;
    short v[2];
};
static const int tab[4] = {3, -1, 4, 1};
static int G0 = 9;
static double G1 = 2.5;
static signed char sc[N], o_sc[N];
static unsigned char uc[N], o_uc[N];
static short sh[N], o_sh[N];
static unsigned short us[N], o_us[N];
static int in[N], o_in[N];
static unsigned un[N], o_un[N];
static long lo[N], o_lo[N];
static unsigned long ul[N], o_ul[N];
static float fl[N], o_fl[N];
static double db[N], o_db[N];
";

const MAIN: &str = r#"
int main(void)
{
    struct S st = {4, 0.75, {2, -3}}, *sp = malloc(N * sizeof *sp);
    void (*f[])(int, long, float, double, struct S, const struct S *) = {NAMES};
    for (int i = 0; i < N; i++) {
        sc[i] = i * 7 - 60, uc[i] = i * 13, sh[i] = i * 311 - 9000, us[i] = i * 771;
        in[i] = (i - 70) * 12345, un[i] = i * 33554467u;
        lo[i] = (i - 75) * 1234567L, ul[i] = i * 1234567890123UL;
        fl[i] = (i - 50) * 0.375f, db[i] = (i - 90) * 1.0625;
        sp[i] = (struct S){i * 3 - 100, i * 0.5, {i, -i}};
    }
    for (unsigned k = 0; k < sizeof f / sizeof *f; k++) {
        for (int i = 0; i < N; i++) {
            o_sc[i] = i, o_uc[i] = 2 * i, o_sh[i] = 5 * i, o_us[i] = 9 * i;
            o_in[i] = i * 99, o_un[i] = i * 77, o_lo[i] = i, o_ul[i] = i;
            o_fl[i] = i, o_db[i] = i;
        }
        printf("f%u begins\n", k);
        f[k](5 + k, -3, 1.25f, 0.7, st, sp);
        for (int i = 0; i < N; i++)
            printf("f%u %d %d %d %d %d %d %u %ld %lu %.6g %.9g\n", k, i, o_sc[i], o_uc[i], o_sh[i], o_us[i], o_in[i],
                   o_un[i], o_lo[i], o_ul[i], o_fl[i], o_db[i]);
    }
    free(sp);
}"#;
