//! What all grammars share: numbers from a seed, rules with weights, lines of C.
//!
//! A grammar is a struct with the state of what it writes (names in scope, loops around) and constant lists of [`Rules`];
//! [`Grammar::make`] follows one of them. A seed gives the same program on every machine.

/// splitmix64 (Steele, Lea, Flood 2014).
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 to `count - 1`.
    fn below(&mut self, count: usize) -> usize {
        ((u128::from(self.next()) * count as u128) >> 64) as usize
    }
}

/// What a word of a grammar may expand to, each with its weight. A rule receives the depth to which it may still
/// nest.
pub type Rules<G, T = String> = [(usize, fn(&mut G, usize) -> T)];

pub trait Grammar: Sized {
    fn dice(&mut self) -> &mut Dice;

    fn lines(&mut self) -> &mut Lines;

    fn make<T>(&mut self, rules: &Rules<Self, T>, depth: usize) -> T {
        let mut at = self.dice().below(rules.iter().map(|(weight, _)| weight).sum());
        let mut rules = rules.iter();
        loop {
            let Some((weight, rule)) = rules.next() else { unreachable!("the weights were added up") };
            if at < *weight {
                return rule(self, depth);
            }
            at -= weight;
        }
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.dice().below(from.len())].clone()
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.dice().below(100) < percent
    }

    /// Both ends are included.
    fn between(&mut self, first: usize, last: usize) -> usize {
        first + self.dice().below(last - first + 1)
    }

    fn line(&mut self, text: impl AsRef<str>) {
        self.lines().add(text.as_ref());
    }

    /// A line, a block that `inside` writes, and its end.
    fn block(&mut self, head: impl AsRef<str>, inside: impl FnOnce(&mut Self)) {
        self.line(format!("{} {{", head.as_ref()).trim_start());
        self.lines().indent += 1;
        inside(self);
        self.lines().indent -= 1;
        self.line("}");
    }
}

#[derive(Default)]
pub struct Lines {
    text: String,
    indent: usize,
}

impl Lines {
    fn add(&mut self, line: &str) {
        self.text.push_str(&"    ".repeat(self.indent));
        self.text.push_str(line);
        self.text.push('\n');
    }

    pub fn take(&mut self) -> String {
        std::mem::take(&mut self.text)
    }
}

/// `f0, f1, f2`: the functions of a program.
pub fn names(count: usize) -> String {
    (0..count).map(|k| format!("f{k}")).collect::<Vec<_>>().join(", ")
}

/// A `main` that calls functions `(int n, const double *a, double *res)`, and prints their results, of which there are `count`.
pub fn main_with_results(functions: usize, count: usize) -> String {
    MAIN_WITH_RESULTS.replace("NAMES", &names(functions)).replace("COUNT", &count.to_string())
}

const MAIN_WITH_RESULTS: &str = r#"
static double a[4096];

int main(void)
{
    void (*f[])(int, const double *, double *) = {NAMES};
    for (int i = 0; i < 4096; i++)
        a[i] = (i * 7 % 31) * 0.5 - 6;
    for (unsigned k = 0; k < sizeof f / sizeof *f; k++)
        for (int n = 29; n < 300; n += 201) {
            double res[COUNT] = {0};
            f[k](n, a, res);
            for (int i = 0; i < COUNT; i++)
                printf("f%u %d %d %.9g\n", k, n, i, res[i]);
        }
}"#;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_splitmix64() {
        let mut dice = Dice::new(1_234_567);
        let first = [dice.next(), dice.next(), dice.next()];
        assert_eq!(first, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }
}
