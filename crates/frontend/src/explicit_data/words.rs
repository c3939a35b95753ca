//! Data clauses and directives in the words of OpenMP and of OpenACC.

use super::Map;
use crate::openmpc::TextEdit;
use accl_source::Span;

/// Which maps a clause names.
type Wanted = fn(&Map) -> bool;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataWords {
    OpenMp,
    OpenAcc,
}

use DataWords::{OpenAcc, OpenMp};

impl DataWords {
    /// ` map(to: a[0:n]) map(tofrom: b)`
    pub fn of_construct(self, maps: &[Map]) -> String {
        let kinds: [(&str, Wanted); 3] = match self {
            OpenMp => [
                ("map(to: ", |m| !m.written),
                ("map(from: ", |m| m.written && !m.read),
                ("map(tofrom: ", |m| m.written && m.read),
            ],
            OpenAcc => [
                ("copyin(", |m| !m.written),
                ("copyout(", |m| m.written && !m.read),
                ("copy(", |m| m.written && m.read),
            ],
        };
        kinds.iter().map(|(word, is)| clause(word, maps, is)).collect()
    }

    /// The construct that keeps data for the one statement behind it.
    pub fn around(self, maps: &[Map]) -> String {
        let directive = if self == OpenMp { "#pragma omp target data" } else { "#pragma acc data" };
        format!("{directive}{}", self.of_construct(maps))
    }

    /// The directives before and behind several statements.
    pub fn enter_and_exit(self, maps: &[Map]) -> (String, String) {
        let all = |_: &Map| true;
        let (kept, written) = (|m: &Map| !m.written, |m: &Map| m.written);
        match self {
            OpenMp => (
                format!("#pragma omp target enter data{}", clause("map(to: ", maps, &all)),
                format!(
                    "#pragma omp target exit data{}{}",
                    clause("map(from: ", maps, &written),
                    clause("map(release: ", maps, &kept)
                ),
            ),
            OpenAcc => (
                format!("#pragma acc enter data{}", clause("copyin(", maps, &all)),
                format!(
                    "#pragma acc exit data{}{}",
                    clause("copyout(", maps, &written),
                    clause("delete(", maps, &kept)
                ),
            ),
        }
    }

    /// For a function that constructs call.
    pub fn of_function(self, definition: Span) -> Vec<TextEdit> {
        match self {
            OpenMp => vec![
                TextEdit::insert(definition.start, "#pragma omp declare target\n".into()),
                TextEdit::insert(definition.end, "\n#pragma omp end declare target".into()),
            ],
            OpenAcc => vec![TextEdit::insert(definition.start, "#pragma acc routine seq\n".into())],
        }
    }
}

fn clause(word: &str, maps: &[Map], is: &dyn Fn(&Map) -> bool) -> String {
    let names: Vec<String> = maps.iter().filter(|map| is(map)).map(Map::written_out).collect();
    if names.is_empty() { String::new() } else { format!(" {word}{})", names.join(", ")) }
}

impl Map {
    fn written_out(&self) -> String {
        match &self.section {
            Some((lower, length)) => format!("{}[{lower}:{length}]", self.name),
            None => self.name.clone(),
        }
    }
}
