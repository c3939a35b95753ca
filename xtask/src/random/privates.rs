//! Variables that a construct declares or has a copy of, which its gangs change and its loops use: as they are, or as copies of
//! their own that `private` gives them.
//!
//! A function is one construct. Each gang (team) sets the variables, and its loops write what they hold to `o`.
//!
//! Defined in C, and with a clear expected result, since all gangs do the same with their own variables. Where directives give a
//! copy, the program declares it by `OWN(…)`, which is nothing for a compiler that follows directives.

use super::grammar::{Dice, Grammar, Lines, Rules, names};

const FUNCTIONS: usize = 4;
const SLOTS: usize = 6;

struct Privates {
    dice: Dice,
    lines: Lines,
    openmp: bool,
    scalars: Vec<&'static str>,
    /// With their lengths.
    arrays: Vec<(&'static str, usize)>,
    /// How many loops there are so far.
    slots: usize,
}

impl Grammar for Privates {
    fn dice(&mut self) -> &mut Dice {
        &mut self.dice
    }

    fn lines(&mut self) -> &mut Lines {
        &mut self.lines
    }
}

pub fn openacc(seed: u64) -> String {
    program(seed, false)
}

pub fn openmp(seed: u64) -> String {
    program(seed, true)
}

const SCALARS: &[&str] = &["f1", "f2", "p1", "p2", "x", "y"];

fn program(seed: u64, openmp: bool) -> String {
    let mut g = Privates {
        dice: Dice::new(seed),
        lines: Lines::default(),
        openmp,
        scalars: SCALARS.to_vec(),
        arrays: vec![],
        slots: 0,
    };
    HEAD.lines().for_each(|line| g.line(line));
    for k in 0..FUNCTIONS {
        g.block(format!("static void f{k}(void)"), Privates::construct);
    }
    g.line(MAIN.replace("NAMES", &names(FUNCTIONS)));
    g.lines.take()
}

const STATEMENTS: &Rules<Privates, ()> = &[(4, Privates::assignment), (5, Privates::shared_loop)];

const VALUES: &Rules<Privates> = &[
    (5, |g, _| {
        let scalars = g.scalars.clone();
        g.pick(&scalars).to_owned()
    }),
    (2, |g, _| g.between(0, 9).to_string()),
    (2, |g, _| g.element()),
    (3, |g, depth| match depth.checked_sub(1) {
        None => "3".to_owned(),
        Some(depth) => {
            let (left, right) = (g.make(VALUES, depth), g.make(VALUES, depth));
            format!("({left} {} {right})", g.pick(&["+", "-"]))
        }
    }),
];

impl Privates {
    fn construct(&mut self) {
        let (firstprivate, count) = (self.chance(60), self.pick(&[1, 2, 3, 5, 8]));
        let numbers: Vec<String> = (0..6).map(|_| self.between(1, 9).to_string()).collect();
        self.line(format!("int f1 = {}, f2 = {}, p1 = -1, p2 = -2;", numbers[0], numbers[1]));
        self.line(format!("int fa[3] = {{{}, {}, 7}};", numbers[2], numbers[3]));
        let array = if firstprivate { ", fa" } else { "" };
        let copies = format!("firstprivate(f1, f2{array}) private(p1, p2)");
        let head = match self.openmp {
            true => format!("omp target teams num_teams({count}) thread_limit(32) {copies} map(tofrom: o)"),
            false => {
                let length = self.pick(&[1, 8, 32]);
                format!("acc parallel num_gangs({count}) vector_length({length}) {copies} copy(o)")
            }
        };
        self.line("OWN(int f1_ = f1, f2_ = f2, p1_ = p1, p2_ = p2, fa_[3] = {fa[0], fa[1], fa[2]};)");
        self.line(format!("#pragma {head}"));
        self.block("", |g| {
            g.line(format!("int x = {}, y = {};", numbers[4], numbers[5]));
            g.line("int t[4] = {1, 2, 3, 4};");
            g.line("p1 = f1 + 1;");
            g.line("p2 = f2 * 2;");
            g.arrays = if firstprivate { vec![("t", 4), ("fa", 3)] } else { vec![("t", 4)] };
            g.slots = 0;
            (0..g.between(2, 6)).for_each(|_| g.make(STATEMENTS, 2));
        });
        self.line("OWN(f1 = f1_; f2 = f2_; p1 = p1_; p2 = p2_; for (int k = 0; k < 3; k++) fa[k] = fa_[k];)");
        self.line("printf(\"%d %d %d %d %d\\n\", f1, f2, p1, p2, fa[0] + fa[1]);");
    }

    fn value(&mut self) -> String {
        self.make(VALUES, 2)
    }

    fn element(&mut self) -> String {
        let arrays = self.arrays.clone();
        match arrays.is_empty() {
            true => "2".to_owned(),
            false => {
                let (name, length) = self.pick(&arrays);
                format!("{name}[{}]", self.between(0, length - 1))
            }
        }
    }

