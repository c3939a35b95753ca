//! Data clauses: of arrays that are parameters with declared extents (constants, expressions of other parameters), pointers
//! to rows, arrays of the file and of the function, whole and in sections; one variable in two clauses; regions within
//! regions, `enter data` and `exit data`; `update` of parts.
//!
//! A function has three matrices of 24 rows of 20, however it declares them, and one or two loops over each, in regions.
//!
//! Defined, since
//! - nothing reads what a region leaves unwritten on the device: an array that is only created is written as a
//!   whole before;
//! - the host uses an array within a region only after `update self`, and after changing it comes `update device`;
//! - of two clauses with the same variable the first decides what happens at the entry, and the last what happens
//!   at the exit.

use super::grammar::{Dice, Grammar, Lines, Rules, names};

const FUNCTIONS: usize = 6;

struct Clauses {
    dice: Dice,
    lines: Lines,
    /// Matrices whose number of columns is no constant.
    variable: Vec<String>,
}

impl Grammar for Clauses {
    fn dice(&mut self) -> &mut Dice {
        &mut self.dice
    }

    fn lines(&mut self) -> &mut Lines {
        &mut self.lines
    }
}

pub fn program(seed: u64) -> String {
    let mut g = Clauses { dice: Dice::new(seed), lines: Lines::default(), variable: vec![] };
    g.line("#include <stdio.h>\n#define R 24\n#define C 20\nstatic double file[R][C], line[R];");
    for k in 0..FUNCTIONS {
        let head = g.head(k);
        g.block(head.0, |g| g.function(head.1));
    }
    g.line(MAIN.replace("NAMES", &names(FUNCTIONS)));
    g.lines.take()
}

/// How a matrix of R rows is declared, and whether that says how many rows there are.
const DECLARATIONS: &[(&str, bool)] = &[
    ("double X[R][C]", true),
    ("double X[R][C]", true),
    ("double X[r][c]", true),
    ("double X[static R][C]", true),
    ("double X[restrict R][C]", true),
    ("double X[r + 1 - 1][C]", true),
    ("double X[][C]", false),
    ("double (*X)[C]", false),
    ("double (*restrict X)[c]", false),
];

const VALUES: &Rules<Clauses> = &[
    (4, |g, _| g.pick(&["A[i][j]", "A[i][C - 1 - j]", "A[R - 1 - i][j]"]).to_owned()),
    (2, |_, _| "line[i]".to_owned()),
    (2, |_, _| "here[j]".to_owned()),
    (2, |_, _| "file[i][j]".to_owned()),
    (1, |_, _| "i * 0.5 + j".to_owned()),
];

/// Of a matrix that is read only; read and written; written whole.
const INPUTS: &[&str] = &[
    "copyin(X)",
    "copyin(always: X)",
    "copy(alwaysin: X)",
    "copyin(X) copyin(X)",
    "copyin(X) create(X)",
    "copy(X) copyin(X)",
];
const BOTH: &[&str] =
    &["copy(X)", "copy(always: X)", "copy(X) copy(X)", "copyin(X) copyout(X)", "copy(X) copyout(X)"];
const OUTPUTS: &[&str] =
    &["copyout(X)", "copyout(alwaysout: X)", "copy(X)", "create(X) copyout(X)", "copyout(X) copyout(X)"];

impl Clauses {
    fn head(&mut self, k: usize) -> (String, [bool; 3]) {
        let mut sized = [false; 3];
        let mut parameters = vec![];
        self.variable.clear();
        for (index, name) in ["A", "B", "D"].into_iter().enumerate() {
            let (text, known) = self.pick(DECLARATIONS);
            parameters.push(text.replace('X', name));
            if text.contains("[c]") {
                self.variable.push(name.to_owned());
            }
            sized[index] = known;
        }
        (format!("static void f{k}(int r, int c, {})", parameters.join(", ")), sized)
    }

    /// A matrix as a clause names it.
    fn named(&mut self, name: &str, sized: bool) -> String {
        // Where the declaration has its own name for the number of columns the section has, too.
        let columns = if self.variable.contains(&name.to_owned()) { "c" } else { "C" };
        let section =
            self.pick(&["", "", "", "[0:R]", "[0:r]", "[0:R][0:C]", "[:r][:C]"]).replace('C', columns);
        let section = if sized || !section.is_empty() { section } else { "[0:r]".to_owned() };
        format!("{name}{section}")
    }

