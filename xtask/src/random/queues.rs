//! Asynchronous queues: constructs and transfers in queues of their own, which wait for each other by `wait` clauses, by
//! directives that stop the host, and by such that make a queue wait; the host's work between them.
//!
//! A function is a sequence of such operations on four arrays within a data region, and on a sum that loops reduce into.
//!
//! Defined, and the same as one after the other, since the grammar keeps for each array
//! - which queues may still be at work on it: an operation in another queue waits for these first;
//! - whether the host's copy or the device's is the newest: the other one is updated before it is used.

use super::grammar::{Dice, Grammar, Lines, Rules, names};

const FUNCTIONS: usize = 2;
const ARRAYS: usize = 4;
/// After the arrays: a variable of the host alone.
const SUM: usize = ARRAYS;
const PARAMETERS: &str =
    "int n, int q, double *restrict w0, double *restrict w1, double *restrict w2, double *restrict w3";

#[derive(Clone, Default)]
struct State {
    queues: Vec<usize>,
    on_host: bool,
    on_device: bool,
}

struct Queues {
    dice: Dice,
    lines: Lines,
    arrays: Vec<State>,
}

impl Grammar for Queues {
    fn dice(&mut self) -> &mut Dice {
        &mut self.dice
    }

    fn lines(&mut self) -> &mut Lines {
        &mut self.lines
    }
}

pub fn program(seed: u64) -> String {
    let mut g = Queues { dice: Dice::new(seed), lines: Lines::default(), arrays: vec![] };
    g.line("#include <stdio.h>\nenum { N = 300 };\nstatic double s;");
    for k in 0..FUNCTIONS {
        g.block(format!("static void f{k}({PARAMETERS})"), Queues::function);
    }
    g.line(MAIN.replace("NAMES", &names(FUNCTIONS)));
    g.lines.take()
}

const OPERATIONS: &Rules<Queues, ()> = &[
    (12, Queues::construct),
    (3, Queues::fetch),
    (3, Queues::send),
    (3, Queues::host_works),
    (3, Queues::sum),
    (1, Queues::host_uses_sum),
    (1, |g, _| {
        g.line("#pragma acc wait");
        g.arrays.iter_mut().for_each(|a| a.queues.clear());
    }),
];

/// The number of a queue as the program writes it; `q` is 2.
fn named(queue: usize, dice: usize) -> String {
    match (queue, dice) {
        (2, 0) => "q".to_owned(),
        (3, 0) => "q + 1".to_owned(),
        (1, 0) => "q - 1".to_owned(),
        _ => queue.to_string(),
    }
}

impl Queues {
    fn function(&mut self) {
        self.arrays = vec![State { on_host: true, ..State::default() }; ARRAYS + 1];
        let structured = self.chance(60);
        let begin = if structured {
            "data copy(w0[0:N], w1[0:N]) copyin(w2[0:N], w3[0:N])"
        } else {
            "enter data create(w0[0:N], w1[0:N], w2[0:N], w3[0:N])"
        };
        self.line(format!("#pragma acc {begin}"));
        if structured {
            self.arrays.iter_mut().for_each(|a| a.on_device = true);
            return self.block("", |g| {
                g.operations();
                (0..2)
                    .filter(|a| !g.arrays[*a].on_device)
                    .collect::<Vec<_>>()
                    .into_iter()
                    .for_each(|a| g.update("device", a));
                g.end(2);
                g.line("#pragma acc wait");
            });
        }
        self.operations();
        self.end(0);
        let queue = self.pick(&["async(3)", "async", ""]);
        self.line("#pragma acc wait");
        self.line(
            format!("#pragma acc exit data delete(w0[0:N], w1[0:N], w2[0:N], w3[0:N]) {queue}").trim_end(),
        );
        self.line("#pragma acc wait");
    }

    fn operations(&mut self) {
        for _ in 0..self.between(6, 14) {
            self.make(OPERATIONS, 0);
        }
    }

    /// What the region does not bring back itself.
    fn end(&mut self, first: usize) {
        for array in first..ARRAYS {
            if !self.arrays[array].on_host {
                self.update("self", array);
            }
        }
    }

    /// A queue, none: the host waits.
    fn queue(&mut self) -> Option<usize> {
        if self.chance(20) { None } else { Some(self.between(0, 3)) }
    }

    /// Makes `queue` wait for all others that use these arrays; what of that a clause says is returned.
    fn order(&mut self, queue: Option<usize>, arrays: &[usize]) -> String {
        let mut others: Vec<usize> = arrays
            .iter()
            .flat_map(|a| self.arrays[*a].queues.clone())
            .filter(|p| Some(*p) != queue)
            .collect();
        others.sort_unstable();
        others.dedup();
        let mut clause = String::new();
        if !others.is_empty() {
            let dice = self.between(0, 1);
            let list = others.iter().map(|p| named(*p, dice)).collect::<Vec<_>>().join(", ");
            match (queue, self.between(0, 2)) {
                (_, 0) => clause = format!(" wait({list})"),
                (Some(queue), 1) => {
                    self.line(format!("#pragma acc wait({list}) async({})", named(queue, dice)))
                }
                _ => {
                    self.line(format!("#pragma acc wait({list})"));
                    for array in &mut self.arrays {
                        array.queues.retain(|p| !others.contains(p));
                    }
                }
            }
        }
        for array in arrays {
            let queues = &mut self.arrays[*array].queues;
            // What waited for the others ends after them.
            queues.clear();
            queues.extend(queue);
        }
        clause
    }

