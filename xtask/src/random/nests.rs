//! Loops at the levels of parallelism: gang, worker, vector, sequential; reductions at each, `collapse`, `tile`, arrays private
//! to a gang, atomics; loops of no, one and many iterations.
//!
//! A function is one nest in a `data` region. It reads `a`, `b` and the end of `q`, and writes `o`, `p`, the rest of `q`, `h`.
//!
//! Defined in C and parallel, since
//! - an iteration of a parallel loop writes elements of its own, but for `h` (integers), which all add to atomically;
//! - subscripts of what is read end with `& 4095`, or lie beyond what is written (`q[4000…]`);
//! - loop variables are never negative within their loops.

use super::grammar::{Dice, Grammar, Lines, Rules, names};

const FUNCTIONS: usize = 6;

const PARAMETERS: &str = "int n, int m, const double *restrict a, const double *restrict b, double *restrict o, \
double *restrict p, float *restrict q, long *restrict h, double *res";

struct Nests {
    dice: Dice,
    lines: Lines,
    /// The variables of the loops around.
    around: Vec<&'static str>,
    /// Locals that hold numbers.
    scalars: Vec<String>,
    /// The whole nest reduces.
    reduces: bool,
    /// How many names were made.
    made: usize,
}

impl Grammar for Nests {
    fn dice(&mut self) -> &mut Dice {
        &mut self.dice
    }

    fn lines(&mut self) -> &mut Lines {
        &mut self.lines
    }
}

pub fn program(seed: u64) -> String {
    let mut g = Nests {
        dice: Dice::new(seed),
        lines: Lines::default(),
        around: vec![],
        scalars: vec![],
        reduces: false,
        made: 0,
    };
    g.line("#include <math.h>\n#include <stdio.h>\n#define M 21\n");
    for k in 0..FUNCTIONS {
        g.block(format!("static void f{k}({PARAMETERS})"), Nests::function);
    }
    g.line(MAIN.replace("NAMES", &names(FUNCTIONS)));
    g.lines.take()
}

const NESTS: &Rules<Nests, ()> = &[
    (2, Nests::flat),
    (4, |g, _| {
        let (outer, inner) = g.pick(&[
            ("gang", "vector"),
            ("gang", "vector"),
            ("gang worker", "vector"),
            ("gang", "worker vector"),
            ("", ""),
        ]);
        g.rows(outer, inner);
    }),
    (1, |g, _| g.rows("gang", "worker")),
    (2, |g, _| if g.chance(40) { g.collapsed_three() } else { g.collapsed_two() }),
    (1, Nests::tiled),
    (1, Nests::sequential),
];

/// First, end and step of loops within others.
const BOUNDS: &Rules<Nests, (String, String, usize)> = &[
    (50, |g, _| ("0".into(), g.pick(&["n", "m", "M", "33", "64", "1"]).into(), 1)),
    (10, |g, _| ("1".into(), g.pick(&["n", "m - 1"]).into(), 1)),
    (10, |g, _| ("0".into(), g.pick(&["n", "m"]).into(), g.between(2, 3))),
    (10, |g, _| ("i % 5".into(), g.pick(&["n", "m"]).into(), 1)),
    (7, |_, _| ("0".into(), "i % 9".into(), 1)),
    // Lengths that only the device knows.
    (8, |_, _| ("0".into(), "((int)a[i & 4095] & 15)".into(), 1)),
    (5, |g, _| ("i % 3".into(), format!("(i % 3 + ((int)b[(i * 7) & 4095] & {}))", g.pick(&["3", "31"])), 1)),
    (6, |_, _| ("n".into(), "n".into(), 1)),
    (7, |g, _| ("3".into(), g.pick(&["n", "m"]).into(), 1)),
];

const LEAVES: &Rules<Nests> = &[
    (50, |g, _| format!("{}[({}) & 4095]", g.pick(&["a", "b"]), g.subscript())),
    (10, |g, _| format!("q[4000 + ({} & 63)]", g.variable())),
    (20, |g, _| {
        let scalars = g.scalars.clone();
        if scalars.is_empty() { g.variable().to_owned() } else { g.pick(&scalars) }
    }),
    (10, |g, _| g.pick(&["2.0", "0.5", "1.0f"]).to_owned()),
    (10, |g, _| g.variable().to_owned()),
];

