//! Variables of a gang or a worker that iterations of worker and vector loops set, and that are read behind these loops: each has
//! the value of the last iteration that set it. Some look for the smallest or largest value, and set other variables with it.
//!
//! A function is a gang loop. Its iterations declare `s`, `c` and `x`, set them in loops with directives, compute with them in
//! between, and write them to `res`.
//!
//! Defined in C, and with a clear expected result, since an iteration reads no variable that it may have set, but what it looks for; where the OpenMP
//! form is made, a variable is set by one iteration alone, as two of them would race.

use super::grammar::{Dice, Grammar, Lines, Rules, main_with_results};

const FUNCTIONS: usize = 5;

struct LastValues {
    dice: Dice,
    lines: Lines,
    /// Each variable is set by one iteration of a loop.
    once: bool,
    /// What the loops of the construct may be.
    loops: &'static [&'static str],
    /// Sequential loops around.
    around: usize,
}

impl Grammar for LastValues {
    fn dice(&mut self) -> &mut Dice {
        &mut self.dice
    }

    fn lines(&mut self) -> &mut Lines {
        &mut self.lines
    }
}

/// Directives of gang loops, and of the loops in them.
const CONSTRUCTS: &[(&str, &[&str])] = &[
    ("parallel loop gang", &["loop vector"]),
    ("parallel loop gang num_gangs(7) vector_length(64)", &["loop vector", "loop worker vector"]),
    (
        "parallel loop gang num_workers(4) vector_length(32)",
        &["loop vector", "loop worker", "loop worker vector"],
    ),
    ("parallel loop gang worker num_workers(4) vector_length(32)", &["loop vector"]),
    ("kernels loop gang", &["loop independent vector"]),
];

/// Of a program whose variables are each set by one iteration.
pub fn once(seed: u64) -> String {
    made(seed, true)
}

pub fn program(seed: u64) -> String {
    made(seed, false)
}

fn made(seed: u64, once: bool) -> String {
    let mut g = LastValues { dice: Dice::new(seed), lines: Lines::default(), once, loops: &[], around: 0 };
    g.line("#include <stdio.h>\n");
    for k in 0..FUNCTIONS {
        let (construct, loops) = g.pick(CONSTRUCTS);
        g.loops = loops;
        g.block(format!("static void f{k}(int n, const double *restrict a, double *restrict res)"), |g| {
            g.line(format!("#pragma acc {construct} copyin(a[0:4096]) copy(res[0:120])"));
            g.block("for (int r = 0; r < 40; r++)", |g| {
                ["double s = r + 0.5;", "long c = -1;", "float x = 2;"].iter().for_each(|text| g.line(text));
                (0..g.between(2, 5)).for_each(|_| g.make(STATEMENTS, 2));
                ["s", "c", "x"]
                    .iter()
                    .enumerate()
                    .for_each(|(k, x)| g.line(format!("res[3 * r + {k}] = {x};")));
            });
        });
    }
    g.line(main_with_results(FUNCTIONS, 120));
    g.lines.take()
}

const STATEMENTS: &Rules<LastValues, ()> = &[
    (8, LastValues::setting_loop),
    (5, LastValues::searching_loop),
    (3, |g, _| {
        let text =
            g.pick(&["s = 0.5 * s + c % 100;", "c += 3;", "x = x * 0.5f + 1;", "s += x;", "c = (long)s;"]);
        g.line(text);
    }),
    (2, LastValues::nest),
    (2, LastValues::turns),
    (2, |g, depth| {
        let Some(depth) = depth.checked_sub(1) else { return g.setting_loop(0) };
        let condition = g.pick(&["n > 30", "r % 3 == 1", "s > 10", "c & 1"]);
        g.block(format!("if ({condition})"), |g| g.make(STATEMENTS, depth));
    }),
];

const HEADS: &[&str] = &[
    "for (int i = 0; i < n; i++)",
    "for (int i = 3; i < n; i += 2)",
    "for (int i = n - 1; i >= 0; i--)",
    "for (long i = 0; i < n + r; i++)",
    "for (int i = n; i < n; i++)",
    "for (int i = 0; i < 1; i++)",
    "for (unsigned i = 0; i < 100u; i++)",
];

const VALUES: &[(&str, &[&str])] = &[
    ("s", &["a[(i + r) & 4095]", "i * 0.5", "r - i * 2.0"]),
    ("c", &["i", "(long)i * 1000003 + r", "7"]),
    ("x", &["a[i & 4095]", "i + 0.25f"]),
];