    fn assignment(&mut self, _: usize) {
        let place = match self.chance(70) {
            true => self.pick(SCALARS).to_owned(),
            false => self.element(),
        };
        let place = if place == "2" { "x".to_owned() } else { place };
        let value = self.value();
        let around = self.pick(&["", "", "", "", "if (f1 > 4) ", "for (int q = 0; q < 3; q++) "]);
        self.line(format!("{around}{place} = {value} % 97;"));
    }

    /// A loop over gangs, some of which have loops over lanes inside.
    fn shared_loop(&mut self, _: usize) {
        if self.slots == SLOTS {
            return self.assignment(0);
        }
        let slot = self.slots;
        self.slots += 1;
        let (scalars, arrays) = (self.scalars.clone(), self.arrays.clone());
        let own: Vec<&str> = SCALARS.iter().copied().filter(|_| self.chance(25)).collect();
        let own_arrays: Vec<_> = arrays.iter().copied().filter(|_| self.chance(30)).collect();
        let nest = self.chance(60);
        let directive = match (self.openmp, nest) {
            (true, true) => "omp distribute",
            (true, false) => self.pick(&["omp distribute", "omp distribute parallel for"]),
            (false, true) => "acc loop gang",
            (false, false) => self.pick(&["acc loop gang", "acc loop gang vector"]),
        };
        let listed: Vec<&str> = own.iter().copied().chain(own_arrays.iter().map(|(name, _)| *name)).collect();
        let private =
            if listed.is_empty() { String::new() } else { format!(" private({})", listed.join(", ")) };
        self.line(format!("#pragma {directive}{private}"));
        self.block("for (int i = 0; i < N; i++)", |g| {
            own.iter().for_each(|name| g.line(format!("OWN(int {name};)")));
            own_arrays.iter().for_each(|(name, length)| g.line(format!("OWN(int {name}[{length}];)")));
            // Copies begin with what is not copied.
            g.scalars.retain(|name| !own.contains(name));
            g.arrays.retain(|array| !own_arrays.contains(array));
            if g.scalars.is_empty() {
                g.scalars.push("i");
            }
            let values: Vec<String> = own.iter().chain(&["i"; 2]).map(|_| g.value()).collect();
            own.iter().zip(&values).for_each(|(name, value)| g.line(format!("{name} = {value} + i;")));
            for (name, length) in &own_arrays {
                let value = g.value();
                if nest && g.chance(50) {
                    g.lanes("");
                }
                g.line(format!("for (int j = 0; j < {length}; j++) {name}[j] = i * j + {value};"));
            }
            (g.scalars, g.arrays) = (scalars.clone(), arrays.clone());
            if let Some(name) = own.first().filter(|_| g.chance(50)) {
                let value = g.value();
                g.line(format!("{name} += {value};"));
            }
            match nest {
                true => g.inner_loop(slot, own.first().copied()),
                false => {
                    let value = g.value();
                    g.line(format!("o[{slot}][i][0] = {value};"));
                }
            }
        });
    }

    fn lanes(&mut self, clause: &str) {
        let directive = if self.openmp { "omp parallel for" } else { "acc loop vector" };
        self.line(format!("#pragma {directive}{clause}"));
    }

    fn inner_loop(&mut self, slot: usize, own: Option<&str>) {
        let value = self.value();
        match self.between(0, 2) {
            0 => {
                self.lanes("");
                self.line(format!("for (int j = 0; j < 8; j++) o[{slot}][i][j] = j + {value};"));
            }
            1 => {
                let name = self.pick(SCALARS);
                self.lanes(&format!(" private({name})"));
                self.block("for (int j = 0; j < 8; j++)", |g| {
                    g.line(format!("OWN(int {name};)"));
                    g.line(format!("{name} = i * j + {slot};"));
                    g.line(format!("o[{slot}][i][j] = {name} + {value};"));
                });
            }
            _ => {
                let begin = self.value();
                self.line(format!("int r = {begin};"));
                self.lanes(" reduction(+:r)");
                self.line(format!("for (int j = 0; j < 8; j++) r += j * {value};"));
                self.line(format!("o[{slot}][i][2] = r;"));
            }
        }
        if let Some(name) = own.filter(|_| self.chance(40)) {
            let value = self.value();
            self.line(format!("{name} = {value};"));
            self.line(format!("o[{slot}][i][1] += {name};"));
        }
    }
}

const HEAD: &str = r"#include <stdio.h>
#if defined _OPENACC || defined _OPENMP
#define OWN(...)
#else
#define OWN(...) __VA_ARGS__
#endif
#define N 24
static int o[6][N][8];
";

const MAIN: &str = r#"
int main(void)
{
    void (*f[])(void) = {NAMES};
    for (unsigned k = 0; k < sizeof f / sizeof *f; k++) {
        f[k]();
        for (int slot = 0; slot < 6; slot++) {
            unsigned sum = 0;
            for (int i = 0; i < N; i++)
                for (int j = 0; j < 8; j++) {
                    sum = sum * 31 + o[slot][i][j];
                    o[slot][i][j] = 0;
                }
            printf("f%u %d %u\n", k, slot, sum);
        }
    }
}"#;