    fn clause(&mut self, queue: Option<usize>) -> String {
        let dice = self.between(0, 1);
        queue.map_or_else(String::new, |queue| format!(" async({})", named(queue, dice)))
    }

    fn construct(&mut self, _: usize) {
        let count = self.between(1, 3);
        let mut arrays: Vec<usize> = vec![];
        for _ in 0..count {
            let array = self.between(0, ARRAYS - 1);
            if !arrays.contains(&array) {
                arrays.push(array);
            }
        }
        for array in &arrays {
            if !self.arrays[*array].on_device {
                self.update("device", *array);
            }
        }
        let queue = self.queue();
        let waits = self.order(queue, &arrays);
        let (clause, construct) = (
            self.clause(queue),
            self.pick(&[
                "parallel loop",
                "kernels loop independent",
                "serial loop",
                "parallel loop gang vector",
            ]),
        );
        let clauses = if self.chance(50) { format!("{clause}{waits}") } else { format!("{waits}{clause}") };
        let names = arrays.iter().map(|a| format!("w{a}")).collect::<Vec<_>>().join(", ");
        let present = if self.chance(60) { format!(" present({names})") } else { String::new() };
        self.line(format!("#pragma acc {construct}{clauses}{present}"));
        let written = arrays[0];
        let factor = self.pick(&["0.5", "0.25", "1.5"]);
        let others: String = arrays[1..]
            .iter()
            .map(|a| format!(" + w{a}[{}]", self.pick(&["i", "N - 1 - i", "(i * 7) % N"])))
            .collect();
        self.block("for (int i = 0; i < n; i++)", |g| {
            g.line(format!("w{written}[i] = {factor} * w{written}[i]{others} + i;"))
        });
        self.arrays[written].on_host = false;
    }

    fn update(&mut self, to: &str, array: usize) {
        let queue = self.queue();
        let waits = self.order(queue, &[array]);
        let clause = self.clause(queue);
        let section = self.pick(&["[0:N]", "[0:n]", "[:N]"]);
        self.line(format!("#pragma acc update {to}(w{array}{section}){clause}{waits}"));
        let state = &mut self.arrays[array];
        (state.on_host, state.on_device) = (true, true);
    }

    fn fetch(&mut self, _: usize) {
        let array = self.between(0, ARRAYS - 1);
        if self.arrays[array].on_device {
            self.update("self", array);
        }
    }

    fn send(&mut self, _: usize) {
        let array = self.between(0, ARRAYS - 1);
        if self.arrays[array].on_host {
            self.update("device", array);
        }
    }

    fn host_works(&mut self, _: usize) {
        let array = self.between(0, ARRAYS - 1);
        if !self.arrays[array].on_host {
            self.update("self", array);
        }
        self.host_waits(array);
        let by = self.between(1, 3);
        self.line(format!("for (int i = 0; i < n; i += {by}) w{array}[i] = 0.5 * w{array}[i] - {by};"));
        self.arrays[array].on_device = false;
    }

    fn host_waits(&mut self, array: usize) {
        let queues = std::mem::take(&mut self.arrays[array].queues);
        if !queues.is_empty() {
            let list = queues.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
            self.line(format!("#pragma acc wait({list})"));
            for state in &mut self.arrays {
                state.queues.retain(|p| !queues.contains(p));
            }
        }
    }

    fn sum(&mut self, _: usize) {
        let array = self.between(0, ARRAYS - 1);
        if !self.arrays[array].on_device {
            self.update("device", array);
        }
        let queue = self.queue();
        let waits = self.order(queue, &[array, SUM]);
        let clause = self.clause(queue);
        let construct = self.pick(&["parallel loop", "kernels loop", "parallel loop gang vector"]);
        self.line(format!("#pragma acc {construct} reduction(+:s){clause}{waits}"));
        self.line(format!("for (int i = 0; i < n; i++) s += w{array}[i];"));
    }

    fn host_uses_sum(&mut self, _: usize) {
        self.host_waits(SUM);
        self.line("s = 0.25 * s + 1;");
    }
}

const MAIN: &str = r#"
static double w[4][N];

int main(void)
{
    void (*f[])(int, int, double *, double *, double *, double *) = {NAMES};
    for (unsigned k = 0; k < sizeof f / sizeof *f; k++) {
        for (int a = 0; a < 4; a++)
            for (int i = 0; i < N; i++)
                w[a][i] = i % (7 + a) - a;
        s = k;
        f[k](N, 2, w[0], w[1], w[2], w[3]);
        printf("f%u s %.9g\n", k, s);
        for (int i = 0; i < N; i++)
            printf("f%u %d %.9g %.9g %.9g %.9g\n", k, i, w[0][i], w[1][i], w[2][i], w[3][i]);
    }
    return 0;
}"#;