const EXPRESSIONS: &Rules<Nests> = &[
    (1, |g, d| format!("({} + {})", g.expression(d), g.expression(d))),
    (1, |g, d| format!("({} - {})", g.expression(d), g.expression(d))),
    (1, |g, d| format!("(0.5 * {} + {})", g.expression(d), g.expression(d))),
    (1, |g, d| format!("fmin({}, {})", g.expression(d), g.expression(d))),
    (1, |g, d| format!("fmax({}, {})", g.expression(d), g.expression(d))),
    (1, |g, d| {
        let (a, b) = (g.expression(d), g.expression(d));
        format!("({a} > {b} ? {a} : 0.25 * {b})")
    }),
];

/// Within a row: the argument is the level of the inner loops, as an index of [`LEVELS`].
const PARTS: &Rules<Nests, ()> =
    &[(9, Nests::sum), (3, Nests::maximum), (2, Nests::sums_of_columns), (6, Nests::columns)];

const REDUCTIONS: &str = " reduction(+:rs, ri) reduction(max:rx) reduction(min:rn) reduction(^:rb) \
reduction(&&:ra) reduction(||:ro) reduction(*:rp)";

/// The levels of loops in a row.
const LEVELS: &[&str] = &["vector", "worker vector", "worker", ""];

impl Nests {
    fn function(&mut self) {
        self.scalars.clear();
        self.reduces = self.chance(35);
        if self.reduces {
            self.line("double rs = 1.5, rx = -5;");
            self.line("float rn = 50;");
            self.line("long ri = 2;");
            self.line("int rb = 0x55, ra = 1, ro = 0;");
            self.line("unsigned long rp = 1;");
        }
        let data = self.pick(&[
            "copy(o[0:4096], p[0:4096], q[0:4096], h[0:64])",
            "copy(o[0:4096]) copy(p[0:4096]) copy(q[0:4096], h[0:64])",
        ]);
        self.line(format!("#pragma acc data copyin(a[0:4096], b[0:4096]) {data}"));
        self.block("", |g| g.make(NESTS, 0));
        if self.reduces {
            self.line("res[0] = rs; res[1] = rx; res[2] = ri; res[3] = rb;");
            self.line("res[4] = rn; res[5] = ra; res[6] = ro; res[7] = rp % 1000003;");
        }
    }