    fn clause(&mut self, from: &[&'static str], name: &str, sized: bool) -> String {
        // The same section in both: of two a compute construct takes none.
        let named = self.named(name, sized);
        self.pick(from).replace('X', &named)
    }

    fn function(&mut self, sized: [bool; 3]) {
        self.line("double here[C];");
        self.line("for (int j = 0; j < c; j++) here[j] = 0.25 * j;");
        let a = self.clause(INPUTS, "A", sized[0]);
        let b = self.clause(BOTH, "B", sized[1]);
        let d = self.clause(OUTPUTS, "D", sized[2]);
        let small = self.pick(&[
            "copyin(line, here)",
            "copyin(line[0:R], here[0:c])",
            "copyin(here) copyin(line)",
            "",
        ]);
        let all = format!("{a} {b} {d} {small}");
        match self.between(0, 3) {
            0 => {
                // Everything on the construct.
                self.nest(&all, "D", "=", sized);
                self.nest(&format!("{a} {b} {small}"), "B", "+=", sized);
            }
            1 | 2 => {
                self.line(format!("#pragma acc data {all}").trim_end());
                self.block("", |g| g.inside(sized));
            }
            _ => {
                let (a, b, d) =
                    (self.named("A", sized[0]), self.named("B", sized[1]), self.named("D", sized[2]));
                self.line(format!("#pragma acc enter data copyin({a}, {b}) create({d})"));
                self.inside(sized);
                self.line(format!("#pragma acc exit data delete({a}) copyout({b}, {d})"));
            }
        }
    }

    /// Where all is on the device.
    fn inside(&mut self, sized: [bool; 3]) {
        let present = ["", "present(A, B, D)", "default(present)"];
        let words = self.pick(&present[..if sized == [true; 3] { 2 } else { 1 }]);
        self.nest(words, "D", "=", sized);
        if self.chance(40) {
            let rows = self.pick(&["[2:5]", "[0:r]", "[r - 3:3]", "[1:1]"]);
            let (first, count) = rows[1..rows.len() - 1].split_once(':').unwrap_or(("0", "1"));
            self.line(format!("#pragma acc update self(B{rows})"));
            self.line(format!(
                "for (int i = {first}; i < {first} + {count}; i++) for (int j = 0; j < c; j++) B[i][j] -= i;"
            ));
            self.line(format!("#pragma acc update device(B{rows})"));
        }
        if self.chance(40) {
            let clause = self.pick(&["copyin", "create", "copy", "no_create"]);
            let (a, b) = (self.named("A", sized[0]), self.named("B", sized[1]));
            self.line(format!("#pragma acc data {clause}({a}, {b})"));
            return self.block("", |g| g.nest("", "B", "+=", sized));
        }
        let words = self.pick(&["", "copyin(line)", "copy(file)"]);
        self.nest(words, "B", "+=", sized);
    }

    /// A loop over all elements of `written`.
    fn nest(&mut self, clauses: &str, written: &str, operator: &str, _: [bool; 3]) {
        let construct = self.pick(&[
            "parallel loop collapse(2)",
            "parallel loop",
            "kernels loop independent",
            "parallel loop gang vector collapse(2)",
        ]);
        self.line(format!("#pragma acc {construct} {clauses}").trim_end());
        let value = self.make(VALUES, 0);
        self.line("for (int i = 0; i < r; i++)");
        self.line("    for (int j = 0; j < c; j++)");
        let other = if written == "B" { "0.5 * D[i][j]" } else { "B[i][j]" };
        let other = if clauses.is_empty() || clauses.contains("D") || written == "D" { other } else { "1" };
        self.line(format!("        {written}[i][j] {operator} {value} + {other};"));
    }
}

const MAIN: &str = r#"
static double A[R][C], B[R][C], D[R][C];

int main(void)
{
    void (*f[])(int, int, double (*)[C], double (*)[C], double (*)[C]) = {NAMES};
    for (unsigned k = 0; k < sizeof f / sizeof *f; k++) {
        for (int i = 0; i < R; i++) {
            line[i] = i * 0.125;
            for (int j = 0; j < C; j++)
                A[i][j] = i + j, B[i][j] = i - j, D[i][j] = -1, file[i][j] = i * j % 7;
        }
        f[k](R, C, A, B, D);
        for (int i = 0; i < R; i++)
            for (int j = 0; j < C; j++)
                printf("f%u %d %d %.9g %.9g\n", k, i, j, B[i][j], D[i][j]);
    }
    return 0;
}"#;