impl LastValues {
    fn nest(&mut self, _: usize) {
        if !self.loops.contains(&"loop worker") {
            return self.setting_loop(0);
        }
        self.line("#pragma acc loop worker");
        self.block("for (int w = 0; w < 9; w++)", |g| {
            let inner = g.between(0, 2);
            let conditions: &[&str] = match g.once {
                true => &["w == 4 && i == 3"],
                false => &["(i + w) % 5 == 2", "a[i] > w", "i == 3 && w < 6"],
            };
            let condition = g.pick(conditions);
            let (name, values) = VALUES[inner];
            let value = g.pick(values);
            g.line("#pragma acc loop vector");
            g.block("for (int i = 0; i < 40; i++)", |g| {
                g.line(format!("if ({condition}) {name} = {value};"))
            });
            let (name, _) = VALUES[(inner + 1) % 3];
            let condition = if g.once { "w == 7" } else { "w % 3 == 1" };
            if g.chance(50) {
                g.line(format!("if ({condition}) {name} = w + r;"));
            }
        });
    }

    /// `if (value < s) { s = value; c = i; }`; in a loop for workers perhaps with a loop inside.
    fn searching_loop(&mut self, _: usize) {
        // In OpenMP's form iterations would race.
        if self.once {
            return self.setting_loop(0);
        }
        let (directive, head) = (self.pick(self.loops), self.pick(HEADS));
        self.line(format!("#pragma acc {directive}"));
        self.block(head, |g| match g.between(0, 2) {
            0 => {
                let inner = if directive == "loop worker" { "#pragma acc loop vector" } else { "" };
                g.line(inner);
                g.block("for (int j = 0; j < 11; j++)", |g| g.search("i * 5 + j", &["j", "i * 100 + j"]));
            }
            1 => g.block("if (a[i & 4095] > 0.5)", |g| g.search("i", &["i", "r - i"])),
            _ => g.search("i", &["i", "i * 3L"]),
        });
    }

    fn search(&mut self, number: &str, places: &[&str]) {
        let values = [
            ("s", format!("a[({number}) * 7 & 4095]")),
            ("x", format!("(float)((({number}) * 7919 + r) % 97)")),
            ("c", format!("(long)(({number}) * 31 % 53)")),
        ];
        let at = self.between(0, 2);
        let (best, value) = &values[at];
        let mut stores = vec![format!("{best} = {value};")];
        for k in 0..self.between(1, 2) {
            let (name, _) = &values[(at + 1 + k) % 3];
            let place = format!("{name} = {};", self.pick(places));
            if self.chance(50) { stores.push(place) } else { stores.insert(0, place) }
        }
        let relation = self.pick(&["<", "<=", ">", ">="]);
        let condition = match self.chance(50) {
            true => format!("{value} {relation} {best}"),
            false => format!("{best} {relation} {value}"),
        };
        self.line(format!("if ({condition}) {{ {} }}", stores.join(" ")));
    }

    fn turns(&mut self, depth: usize) {
        let Some(depth) = depth.checked_sub(1) else { return self.setting_loop(0) };
        let (t, turns) = (["t", "u"][self.around], self.pick(&["3", "2", "n % 3", "0"]));
        self.around += 1;
        self.block(format!("for (int {t} = 0; {t} < {turns}; {t}++)"), |g| {
            (0..g.between(1, 3)).for_each(|_| g.make(STATEMENTS, depth));
        });
        self.around -= 1;
    }

    fn setting_loop(&mut self, _: usize) {
        let (directive, head) = (self.pick(self.loops), self.pick(HEADS));
        self.line(format!("#pragma acc {directive}"));
        self.block(head, |g| {
            let first = g.between(0, 2);
            for k in 0..g.between(1, 2) {
                let (name, values) = VALUES[(first + k) % 3];
                let value = g.pick(values);
                let conditions: &[&str] =
                    if g.once { &["i == 3", "i == n / 2", "i == r"] } else { CONDITIONS };
                match g.pick(conditions) {
                    "" => g.line(format!("{name} = {value};")),
                    condition => g.line(format!("if ({condition}) {name} = {value};")),
                }
            }
        });
    }
}

const CONDITIONS: &[&str] =
    &["", "i == 3", "i % 7 == 2", "a[(i * 3) & 4095] > 2", "i == r", "a[(i + r) & 4095] == a[i & 4095]"];
