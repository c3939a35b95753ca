//! Subscripts with rows that are counted by hand, of which only the launch knows the length.
//!
//! A function has nests of two or three loops in one `kernels` construct, or one whose outermost loop has `auto`. Their arrays have subscripts such as
//! `k * w + j + 1`, `(k * h + i) * w + j` or `k * s0 + i * s1 + j * s2`, in which the strides are parameters, and so are the ends
//! of the loops. Each function is called with rows that its loops stay inside of, with rows that are too short by one, or much too
//! short, so that iterations meet, and with strides in any order. Which calls are which only the program's result tells.
//!
//! Defined in C, since
//! - subscripts lie in [0, SIZE): strides are at most 90, 9 and 3 or the like, loops have up to 12 iterations, and shifts are small;
//! - arrays that are called `restrict` do not overlap, and the others are one array or apart;
//! - values are small integers, whatever the order in which they are added.

use super::grammar::{Dice, Grammar, Lines, names};

const FUNCTIONS: usize = 8;

const PARAMETERS: &str = "int n, int m, int l, int w, int h, int s0, int s1, int s2, const struct shape *p";

struct Rows {
    dice: Dice,
    lines: Lines,
}

impl Grammar for Rows {
    fn dice(&mut self) -> &mut Dice {
        &mut self.dice
    }

    fn lines(&mut self) -> &mut Lines {
        &mut self.lines
    }
}

/// Subscripts of i, j and k in nests of two and of three loops. The V is replaced by a shift.
const TWO: &[&str] = &[
    "i * w + j V",
    "(i + 1) * w + j V",
    "2 * (i * w + j) V",
    "i * w + 2 * j V",
    "i * s0 + j * s1 V",
    "i + j * w V",
    "i * w - j + 20 V",
    "IDX(i, j) V",
    "at(w, i, j) V",
    "i * p->w + j V",
    "16 * i + j V",
    "i * w + (j + i) V",
    "(long)i * w + j V",
    "(i + h) * w + j V",
    "(h - 1) * w + j V",
];

const THREE: &[&str] = &[
    "(i * h + j) * w + k V",
    "i * s0 + j * s1 + k * s2 V",
    "s0 + i * s1 + j * s2 + k V",
    "((i * h + j) * w + k) * 2 V",
    "(i * p->h + j) * p->w + k V",
    "i * w * h + j * w + k V",
    "i * s0 + j * w + k V",
    "(k * h + j) * w + i V",
];

const SHIFTS: &[&str] = &["", "", "", "+ 1", "+ 2", "+ w", "+ 3", "+ h * w", "+ (h - 2) * w"];

pub fn program(seed: u64) -> String {
    let mut g = Rows { dice: Dice::new(seed), lines: Lines::default() };
    g.line(HEAD);
    for k in 0..FUNCTIONS {
        let restrict = g.pick(&["restrict ", "restrict ", ""]);
        let arrays = format!("int *{restrict}A, int *{restrict}B");
        g.block(format!("static void f{k}({arrays}, {PARAMETERS})"), Rows::function);
    }
    let main = MAIN.replace("NAMES", &names(FUNCTIONS)).replace("TIMES", &g.between(1, 2).to_string());
    g.line(main);
    g.lines.take()
}

impl Rows {
    fn function(&mut self) {
        let construct = self.pick(&[
            "kernels",
            "kernels",
            "kernels",
            "parallel loop auto",
            "parallel loop auto num_gangs(5)",
            "parallel loop auto vector_length(64)",
        ]);
        self.line(format!("#pragma acc {construct} present(A[0:SIZE], B[0:SIZE])"));
        if construct != "kernels" {
            return self.nest();
        }
        let nests = self.pick(&[1, 1, 1, 2]);
        self.block("", |g| (0..nests).for_each(|_| g.nest()));
    }

    fn nest(&mut self) {
        let three = self.chance(45);
        let places = if three { THREE } else { TWO };
        let place = self.pick(places);
        self.a_loop(if three { "ijk" } else { "ij" }, place, places);
    }

