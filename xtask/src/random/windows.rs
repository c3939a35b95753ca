//! Windows (`fcw`) and `cache`: sizes that the compiler knows and sizes that only the launch knows, in one and two
//! dimensions, at every length of vector; read alone, written back; with conditions around the accesses at the edges.
//!
//! A function is one loop, or one nest of two, in a `data` region. It reads `a` and `b`, and writes `o` and `p`.
//!
//! Defined in C and inside the windows, since
//! - a neighbour within the halo of a window is read under the condition that it is an element of the array;
//! - `r` is 1 and `r2` is 2;
//! - an iteration writes elements of its own.

use super::grammar::{Dice, Grammar, Lines, Rules, names};

const FUNCTIONS: usize = 5;

const PARAMETERS: &str = "int n, int m, int r, int r2, const double *restrict a, const double *restrict b, \
double *restrict o, double *restrict p, double *res";
const PARAMETERS_OF_PLANES: &str = "int n, int m, int r, int r2, const double *restrict cells, const double *restrict b, \
double *restrict results, double *restrict p, double *res";

struct Windows {
    dice: Dice,
    lines: Lines,
    reduces: bool,
}

impl Grammar for Windows {
    fn dice(&mut self) -> &mut Dice {
        &mut self.dice
    }

    fn lines(&mut self) -> &mut Lines {
        &mut self.lines
    }
}

