//! The options of all commands; few enough to share one reader.

use std::path::PathBuf;

#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Sections of `test`; empty: all.
    pub only: Vec<String>,
    pub filter: Option<String>,
    pub device: Option<String>,
    /// Of `random`: seeds, and which grammar.
    pub first: Option<u64>,
    pub count: Option<u64>,
    pub kind: Option<String>,
    /// How many random programs are packed.
    pub random: Option<u64>,
    pub save: bool,
    /// Of `bench`: how long compiling takes.
    pub compile: bool,
    pub prepare: Option<PathBuf>,
    /// Where `install` puts everything.
    pub prefix: Option<PathBuf>,
    /// What `programs --prepare` made on another machine.
    pub packed: Option<PathBuf>,
    /// Measure instead of checking.
    pub time: bool,
    /// Of `programs --time`: only this size; no further program after so many seconds; where the results go.
    pub size: Option<String>,
    pub limit: Option<u64>,
    pub results: Option<PathBuf>,
    /// Results to keep in docs/results.
    pub report: Vec<PathBuf>,
    /// Words that are no options.
    pub names: Vec<String>,
}

pub fn parse(words: &[String]) -> Result<Options, String> {
    let mut options = Options::default();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().cloned().ok_or_else(|| format!("argument to '{word}' is missing"));
        match word.as_str() {
            "--only" => options.only = value()?.split(',').map(str::to_owned).collect(),
            "--filter" => options.filter = Some(value()?),
            "--device" => options.device = Some(value()?),
            "--first" => options.first = Some(number(word, &value()?)?),
            "--count" => options.count = Some(number(word, &value()?)?),
            "--kind" => options.kind = Some(value()?),
            "--random" => options.random = Some(number(word, &value()?)?),
            "--prepare" => options.prepare = Some(value()?.into()),
            "--prefix" => options.prefix = Some(value()?.into()),
            "--report" => options.report.push(value()?.into()),
            "--packed" => options.packed = Some(value()?.into()),
            "--size" => options.size = Some(value()?),
            "--limit" => options.limit = Some(number(word, &value()?)?),
            "--results" => options.results = Some(value()?.into()),
            "--time" => options.time = true,
            "--compile" => options.compile = true,
            "--save" => options.save = true,
            word if word.starts_with('-') => return Err(format!("unknown option '{word}'")),
            name => options.names.push(name.to_owned()),
        }
    }
    Ok(options)
}

fn number(option: &str, text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("'{option}' needs a number, not '{text}'"))
}

impl Options {
    /// Programs are timed, here or elsewhere.
    pub fn is_measured(&self) -> bool {
        self.time || self.prepare.is_some()
    }

    /// The compiler that makes them.
    pub fn profile(&self) -> &'static str {
        if self.is_measured() { "release" } else { "debug" }
    }

    pub fn wants_section(&self, section: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|o| o == section)
    }

    pub fn wants_program(&self, name: &str) -> bool {
        self.filter.as_ref().is_none_or(|texts| texts.split(',').any(|text| name.contains(text)))
    }

    pub fn wants_device(&self, device: &str) -> bool {
        self.device.as_ref().is_none_or(|d| d == device)
    }
}