    /// The loops over these variables.
    fn a_loop(&mut self, variables: &str, place: &str, places: &[&'static str]) {
        let Some(variable) = variables.chars().next() else { return self.statements(place, places) };
        let end = self.pick(&["n", "m", "l", "n", "m - 1", "l + 1", "w", "h", "MIN(n, 9)"]);
        let head = match self.between(0, 9) {
            0 => format!("for (int V = {end} - 1; V >= 0; V--)"),
            1 => format!("for (long V = 0; V < {end}; V++)"),
            2 => format!("for (int V = 1; V <= {end}; V++)"),
            3 if variable == 'j' => "for (int V = 0; V <= i; V++)".to_owned(),
            4 => format!("for (int V = 0; V < {end}; V += 2)"),
            _ => format!("for (int V = 0; V < {end}; V++)"),
        };
        let inner = &variables[1..];
        let (before, again) = (self.chance(8), !inner.is_empty() && self.chance(12));
        self.block(head.replace('V', &variable.to_string()), |g| {
            if before && inner.len() == 1 {
                let digit = g.between(0, 9);
                let first = place.replace(inner, "0").replace('V', "");
                g.line(format!("A[{first}] = {};", digit));
            }
            g.a_loop(inner, place, places);
            if again {
                g.a_loop(inner, place, places);
            }
        });
    }

    fn statements(&mut self, place: &str, places: &[&'static str]) {
        let shift = self.pick(SHIFTS);
        let target = format!("A[{}]", place.replace('V', shift));
        let condition = if self.chance(15) { "if ((i + j) % 3) " } else { "" };
        let value = self.value(place, places);
        let operator = self.pick(&["=", "=", "+="]);
        self.line(format!("{condition}{target} {operator} {value};"));
        if self.chance(15) {
            let value = self.value(place, places);
            self.line(format!("A[{}] = {value};", place.replace('V', shift)));
        }
    }

    fn value(&mut self, place: &str, places: &[&'static str]) -> String {
        let other = self.pick(places);
        let read = match self.between(0, 9) {
            0..=5 => format!("B[{}]", other.replace('V', "+ 1")),
            6 => format!("A[{}]", place.replace('V', "")),
            7 => format!("A[{}]", other.replace('V', "")),
            _ => "i * 3".to_owned(),
        };
        format!("({read} + {} * j + i) % 97", self.between(1, 9))
    }
}

const HEAD: &str = r#"#include <stdio.h>
enum { SIZE = 8000 };
struct shape { int w, h; };
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define IDX(a, b) ((a) * w + (b))
static inline int at(int width, int row, int column) { return row * width + column; }
"#;

const MAIN: &str = r#"
static int X[2 * SIZE];

int main(void)
{
    void (*f[])(int *, int *, int, int, int, int, int, int, int, int, const struct shape *) = {NAMES};
    /* n, m, l, w, h, s0, s1, s2 */
    const int calls[][8] = {
        {9, 8, 7, 14, 14, 200, 14, 1}, {9, 8, 7, 14, 14, 1, 14, 200}, {9, 8, 7, 14, 14, 14, 300, 20}, {9, 8, 7, 7, 6, 40, 7, 1},
        {9, 8, 7, 2, 3, 5, 2, 1},      {12, 3, 3, 4, 4, 16, 4, 1},    {3, 3, 12, 4, 12, 0, 4, 1},      {8, 8, 8, 8, 8, 64, 8, 1},
        {9, 9, 9, 8, 8, 64, 8, 1},     {0, 5, 5, 0, 3, 0, 0, 0},      {5, 0, 5, 5, 5, 25, 5, 1},       {7, 1, 7, 1, 2, 1, 1, 1},
        {10, 10, 10, 11, 11, 121, 11, 1},
    };
    for (unsigned k = 0; k < sizeof f / sizeof *f; k++)
        for (unsigned c = 0; c < sizeof calls / sizeof *calls; c++)
            for (int t = 0; t < TIMES; t++) {
                const int *a = calls[c];
                struct shape s = {a[3], a[4]};
                unsigned long sum = 0;
                for (int i = 0; i < 2 * SIZE; i++)
                    X[i] = i * 7 % 31;
#pragma acc data copy(X)
                f[k](X, X + SIZE, a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], &s);
                for (int i = 0; i < 2 * SIZE; i++)
                    sum = sum * 31 + (unsigned)X[i];
                printf("f%u %u %d %lu\n", k, c, t, sum);
            }
}"#;