/// How far a window extends to one side: as the program says it, and the number.
type HaloExtent = (&'static str, i32);

const KNOWN: &[HaloExtent] = &[("0", 0), ("1", 1), ("2", 2), ("3", 3)];
const OF_THE_LAUNCH: &[HaloExtent] = &[("r", 1), ("r + 1", 2), ("r2", 2), ("1", 1), ("3", 3)];

pub fn program(seed: u64) -> String {
    let mut g = Windows { dice: Dice::new(seed), lines: Lines::default(), reduces: false };
    let (n, m) = (g.pick(&[37, 64, 50, 1, 70]), g.pick(&[41, 64, 33, 130, 1]));
    // One element is too few for neighbours.
    let m = if n == 1 && m == 1 { 41 } else { m };
    g.line(format!("#include <math.h>\n#include <stdio.h>\nenum {{ N = {n}, M = {m} }};\n"));
    for k in 0..FUNCTIONS {
        if g.chance(50) {
            g.block(format!("static void f{k}({PARAMETERS})"), Windows::row);
        } else {
            g.block(format!("static void f{k}({PARAMETERS_OF_PLANES})"), Windows::plane);
        }
    }
    g.line(MAIN.replace("NAMES", &names(FUNCTIONS)));
    g.lines.take()
}

const ROWS: &Rules<Windows, ()> = &[
    (2, Windows::row_read),
    (1, Windows::row_moving),
    (1, Windows::row_cached),
    (1, Windows::row_written_back),
];

/// The loops of rows; `o[i]` is there for each of their iterations.
const ROW_HEADS: &[&str] = &[
    "for (int i = 0; i < n * m; i++)",
    "for (int i = 0; i < n; i++)",
    "for (int i = 2; i < n * m - 3; i++)",
    "for (long i = 5; i < n * m; i++)",
    "for (int i = n * m - 1; i >= 2; i--)",
    "for (int i = 1; i < n * m; i += 3)",
];

const PLANES: &Rules<Windows, ()> = &[
    (3, Windows::plane_read),
    (2, Windows::plane_cached),
    (2, Windows::plane_written_back),
    (1, |g, _| g.stencil((1, 1))),
];

impl Windows {
    fn row(&mut self) {
        self.begin();
        let data = "copyin(a[0:n * m], b[0:n * m]) copy(o[0:n * m], p[0:n * m])";
        self.line(format!("#pragma acc data {data}"));
        let length = self.pick(&[32, 64, 96, 128, 256]);
        let head = self.pick(ROW_HEADS);
        self.block("", |g| {
            let gang = g.pick(&["", "gang "]);
            g.line(format!("#pragma acc parallel loop {gang}vector({length}){}", g.reduction()));
            g.block(head, |g| {
                g.make(ROWS, 0);
                if g.reduces {
                    g.line("rs += o[i];");
                }
            });
        });
        self.end();
    }

    fn plane(&mut self) {
        self.line("const double(*restrict a)[m] = (const double(*)[m])cells;");
        self.line("double(*restrict o)[m] = (double(*)[m])results;");
        self.begin();
        self.line("#pragma acc data copyin(a[0:n][0:m], b[0:n * m]) copy(o[0:n][0:m], p[0:n * m])");
        let (x, y) = self.pick(&[(32, 4), (16, 16), (32, 8), (64, 2), (8, 8)]);
        let first = self.pick(&["0", "1"]);
        self.block("", |g| {
            g.line(format!("#pragma acc parallel loop gang vector({y}){}", g.reduction()));
            g.block("for (int i = 0; i < n; i++)", |g| {
                g.line(format!("#pragma acc loop vector({x}){}", g.reduction()));
                g.block(format!("for (int j = {first}; j < m; j++)"), |g| g.make(PLANES, 0));
            });
        });
        self.end();
    }

    fn begin(&mut self) {
        self.reduces = self.chance(30);
        if self.reduces {
            self.line("double rs = 0.5;");
        }
    }

    fn end(&mut self) {
        if self.reduces {
            self.line("res[0] = rs;");
        }
    }

    fn reduction(&self) -> &'static str {
        if self.reduces { " reduction(+:rs)" } else { "" }
    }

    /// Before and after the pivot.
    fn halo_extents(&mut self) -> (HaloExtent, HaloExtent) {
        let halo_extents = if self.chance(50) { KNOWN } else { OF_THE_LAUNCH };
        (self.pick(halo_extents), self.pick(halo_extents))
    }

    fn row_read(&mut self, _: usize) {
        let ((before_text, before), (after_text, after)) = self.halo_extents();
        let second = self.chance(30);
        let pivot = self.pick(&["i", "i", "i", "n * m - 1 - i", "2 * i", "i + 3", "2 * i - n"]);
        let b = if second { ", b[i:1:1]" } else { "" };
        self.line(format!("#pragma acc fcw FETCH_ONLY(a[{pivot}:{before_text}:{after_text}]{b})"));
        let mut terms: Vec<String> = (-before..=after).map(|by| neighbour(pivot, by)).collect();
        if second {
            terms.push("(i > 0 ? b[i - 1] : 1)".to_owned());
        }
        self.store_row(&terms);
    }

    /// A window that moves with a loop inside.
    fn row_moving(&mut self, _: usize) {
        let ((before_text, before), (after_text, after)) = self.halo_extents();
        let pivot = self.pick(&["i + l", "l", "i - l", "2 * i + l"]);
        let (end, step) = (self.pick(&["24", "n", "r2"]), self.pick(&[1, 4, 7]));
        self.line("double t = 0.25;");
        self.block(format!("for (int l = 0; l < {end}; l += {step})"), |g| {
            g.line(format!("#pragma acc fcw FETCH_ONLY(a[{pivot}:{before_text}:{after_text}])"));
            let terms: Vec<String> = (-before..=after).map(|by| neighbour(pivot, by)).collect();
            g.line(format!("t = 0.5 * t + {};", terms.join(" + ")));
        });
        self.line("o[i] = t;");
    }

    /// Accesses outside what is cached are legal.
    fn row_cached(&mut self, _: usize) {
        let (cached, before, after) = self.pick(&[
            ("a[i - r:r + r2 + 1]", 1, 2),
            ("a[i - r:2 * r + 1]", 1, 1),
            ("a[i - 1:3]", 1, 1),
            ("a[i:4]", 0, 3),
            ("a[i - 3:5]", 3, 1),
        ]);
        let second = self.pick(&["", "", ", b[i:2]"]);
        self.line(format!("#pragma acc cache({cached}{second})"));
        let mut terms: Vec<String> = (-before..=after).map(|by| neighbour("i", by)).collect();
        if !second.is_empty() {
            terms.push("b[i]".to_owned());
        }
        if self.chance(50) {
            terms.push("a[(i * 7) % (n * m)]".to_owned());
        }
        self.store_row(&terms);
    }

    fn store_row(&mut self, terms: &[String]) {
        let also = self.chance(30);
        self.block("", |g| {
            g.line(format!("double t = {};", terms.join(" + ")));
            g.line("o[i] = t;");
            if also {
                g.line("if (t > 0) p[i] = t * 0.5;");
            }
        });
    }

    fn row_written_back(&mut self, _: usize) {
        if self.chance(50) {
            self.line("#pragma acc fcw FETCH_WB(o[i:0:0])");
            self.block("", |g| {
                g.line("o[i] = 0.5 * o[i] + a[i];");
                g.line("if (i % 3 == 0) o[i] += b[i];");
            });
        } else {
            self.line("#pragma acc fcw WB_ONLY(o[i:0:0]) FETCH_ONLY(a[i:1:0])");
            self.block("", |g| {
                g.line(format!("o[i] = {} + 1;", neighbour("i", -1)));
                g.line("if (i % 3 == 0) o[i] += b[i];");
            });
        }
    }

    fn plane_written_back(&mut self, _: usize) {
        let columns = self.pick(KNOWN);
        let read = format!("FETCH_ONLY(a[i:1:1][j:{0}:{0}])", columns.0);
        self.line(format!("#pragma acc fcw {read} FETCH_WB(o[i:0:0][j:0:0])"));
        self.block("", |g| {
            g.line("o[i][j] = 0.5 * o[i][j] + a[i][j];");
            let value = neighbour_in_plane(-1, -columns.1);
            g.line(format!("if ((i + j) % 3 == 0) o[i][j] += {value} + b[i * m + j];"));
            if g.reduces {
                g.line("rs += o[i][j];");
            }
        });
    }

    fn plane_read(&mut self, _: usize) {
        let ((rows_text, rows), (columns_text, columns)) = self.halo_extents();
        let window = format!("a[i:{rows_text}:{rows_text}][j:{columns_text}:{columns_text}]");
        self.line(format!("#pragma acc fcw FETCH_ONLY({window})"));
        self.stencil((rows, columns));
    }

    fn plane_cached(&mut self, _: usize) {
        let columns = self.between(0, 3) as i32;
        self.line(format!("#pragma acc cache(a[i - 1:3][j - {columns}:{}])", 2 * columns + 1));
        self.stencil((1, columns));
    }

    /// The neighbours within the halo in each dimension.
    fn stencil(&mut self, (rows, columns): (i32, i32)) {
        let near = [(0, 0), (0, 1), (0, -1), (1, 0), (-1, 0), (-1, 1), (rows, -columns)];
        let inside = near.iter().filter(|(di, dj)| di.abs() <= rows && dj.abs() <= columns);
        let terms: Vec<String> = inside.map(|(di, dj)| neighbour_in_plane(*di, *dj)).collect();
        self.block("", |g| {
            g.line(format!("double t = {};", terms.join(" + ")));
            g.line("o[i][j] = t + b[i * m + j];");
            if g.reduces {
                g.line("rs += t;");
            }
        });
    }
}

