//! Another program as the strategy: it says what to measure, and is told the times, in lines of JSON.
//!
//! ```text
//! to it    {"kernel": "main:12", "parameters": {"block": ["64", "128"]}, "configurations": [{"block": "64"}, {"block": "128"}]}
//! to it    {"ask": 1}
//! from it  {"configuration": {"block": "128"}}      or {"done": true}
//! to it    {"tell": {"configuration": {"block": "128"}, "seconds": 0.0021}}
//! ```
//!
//! A configuration that failed has no seconds (`null`). One that is none of the space counts as failed at once. A program that ends, or
//! says something else, is done.

use super::{KnownTimes, Strategy};
use crate::space::TunableKernel;
use fastrand::Rng;
use serde_json::{Value, json};
use std::io::{BufRead, Write};

/// Questions that may be answered by what is no configuration, or known, one after the other.
const MOST: usize = 10_000;

pub struct External {
    to: Box<dyn Write + Send>,
    from: Box<dyn BufRead + Send>,
    begun: bool,
    asked: Option<usize>,
}

impl External {
    pub fn new(to: Box<dyn Write + Send>, from: Box<dyn BufRead + Send>) -> External {
        External { to, from, begun: false, asked: None }
    }

    fn begin(&mut self, kernel: &TunableKernel) -> std::io::Result<()> {
        let parameters: serde_json::Map<String, Value> =
            kernel.parameters.iter().map(|p| (p.name.clone(), json!(p.values))).collect();
        let all: Vec<Value> = (0..kernel.candidates.len()).map(|at| json!(kernel.values(at))).collect();
        self.say(&json!({"kernel": kernel.id, "parameters": parameters, "configurations": all}))
    }

    fn say(&mut self, what: &Value) -> std::io::Result<()> {
        writeln!(self.to, "{what}")?;
        self.to.flush()
    }

    fn tell(&mut self, configuration: &Value, seconds: f64) -> std::io::Result<()> {
        let seconds = if seconds.is_finite() { json!(seconds) } else { Value::Null };
        self.say(&json!({"tell": {"configuration": configuration, "seconds": seconds}}))
    }

    /// The next candidate; none where the program is done.
    fn ask(&mut self, known: &KnownTimes<'_>) -> std::io::Result<Option<usize>> {
        if !std::mem::replace(&mut self.begun, true) {
            self.begin(known.kernel)?;
        }
        if let Some(asked) = self.asked.take() {
            self.tell(&json!(known.kernel.values(asked)), known.of(asked))?;
        }
        for _ in 0..MOST {
            self.say(&json!({"ask": 1}))?;
            let mut line = String::new();
            self.from.read_line(&mut line)?;
            let answer: Value = serde_json::from_str(&line).unwrap_or_default();
            let Some(configuration) = answer.get("configuration") else {
                if answer.get("done").is_none() {
                    eprintln!("accl: note: {}: {}", known.kernel.id, unexpected(&line));
                }
                return Ok(None);
            };
            let is_it = |at: &usize| json!(known.kernel.values(*at)) == *configuration;
            match (0..known.len()).find(is_it) {
                Some(at) if known.is_new(at) => {
                    self.asked = Some(at);
                    return Ok(Some(at));
                }
                Some(at) => self.tell(configuration, known.of(at))?,
                None => self.tell(configuration, f64::INFINITY)?,
            }
        }
        Ok(None)
    }
}

/// What is told of an answer that is none.
fn unexpected(line: &str) -> String {
    match line.trim() {
        "" => "the engine ended before it said that it was done".to_owned(),
        line => format!("the engine says neither a configuration nor that it is done: {line}"),
    }
}

impl Strategy for External {
    fn batch(&mut self, known: &KnownTimes<'_>, _: &mut Rng) -> Vec<usize> {
        let asked = self.ask(known).unwrap_or_else(|_| {
            eprintln!("accl: note: {}: {}", known.kernel.id, unexpected(""));
            None
        });
        asked.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::tests::kernel;
    use crate::strategy::Engine;
    use std::sync::{Arc, Mutex};

    #[derive(Clone, Default)]
    struct Transcript(Arc<Mutex<Vec<u8>>>);

    impl Write for Transcript {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_program_asks_and_is_told() {
        let kernel = kernel(&["block=64", "block=128"]);
        let answers = "{\"configuration\": {\"block\": \"128\"}}\n{\"configuration\": {\"block\": \"7\"}}\n{\"done\": true}\n";
        let said = Transcript::default();
        let external = External::new(Box::new(said.clone()), Box::new(answers.as_bytes()));
        let mut engine = Engine::new(Box::new(external), &kernel, 1, usize::MAX);
        assert_eq!(engine.next(&kernel), Some(1));
        assert_eq!(engine.next(&kernel), None);
        engine.tell(1, 0.5);
        assert_eq!(engine.next(&kernel), None);
        let said = String::from_utf8(said.0.lock().unwrap().clone()).unwrap();
        let lines: Vec<&str> = said.lines().collect();
        assert!(
            lines[0].starts_with("{\"configurations\":[{\"block\":\"64\"},{\"block\":\"128\"}]"),
            "{said}"
        );
        assert_eq!(lines[2], "{\"tell\":{\"configuration\":{\"block\":\"128\"},\"seconds\":0.5}}");
        assert_eq!(lines[4], "{\"tell\":{\"configuration\":{\"block\":\"7\"},\"seconds\":null}}");
    }
}
