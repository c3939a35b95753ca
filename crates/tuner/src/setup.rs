//! The setup file: what the user knows of the space.
//!
//! ```text
//! # parameters that keep their usual value
//! exclude restrict, useLoopCollapse
//! # steps that are not proven to be right, and are allowed
//! approve fastmath
//! # values to try
//! range block 64..256
//! range grid_stride 4, 8
//! cudaThreadBlockSize = 128, 256
//! ```
//!
//! Names are those of steps, or of paper 002's clauses and variables ([`accl_directives::openmpc`]), in any case of letters.

use crate::space::{OFF, TunableKernel};
use accl_directives::openmpc::{self, Meaning};

/// What the file says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Setup {
    /// Parameters, or steps that say what a thread runs.
    pub excluded: Vec<String>,
    pub approved: Vec<String>,
    pub ranges: Vec<ValueRange>,
    /// Names of the paper's that say nothing about the space today, with what became of them.
    pub notes: Vec<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ValueRange {
    pub name: String,
    pub values: Vec<AllowedValues>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum AllowedValues {
    /// As it is written in a schedule.
    Text(String),
    /// Of a number, or of the product of several, as in `block(64, 4)`.
    Between(u64, u64),
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    #[error(
        "line {line}: `exclude`, `approve` or `range` is expected, or a parameter with `=` and its values"
    )]
    Malformed { line: usize },
    #[error("line {line}: there is no parameter '{name}'")]
    Unknown { line: usize, name: String },
    #[error("line {line}: '{text}' ends before it begins")]
    Backwards { line: usize, text: String },
    #[error("line {line}: '{text}' is no range: numbers separated by commas are expected, or `64..256`")]
    Values { line: usize, text: String },
}

