//! Schedules: how a kernel's loops are mapped to a device, as a list of named steps.
//!
//! ```text
//! grid(j:x, i:y) block(64, 4) unroll_and_jam(i:4)
//! ```
//!
//! A schedule is data: the transforms propose schedules, a user may write one, and each variant says which one made it.
//! What a step does and which parameters it takes is known to the transforms alone (`transforms::map::steps`).
//!
//! ```text
//! schedule = step*
//! step     = name ('(' argument (',' argument)* ')')?
//! argument = (name ':')? (number | name)
//! ```

use accl_source::Span;
use std::fmt;
use std::str::FromStr;

/// Steps in the order in which they were written.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Schedule {
    pub steps: Vec<Step>,
}

/// One step with its parameters. A step without parameters chooses them itself.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    pub name: String,
    pub args: Vec<Arg>,
}

/// A parameter of a step, with the name of the loop or dimension that it is for: `4`, `i:4`, `i:y`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Arg {
    pub of: Option<String>,
    pub value: Value,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    Number(u32),
    Name(String),
}

/// A schedule that the user gave for a directive.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct GivenSchedule {
    pub schedule: Schedule,
    /// Where it is written, or the directive that it is for.
    pub span: Span,
    /// The file and line where it is written, where that is no part of the program.
    pub origin: Option<String>,
}

impl GivenSchedule {
    /// What its span shows.
    pub fn place(&self) -> String {
        match &self.origin {
            Some(origin) => format!("the schedule in {origin} is for this directive"),
            None => "this schedule".to_owned(),
        }
    }
}

/// Why a text is no schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotASchedule {
    /// The byte of the text where reading ended.
    pub at: usize,
    pub expected: &'static str,
}

impl Schedule {
    pub fn step(&self, name: &str) -> Option<&Step> {
        self.steps.iter().find(|step| step.name == name)
    }

    pub fn has(&self, name: &str) -> bool {
        self.step(name).is_some()
    }

    /// Puts a step in the place of the one of its name, or at the end.
    pub fn set(&mut self, step: Step) {
        match self.steps.iter_mut().find(|other| other.name == step.name) {
            Some(other) => *other = step,
            None => self.steps.push(step),
        }
    }
}

impl Step {
    pub fn new(name: &str, args: impl IntoIterator<Item = Arg>) -> Step {
        Step { name: name.to_owned(), args: args.into_iter().collect() }
    }

    /// The parameters that are numbers without a name.
    pub fn numbers(&self) -> Option<Vec<u32>> {
        self.args.iter().map(Arg::number).collect()
    }
}

impl Arg {
    pub fn of(name: &str, value: impl Into<Value>) -> Arg {
        Arg { of: Some(name.to_owned()), value: value.into() }
    }

    fn number(&self) -> Option<u32> {
        match (&self.of, &self.value) {
            (None, Value::Number(n)) => Some(*n),
            _ => None,
        }
    }
}

impl From<u32> for Value {
    fn from(n: u32) -> Value {
        Value::Number(n)
    }
}

impl From<&str> for Value {
    fn from(name: &str) -> Value {
        Value::Name(name.to_owned())
    }
}

impl<T: Into<Value>> From<T> for Arg {
    fn from(value: T) -> Arg {
        Arg { of: None, value: value.into() }
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let steps: Vec<String> = self.steps.iter().map(Step::to_string).collect();
        f.write_str(&steps.join(" "))
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let args: Vec<String> = self.args.iter().map(Arg::to_string).collect();
        match args.is_empty() {
            true => f.write_str(&self.name),
            false => write!(f, "{}({})", self.name, args.join(", ")),
        }
    }
}

impl fmt::Display for Arg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(of) = &self.of {
            write!(f, "{of}:")?;
        }
        match &self.value {
            Value::Number(n) => write!(f, "{n}"),
            Value::Name(name) => f.write_str(name),
        }
    }
}

impl fmt::Display for NotASchedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is expected", self.expected)
    }
}

impl std::error::Error for NotASchedule {}

impl FromStr for Schedule {
    type Err = NotASchedule;

    fn from_str(text: &str) -> Result<Schedule, NotASchedule> {
        let mut reader = Reader { text, at: 0 };
        let mut steps = vec![];
        while !reader.at_end() {
            steps.push(reader.step()?);
        }
        Ok(Schedule { steps })
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn at_end(&mut self) -> bool {
        self.at = self.text.len() - self.text[self.at..].trim_start().len();
        self.at == self.text.len()
    }

    fn eat(&mut self, c: char) -> bool {
        let found = !self.at_end() && self.text[self.at..].starts_with(c);
        self.at += if found { c.len_utf8() } else { 0 };
        found
    }

    fn error<T>(&self, expected: &'static str) -> Result<T, NotASchedule> {
        Err(NotASchedule { at: self.at, expected })
    }

    /// Letters, digits and underscores.
    fn word(&mut self) -> &'a str {
        self.at_end();
        let rest = &self.text[self.at..];
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn step(&mut self) -> Result<Step, NotASchedule> {
        let start = self.at;
        let name = self.word();
        if !name.starts_with(|c: char| c.is_alphabetic()) {
            self.at = start;
            return self.error("the name of a step");
        }
        let mut args = vec![];
        if self.eat('(') && !self.eat(')') {
            loop {
                args.push(self.arg()?);
                if self.eat(')') {
                    break;
                }
                if !self.eat(',') {
                    return self.error("`,` or `)`");
                }
            }
        }
        Ok(Step { name: name.to_owned(), args })
    }

    fn arg(&mut self) -> Result<Arg, NotASchedule> {
        let first = self.value()?;
        match first {
            Value::Name(of) if self.eat(':') => Ok(Arg { of: Some(of), value: self.value()? }),
            value => Ok(Arg { of: None, value }),
        }
    }

    fn value(&mut self) -> Result<Value, NotASchedule> {
        let start = self.at;
        let word = self.word();
        if word.is_empty() {
            return self.error("a number or a name");
        }
        if !word.starts_with(|c: char| c.is_ascii_digit()) {
            return Ok(Value::Name(word.to_owned()));
        }
        word.parse().map(Value::Number).or_else(|_| {
            self.at = start;
            self.error("a number of 32 bits")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schedule_is_printed_as_it_is_read() {
        let text = "grid(j:x, i:y) block(64, 4) unroll_and_jam(i:4) restrict";
        let schedule: Schedule = text.parse().unwrap();
        assert_eq!(schedule.to_string(), text);
        let jam = schedule.step("unroll_and_jam").unwrap();
        assert_eq!(jam.args, [Arg::of("i", 4)]);
        assert_eq!(schedule.step("block").unwrap().numbers(), Some(vec![64, 4]));
        assert_eq!("".parse(), Ok(Schedule::default()));
        assert_eq!(" vectorize ( )  ".parse::<Schedule>().unwrap().to_string(), "vectorize");
    }

    #[test]
    fn what_is_no_schedule_is_told_with_its_place() {
        let error = |text: &str| text.parse::<Schedule>().unwrap_err();
        assert_eq!(error("block(64 4)"), NotASchedule { at: 9, expected: "`,` or `)`" });
        assert_eq!(error("block(64,)"), NotASchedule { at: 9, expected: "a number or a name" });
        assert_eq!(error("block(64) 4"), NotASchedule { at: 10, expected: "the name of a step" });
        assert_eq!(error("block(99999999999)"), NotASchedule { at: 6, expected: "a number of 32 bits" });
        assert_eq!(error("ü(").at, 3);
    }
}
