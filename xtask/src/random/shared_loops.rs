//! Loops that threads of a region share, one after the other (`-fopenmpc`): some exchange elements with the next ones, others could
//! be one loop with them.
//!
//! A loop writes elements of one array, each iteration its own or all a permutation, and reads others, which are not the same memory
//! under another name. So it has no race, whatever it does to the loops before and after it. All are integers, whose sums have one
//! result.

use super::grammar::{Dice, Grammar, Lines};

const FUNCTIONS: usize = 5;

/// With a number for each piece of memory.
const ARRAYS: &[(&str, usize)] = &[("a", 0), ("b", 1), ("c", 2), ("d", 3), ("p", 2), ("q", 3)];

struct SharedLoops {
    dice: Dice,
    lines: Lines,
    /// The value of `s` is that of a loop before.
    summed: bool,
}

impl Grammar for SharedLoops {
    fn dice(&mut self) -> &mut Dice {
        &mut self.dice
    }

    fn lines(&mut self) -> &mut Lines {
        &mut self.lines
    }
}

pub fn program(seed: u64) -> String {
    let mut g = SharedLoops { dice: Dice::new(seed), lines: Lines::default(), summed: false };
    HEAD.lines().for_each(|line| g.line(line));
    for k in 0..FUNCTIONS {
        g.block(format!("static void f{k}(int n, long *p, long *q)"), SharedLoops::function);
    }
    let (p, q) = (g.pick(&["c", "c", "c + 1", "c + 3"]), g.pick(&["d", "d", "d + 2"]));
    let calls: Vec<String> = (0..FUNCTIONS).map(|k| format!("f{k}(n, {p}, {q});")).collect();
    g.line(MAIN.replace("CALLS", &calls.join(" ")));
    g.lines.take()
}

impl SharedLoops {
    fn function(&mut self) {
        self.line("long s = 0, t = 1, own;");
        self.line("int i, k;");
        self.summed = false;
        if self.chance(70) {
            self.line("#pragma omp parallel private(i, k, own)");
            self.block("", |g| (0..g.between(2, 7)).for_each(|_| g.shared_loop("for")));
        } else {
            (0..self.between(2, 5)).for_each(|_| self.shared_loop("parallel for private(k, own)"));
        }
        self.line("printf(\"%ld %ld\\n\", s, t);");
    }

    fn shared_loop(&mut self, directive: &str) {
        let in_region = directive == "for";
        if self.summed && self.chance(30) {
            if in_region {
                self.line("#pragma omp single");
            }
            let value = self.pick(&["s % 11", "t + s % 5", "3 - s % 7"]);
            self.line(format!("t = {value};"));
        } else if in_region && self.chance(15) {
            self.line("#pragma omp barrier");
        }
        let (target, memory) = self.pick(ARRAYS);
        let permuted = self.chance(15);
        let sums = self.chance(35);
        let reduction = if sums { " reduction(+ : s)" } else { "" };
        let schedule = self.pick(&["", "", " schedule(static)", " schedule(dynamic, 4)"]);
        self.line(format!("#pragma omp {directive}{reduction}{schedule}"));
        let first = self.pick(&["0", "0", "0", "1"]);
        self.block(format!("for (i = {first}; i < n; i++)"), |g| {
            let value = g.value(target, memory, permuted, sums);
            match g.between(0, 3) {
                0 => g.line(format!("own = {value};")),
                1 => {
                    g.line("own = i % 3;");
                    let term = g.value(target, memory, true, sums);
                    g.line(format!("for (k = 0; k < 4; k++) own += k * ({term});"));
                }
                2 => g.line(format!("own = i % 4 == 1 ? {value} : 5;")),
                _ => g.line(format!("own = {value} + 1;")),
            }
            if sums {
                g.line("s += own % 13;");
            }
            if !sums || g.chance(60) {
                let place = if permuted { format!("{target}[at[i]]") } else { format!("{target}[i]") };
                g.line(format!("{place} = own % 1009;"));
            }
        });
        self.summed |= sums;
    }

    /// `whole`: the target's element is not the iteration's to read.
    fn value(&mut self, target: &str, memory: usize, whole: bool, sums: bool) -> String {
        let mut terms = vec![];
        for _ in 0..self.between(1, 3) {
            let (array, of) = self.pick(ARRAYS);
            let index = self.pick(&["i", "i", "i", "i + 1", "at[i]", "0"]);
            if of != memory {
                terms.push(format!("{array}[{index}]"));
            } else if !whole {
                terms.push(format!("{target}[i]"));
            } else if !sums && self.chance(50) {
                terms.push(self.pick(&["s", "t"]).to_owned());
            } else {
                terms.push("i".to_owned());
            }
        }
        terms.join(self.pick(&[" + ", " - ", " + 2 * "]))
    }
}

const HEAD: &str = r#"#include <stdio.h>
enum { N = 403 };
static long a[N + 4], b[N + 4], c[N + 4], d[N + 4];
static int at[N + 4];
"#;

const MAIN: &str = r#"
static void show(const char *name, const long *x)
{
    long sum = 0;
    for (int i = 0; i < N + 4; i++)
        sum = (sum * 31 + x[i]) % 1000003;
    printf("%s %ld\n", name, sum);
}

int main(void)
{
    static const int sizes[] = {N, 0, 1, 97};
    for (int i = 0; i < N + 4; i++) {
        a[i] = i % 17;
        b[i] = 3 - i % 5;
        c[i] = i % 101;
        d[i] = 7 * i % 23;
    }
    for (int round = 0; round < 4; round++) {
        int n = sizes[round];
        for (int i = 0; i < n; i++)
            at[i] = (int)((i * 5L + 2) % n);
        CALLS
        show("a", a);
        show("b", b);
        show("c", c);
        show("d", d);
    }
    return 0;
}"#;