    /// The directive of a nest: `words`, and of `parallel` one of `launch`.
    fn construct(&mut self, words: &str, launch: &[&'static str]) {
        let kernels = self.chance(25);
        let launch = self.pick(launch);
        let construct = if kernels { "kernels loop independent" } else { "parallel loop" };
        let reductions = if self.reduces { REDUCTIONS } else { "" };
        // What holds for a type of device alone stands last.
        let launch = if kernels { "" } else { launch };
        let words = format!("{words}{reductions} {launch}");
        let words: Vec<&str> = words.split_whitespace().collect();
        self.line(format!("#pragma acc {construct} {}", words.join(" ")));
    }

    /// `head` opens as many loops as there are variables.
    fn loops(&mut self, head: &str, variables: &[&'static str], inside: impl FnOnce(&mut Nests)) {
        let outer = self.around.len();
        self.around.extend(variables);
        let scalars = self.scalars.len();
        self.block(head, inside);
        self.scalars.truncate(scalars);
        self.around.truncate(outer);
    }

    /// What every nest does last in its iterations.
    fn reduce(&mut self) {
        if !self.reduces {
            return;
        }
        let last = self.around.last().copied().unwrap_or("0");
        let (sum, most) = (self.expression(1), self.expression(0));
        self.line(format!("rs += {sum};"));
        self.line(format!("ri += {last};"));
        self.line(format!("rx = fmax(rx, {most});"));
        self.line(format!("rb ^= (int){last};"));
        let (least, all, any) = (self.expression(1), self.expression(0), self.expression(0));
        self.line(format!("rn = fminf(rn, {least});"));
        self.line(format!("ra = ra && {all} > -9.5;"));
        self.line(format!("ro = ro || {any} > 9;"));
        self.line(format!("rp *= 2 * {last} + 1;"));
    }

    fn atomic(&mut self, statement: &str) {
        if self.chance(30) {
            self.line("#pragma acc atomic");
            self.line(statement);
        }
    }

    fn scalar(&mut self, ty: &str, depth: usize) {
        let value = self.expression(depth);
        let name = self.name('t');
        self.line(format!("{ty} {name} = {value};"));
        self.scalars.push(name);
    }

    fn name(&mut self, prefix: char) -> String {
        self.made += 1;
        format!("{prefix}{}", self.made)
    }

    fn variable(&mut self) -> &'static str {
        let around = self.around.clone();
        self.pick(&around)
    }

    fn subscript(&mut self) -> String {
        if self.chance(30) {
            return self.variable().to_owned();
        }
        let around = self.around.clone();
        let terms: Vec<String> =
            around.iter().map(|v| format!("{v} * {}", self.pick(&[1, 1, 2, 7, 33, 64]))).collect();
        terms.join(" + ")
    }

    fn expression(&mut self, depth: usize) -> String {
        match depth {
            0 => self.make(LEAVES, 0),
            _ => self.make(EXPRESSIONS, depth - 1),
        }
    }

    /// The header of a loop within another.
    fn inner(&mut self, variable: &str, types: &[&'static str], down: bool) -> String {
        let (first, end, step) = self.make(BOUNDS, 0);
        let ty = self.pick(types);
        if down && self.chance(15) {
            let step = if step == 1 { "--".to_owned() } else { format!(" -= {step}") };
            return format!("for (int {variable} = {end} - 1; {variable} >= {first}; {variable}{step})");
        }
        let step = if step == 1 { "++".to_owned() } else { format!(" += {step}") };
        format!("for ({ty} {variable} = {first}; {variable} < {end}; {variable}{step})")
    }

    fn flat(&mut self, _: usize) {
        self.construct("", &[
            "",
            "gang vector",
            "vector_length(64)",
            "num_gangs(7)",
            "gang worker vector",
            "num_gangs(3, 2) device_type(nvidia) num_gangs(5) device_type(*) vector_length(32)",
            "gang device_type(host) num_gangs(2) device_type(opencl) vector(64) device_type(*) vector(128)",
        ]);
        let end = self.pick(&["4096", "1000", "n", "m * 3", "4095", "1"]);
        self.loops(&format!("for (int i = 0; i < {end}; i++)"), &["i"], |g| {
            for _ in 0..g.between(0, 2) {
                let ty = g.pick(&["double", "float"]);
                g.scalar(ty, 2);
            }
            if g.chance(50) {
                let end = g.pick(&["8", "n % 7", "i % 5"]);
                g.loops(&format!("for (int k = 0; k < {end}; k++)"), &["k"], Nests::add_up);
            } else {
                let text = format!("o[{}] = {};", g.pick(&["i", "4095 - i", "i ^ 1"]), g.expression(2));
                g.line(text);
            }
            if g.chance(40) {
                let text = format!("if ({} > 1) p[i] = {};", g.expression(1), g.expression(1));
                g.line(text);
            }
            let (cells, value) = (g.pick(&[1, 3, 64]), g.pick(&["1", "i", "i * 2L"]));
            g.atomic(&format!("h[i % {cells}] += {value};"));
            g.reduce();
        });
    }

    fn add_up(&mut self) {
        let scalars = self.scalars.clone();
        if !scalars.is_empty() {
            let text = format!("{} {} {};", self.pick(&scalars), self.pick(&["+=", "="]), self.expression(1));
            self.line(text);
        }
        let value = self.expression(1);
        self.line(format!("o[i] += {value};"));
    }

    fn rows(&mut self, outer: &str, inner: &str) {
        self.construct(
            outer,
            &["", "num_gangs(5, 2)", "vector_length(32)", "num_gangs(3) dtype(host, nvidia) num_gangs(n)"],
        );
        let level = LEVELS.iter().position(|l| *l == inner).unwrap_or(0);
        self.loops("for (int i = 0; i < 40; i++)", &["i"], |g| {
            if g.chance(70) {
                g.scalar("double", 1);
            }
            if g.chance(30) {
                g.row_through_an_array(level);
            }
            for _ in 0..g.between(1, 3) {
                g.make(PARTS, level);
            }
            let sum: String = g.scalars.iter().map(|s| format!(" + {s}")).collect();
            let text = format!("p[i] = {}{sum};", g.expression(1));
            g.line(text);
            g.reduce();
        });
    }

    /// An array private to the gang, filled and read in another order.
    fn row_through_an_array(&mut self, level: usize) {
        let w = self.name('w');
        self.line(format!("double {w}[64];"));
        self.line(format!("#pragma acc loop {}", LEVELS[level]));
        self.loops("for (int k = 0; k < 64; k++)", &["k"], |g| {
            let value = g.expression(1);
            g.line(format!("{w}[k] = {value};"));
        });
        self.line(format!("#pragma acc loop {}", LEVELS[level]));
        let shift = self.pick(&["63 - j", "j ^ 1", "(j + 5) & 63"]);
        self.loops("for (int j = 0; j < 64; j++)", &["j"], |g| {
            let value = g.expression(0);
            g.line(format!("o[i * 64 + j] = {value} + {w}[{shift}];"));
        });
    }

    fn sum(&mut self, level: usize) {
        let s = self.name('s');
        let first = self.pick(&["0.0", "1.0", "a[i]"]);
        self.line(format!("double {s} = {first};"));
        self.line(format!("#pragma acc loop {} reduction(+:{s})", LEVELS[level]));
        let head = self.inner("j", &["int", "int", "long", "short"], true);
        self.loops(&head, &["j"], |g| {
            let value = g.expression(1);
            g.line(format!("{s} += {value};"));
        });
        self.scalars.push(s);
    }

    fn maximum(&mut self, level: usize) {
        let x = self.name('x');
        self.line(format!("double {x} = -100;"));
        self.line(format!("#pragma acc loop {} reduction(max:{x})", LEVELS[level]));
        let head = self.inner("j", &["int", "int", "long", "short"], true);
        self.loops(&head, &["j"], |g| {
            let value = g.expression(1);
            g.line(format!("{x} = fmax({x}, {value});"));
        });
        self.scalars.push(x);
    }

    /// A reduction for each column of a row.
    fn sums_of_columns(&mut self, level: usize) {
        let s = self.name('s');
        let (outer, inner) = match LEVELS[level] {
            "worker vector" | "worker" => ("worker", "vector"),
            outer => (outer, "seq"),
        };
        self.line(format!("#pragma acc loop {outer}"));
        let head = self.inner("j", &["int", "int", "long"], false);
        self.loops(&head, &["j"], |g| {
            g.line(format!("double {s} = 0;"));
            g.line(format!("#pragma acc loop {inner} reduction(+:{s})"));
            let end = g.pick(&["5", "n % 9 + 1", "17"]);
            g.loops(&format!("for (int k = 0; k < {end}; k++)"), &["k"], |g| {
                let value = g.expression(1);
                g.line(format!("{s} += {value};"));
            });
            g.line(format!("if (j < 64) q[i * 64 + j] = {s};"));
        });
    }

    fn columns(&mut self, level: usize) {
        self.line(format!("#pragma acc loop {}", LEVELS[level]));
        let end = self.pick(&["64", "n % 64", "50"]);
        self.loops(&format!("for (int j = 0; j < {end}; j++)"), &["j"], |g| {
            let text = format!("o[i * 64 + j] {} {};", g.pick(&["=", "+="]), g.expression(1));
            g.line(text);
            g.atomic("h[j & 15] += i + j;");
        });
    }

    fn collapsed_two(&mut self) {
        let forced = self.chance(30);
        let words = if forced { "collapse(force: 2)" } else { "collapse(2)" };
        self.construct(words, &["", "gang vector", "gang worker vector"]);
        let outer = self.pick(&[
            "for (int i = 0; i < 60; i++)",
            "for (int i = 59; i >= 0; i--)",
            "for (long i = 2; i < 60; i += 3)",
        ]);
        let inner = self.pick(&[
            "for (int j = 0; j < n; j++)",
            "for (int j = m; j > 0; j--)",
            "for (short j = 0; j < 64; j += 2)",
            "for (unsigned j = 0; j < 10u; j++)",
        ]);
        if !forced {
            self.line(outer);
            return self.loops(inner, &["i", "j"], |g| g.cell("i * 64 + j"));
        }
        // What stands between the loops is a scalar for the inner one.
        self.block(outer, |g| {
            g.line("double between = i * 0.25;");
            g.scalars.push("between".into());
            g.loops(inner, &["i", "j"], |g| g.cell("i * 64 + j"));
            g.scalars.pop();
        });
    }

    fn collapsed_three(&mut self) {
        self.construct("collapse(3)", &["", "gang vector", "gang worker vector"]);
        self.line("for (int i = 0; i < 9; i++)");
        self.line("for (int j = 0; j < n % 12 + 1; j++)");
        self.loops("for (int k = 1; k < 30; k += 2)", &["i", "j", "k"], |g| g.cell("i * 400 + j * 30 + k"));
    }

    fn tiled(&mut self, _: usize) {
        let sizes = self.pick(&["tile(8, 4)", "tile(16, 16)", "tile(3, 5)", "tile(32, 2)"]);
        self.construct(sizes, &[""]);
        self.line("for (int i = 1; i < n; i++)");
        self.loops("for (int j = 0; j < m; j++)", &["i", "j"], |g| g.cell("i * 64 + j"));
    }

    /// An iteration of joined loops, which has the element `place` alone.
    fn cell(&mut self, place: &str) {
        self.scalar("double", 1);
        let text = format!("{}[{place}] = {};", self.pick(&["o", "p"]), self.expression(2));
        self.line(text);
        self.atomic("h[i & 31] += j;");
        self.reduce();
    }

    fn sequential(&mut self, _: usize) {
        self.construct("gang", &[""]);
        self.loops("for (int i = 0; i < 50; i++)", &["i"], |g| {
            g.scalar("double", 1);
            let t = g.scalars.last().cloned().unwrap_or_default();
            g.line("#pragma acc loop seq");
            let head = g.inner("j", &["int", "int", "long", "short"], true);
            g.loops(&head, &["j"], |g| {
                let value = g.expression(1);
                g.line(format!("{t} = 0.5 * {t} + {value};"));
                let stop = g.pick(&["break", "T = 0", "continue"]).replace('T', &t);
                g.line(format!("if ({t} > 1e6) {stop};"));
            });
            g.line(format!("o[i * 3] = {t};"));
            g.reduce();
        });
    }
}

const MAIN: &str = r#"
static double a[4096], b[4096], o[4096], p[4096];
static float q[4096];
static long h[64];

int main(void)
{
    void (*f[])(int, int, const double *, const double *, double *, double *, float *, long *, double *) = {NAMES};
    for (int i = 0; i < 4096; i++)
        a[i] = (i * 7 % 31) * 0.5 - 6, b[i] = (i * 11 % 29) - 10;
    for (unsigned k = 0; k < sizeof f / sizeof *f; k++) {
        double res[8] = {0};
        for (int i = 0; i < 4096; i++)
            o[i] = i, p[i] = -i, q[i] = i % 5, h[i & 63] = i & 63;
        f[k](52, 37, a, b, o, p, q, h, res);
        for (int i = 0; i < 4096; i++)
            if (i % 3 == 0 || i < 512)
                printf("f%u %d %.9g %.9g %.6g %ld\n", k, i, o[i], p[i], q[i], h[i & 63]);
        for (int i = 0; i < 8; i++)
            printf("f%u res %d %.9g\n", k, i, res[i]);
    }
}"#;