/// `i - 2` and the like.
fn moved(variable: &str, by: i32) -> String {
    match by {
        0 => variable.to_owned(),
        1.. => format!("{variable} + {by}"),
        _ => format!("{variable} - {}", -by),
    }
}

/// The condition that keeps a moved subscript inside; none for the pivot.
fn edge(variable: &str, by: i32, end: &str) -> Option<String> {
    match by {
        0 => None,
        1.. => Some(format!("{variable} < {end} - {by}")),
        _ => Some(format!("{variable} >= {}", -by)),
    }
}

fn neighbour(pivot: &str, by: i32) -> String {
    let at = moved(pivot, by);
    match edge("i", by, "n * m") {
        Some(inside) if pivot == "i" => format!("({inside} ? a[{at}] : 0.25)"),
        None if pivot == "i" => format!("a[{at}]"),
        _ => format!("({at} >= 0 && {at} < n * m ? a[{at}] : 0.25)"),
    }
}

fn neighbour_in_plane(rows: i32, columns: i32) -> String {
    let element = format!("a[{}][{}]", moved("i", rows), moved("j", columns));
    let inside: Vec<String> = [edge("i", rows, "n"), edge("j", columns, "m")].into_iter().flatten().collect();
    if inside.is_empty() { element } else { format!("({} ? {element} : 0.5)", inside.join(" && ")) }
}

const MAIN: &str = r#"
static double a[N * M], b[N * M], o[N * M], p[N * M];

int main(void)
{
    void (*f[])(int, int, int, int, const double *, const double *, double *, double *, double *) = {NAMES};
    for (int i = 0; i < N * M; i++)
        a[i] = (i * 7 % 31) * 0.5 - 6, b[i] = (i * 11 % 29) - 10;
    for (unsigned k = 0; k < sizeof f / sizeof *f; k++) {
        double res[1] = {0};
        for (int i = 0; i < N * M; i++)
            o[i] = i, p[i] = -i;
        f[k](N, M, 1, 2, a, b, o, p, res);
        for (int i = 0; i < N * M; i++)
            printf("f%u %d %.9g %.9g\n", k, i, o[i], p[i]);
        printf("f%u res %.9g\n", k, res[0]);
    }
}"#;