/// `known`: the steps, and the settings that can be approved.
pub fn parse(text: &str, known: &[&str]) -> Result<Setup, SetupError> {
    let mut setup = Setup::default();
    for (at, line) in text.lines().enumerate() {
        let (number, line) = (at + 1, line.split('#').next().unwrap_or_default().trim());
        if line.is_empty() {
            continue;
        }
        let (verb, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match verb.to_ascii_lowercase().as_str() {
            "exclude" => {
                for name in names(rest, number)? {
                    setup.excluded.extend(resolve(name, number, known, &mut setup.notes)?);
                }
            }
            "approve" => {
                for name in names(rest, number)? {
                    setup.approved.extend(resolve(name, number, known, &mut setup.notes)?);
                }
            }
            "range" => {
                let (name, list) = rest.trim().split_once(char::is_whitespace).unwrap_or((rest, ""));
                setup.range(name.trim(), list, number, known)?;
            }
            _ => {
                let (name, list) = line.split_once('=').ok_or(SetupError::Malformed { line: number })?;
                setup.range(name.trim(), list, number, known)?;
            }
        }
    }
    Ok(setup)
}

impl Setup {
    fn range(&mut self, name: &str, list: &str, line: usize, known: &[&str]) -> Result<(), SetupError> {
        let values = list.split(',').map(|text| values(text.trim(), line)).collect::<Result<Vec<_>, _>>()?;
        for name in resolve(name, line, known, &mut self.notes)? {
            self.ranges.push(ValueRange { name, values: values.clone() });
        }
        Ok(())
    }

    /// The candidates that the file allows.
    pub fn allowed(&self, kernel: &TunableKernel) -> Vec<usize> {
        let usual = kernel.candidates.iter().position(|c| c.schedule == kernel.usual);
        let allows = |at: &usize| {
            let values = kernel.values(*at);
            // What a thread runs is a step's text: `vectorize(4)`.
            let value = |name: &str| -> &str {
                let of_program = values.values().find(|value| value.split('(').next() == Some(name));
                values.get(name).or(of_program).copied().unwrap_or(OFF)
            };
            let usual_value = |name: &str| {
                let values = usual.map(|usual| kernel.values(usual));
                values.and_then(|values| values.get(name).copied()).unwrap_or(OFF)
            };
            let kept = |name: &String| match kernel.parameters.iter().any(|p| p.name == *name) {
                true => value(name) == usual_value(name),
                false => value(name) == OFF,
            };
            let within = |range: &ValueRange| {
                let value = value(&range.name);
                let value = value.strip_prefix(range.name.as_str()).unwrap_or(value);
                value == OFF || range.values.iter().any(|values| values.have(value))
            };
            self.excluded.iter().all(kept) && self.ranges.iter().all(within)
        };
        (0..kernel.candidates.len()).filter(allows).collect()
    }
}

impl AllowedValues {
    fn have(&self, value: &str) -> bool {
        match self {
            AllowedValues::Text(text) => text == value,
            AllowedValues::Between(least, most) => {
                let words = value.split(|c: char| !c.is_ascii_digit()).filter(|word| !word.is_empty());
                let numbers: Vec<u64> = words.filter_map(|word| word.parse().ok()).collect();
                !numbers.is_empty() && (*least..=*most).contains(&numbers.iter().product())
            }
        }
    }
}

fn names(list: &str, line: usize) -> Result<Vec<&str>, SetupError> {
    let names: Vec<&str> = list.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
    if names.is_empty() { Err(SetupError::Malformed { line }) } else { Ok(names) }
}

/// The parameters that a name stands for.
fn resolve(
    name: &str,
    line: usize,
    known: &[&str],
    notes: &mut Vec<String>,
) -> Result<Vec<String>, SetupError> {
    if let Some(own) = known.iter().find(|own| own.eq_ignore_ascii_case(name)) {
        return Ok(vec![(*own).to_owned()]);
    }
    let row = openmpc::find(name).ok_or_else(|| SetupError::Unknown { line, name: name.to_owned() })?;
    match row.meaning {
        Meaning::Steps(steps) => Ok(steps.iter().map(|step| (*step).to_owned()).collect()),
        Meaning::Settled => {
            notes.push(format!("{}: {}", row.name, row.today));
            Ok(vec![])
        }
    }
}

fn values(text: &str, line: usize) -> Result<AllowedValues, SetupError> {
    let number = |text: &str| {
        let wrong = |_| SetupError::Values { line, text: text.to_owned() };
        text.trim().parse::<u64>().map_err(wrong)
    };
    match text.split_once("..") {
        Some((least, most)) => match (number(least)?, number(most)?) {
            (least, most) if least <= most => Ok(AllowedValues::Between(least, most)),
            _ => Err(SetupError::Backwards { line, text: text.to_owned() }),
        },
        None if text.starts_with(|c: char| c.is_ascii_digit()) => {
            number(text).map(|n| AllowedValues::Between(n, n))
        }
        None if text.is_empty() => Err(SetupError::Values { line, text: String::new() }),
        None => Ok(AllowedValues::Text(text.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::tests::kernel;

    const KNOWN: &[&str] =
        &["block", "restrict", "vectorize", "shared_tile", "grid", "grid_stride", "fastmath"];

    #[test]
    fn names_of_the_paper_stand_for_steps() {
        let setup =
            parse("exclude noploopswap # as it is\nCUDATHREADBLOCKSIZE = 64, 128..256", KNOWN).unwrap();
        assert_eq!(setup.excluded, ["grid"]);
        assert_eq!(setup.ranges[0].name, "block");
        assert_eq!(
            setup.ranges[0].values,
            [AllowedValues::Between(64, 64), AllowedValues::Between(128, 256)]
        );
        let setup = parse("exclude useMallocPitch\napprove FastMath", KNOWN).unwrap();
        assert!(setup.excluded.is_empty() && setup.notes[0].starts_with("useMallocPitch: "));
        assert_eq!(setup.approved, ["fastmath"]);
    }

    #[test]
    fn what_is_wrong_has_its_line() {
        let unknown = SetupError::Unknown { line: 2, name: "blok".into() };
        assert_eq!(parse("\nexclude blok", KNOWN), Err(unknown));
        assert_eq!(parse("remove block", KNOWN), Err(SetupError::Malformed { line: 1 }));
        assert_eq!(parse("exclude", KNOWN), Err(SetupError::Malformed { line: 1 }));
        assert_eq!(parse("range block 4..x", KNOWN), Err(SetupError::Values { line: 1, text: "x".into() }));
        assert!(parse("range block", KNOWN).is_err());
        assert!(matches!(parse("range block 256..64", KNOWN), Err(SetupError::Backwards { line: 1, .. })));
    }

    #[test]
    fn candidates_are_kept_by_ranges_and_exclusions() {
        let kernel =
            kernel(&["block=64,2", "block=256", "block=256 restrict", "block=256 program=vectorize(4)"]);
        let allowed = |text: &str| parse(text, KNOWN).unwrap().allowed(&kernel);
        assert_eq!(allowed("range block 128"), [0]);
        assert_eq!(allowed("range block 200..300"), [1, 2, 3]);
        assert_eq!(allowed("exclude restrict, vectorize"), [0, 1]);
        assert_eq!(allowed("exclude block"), [0]);
        assert_eq!(allowed("range vectorize 8"), [0, 1, 2]);
        assert_eq!(allowed(""), [0, 1, 2, 3]);
    }
}
