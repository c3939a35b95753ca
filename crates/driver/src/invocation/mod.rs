//! Parses a compiler's command line.
//!
//! `accl cc` replaces `gcc` or `clang`, so it must read their command lines: which words are options, which options
//! take the next word, which words are inputs. [`parse`] turns the words into an [`Invocation`]; the rest of the
//! driver uses that and never looks at words again.
//!
//! Invariant: [`Invocation::items`] keeps every word for the host compiler, in its order, so that a command line in
//! which accl has nothing to do reaches the host compiler as the user wrote it. Acclimate's own options ([`Acc`])
//! are removed.
//!
//! Deliberately absent: knowledge of what the host compiler's options mean beyond their class. An
//! option that no table names is one word, for compiling and linking alike, and the host compiler
//! judges it.

mod acc;
mod language;
mod options;
mod others;
mod parameters;
mod response;
mod schedules;
mod standard;

pub use acc::{Acc, HELP, RemarkFilter, RemarkFormat, Target};
pub use language::Language;
pub use response::{expand, write_response_file};

use std::path::{Path, PathBuf};

/// A mistake on the command line itself: exit code 2.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct UsageError(pub String);

/// Which compiler is being replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Front {
    C,
    Cxx,
}

/// How far to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// `-E`, `-M`, `-MM`, `-fsyntax-only`, `-###`, `-dumpversion`, `--version` …: no code comes of it.
    Inform,
    /// `-S`
    Assembly,
    /// `-c`
    Object,
    Link,
}

/// What a host option is for, which determines the runs of the host compiler that get it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// `-I`, `-D`: consumed by preprocessing.
    Preprocess,
    /// `-MD`, `-MF`: the dependency file.
    Depend,
    /// `-l`, `-L`, `-Wl,`: linking alone. Order against inputs matters.
    Link,
    /// Everything else: `-O2`, `-g`, `-std=`, `-fPIC`, `-Wall` …
    Compile,
    /// `-c`, `-S`, `-o x`, `-x c`: options that this parser reads and generates again.
    Structure,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// One option with its separate argument, if any.
    Option { words: Vec<String>, class: Class },
    /// A source file, or "-".
    Source { path: PathBuf, language: Language },
    /// Anything the linker reads: objects, archives, scripts.
    Object(PathBuf),
}

/// The dependency options, `-MD -MF f -MT t`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Depend {
    /// "-MD" or "-MMD": a dependency file beside the object.
    pub mode: Option<String>,
    pub file: Option<PathBuf>,
    /// `-MT`/`-MQ` with their arguments, as given.
    pub targets: Vec<String>,
    /// `-MP`, `-MG` …
    pub flags: Vec<String>,
}

#[derive(Clone, Debug)]
pub struct Invocation {
    pub front: Front,
    pub mode: Mode,
    pub output: Option<PathBuf>,
    pub items: Vec<Item>,
    pub depend: Depend,
    pub acc: Acc,
    /// `-v`: show the commands.
    pub verbose: bool,
}

/// Reads a command line whose response files are expanded already.
pub fn parse(front: Front, words: Vec<String>) -> Result<Invocation, UsageError> {
    let mut reader =
        Reader { words: words.into_iter().peekable(), invocation: Invocation::new(front), forced: None };
    while let Some(word) = reader.words.next() {
        reader.word(word)?;
    }
    let mut invocation = reader.invocation;
    if invocation.mode == Mode::Inform {
        invocation.name_standard_input();
    }
    if invocation.acc.shared_runtime && invocation.mode == Mode::Inform {
        invocation.acc.shared_runtime = false;
    }
    Ok(invocation)
}

struct Reader {
    words: std::iter::Peekable<std::vec::IntoIter<String>>,
    invocation: Invocation,
    /// The language of `-x`, until `-x none`.
    forced: Option<Language>,
}

impl Reader {
    fn word(&mut self, word: String) -> Result<(), UsageError> {
        if word == "-" || !word.starts_with('-') {
            self.input(PathBuf::from(word));
            return Ok(());
        }
        if let Some(option) = acc::takes_argument(&word) {
            let argument = self.argument(&word)?;
            return self.invocation.acc.set(option, &argument);
        }
        if others::takes_argument(&word) {
            let argument = self.argument(&word)?;
            return match others::architecture(&argument) {
                Some(arch) => self.invocation.acc.set("--offload-arch", arch),
                None => Ok(()),
            };
        }
        if self.invocation.acc.read(&word, &mut self.invocation.items)? {
            return Ok(());
        }
        if let Some(items) = others::translated(&word) {
            self.invocation.items.extend(items);
            return Ok(());
        }
        self.host_option(word)
    }

    fn input(&mut self, path: PathBuf) {
        let language = self.forced.clone().or_else(|| Language::of_file(&path, self.invocation.front));
        self.invocation.items.push(match language {
            Some(language) => Item::Source { path, language },
            None => Item::Object(path),
        });
    }

    fn host_option(&mut self, word: String) -> Result<(), UsageError> {
        let (name, joined) = options::split(&word);
        let mut words = vec![word.clone()];
        let argument = match joined {
            Some(joined) => Some(joined.to_owned()),
            None if options::takes_argument(name) => {
                let argument = self.argument(&word)?;
                words.push(argument.clone());
                Some(argument)
            }
            None => None,
        };
        let class = self.structure(name, argument.as_deref()).unwrap_or_else(|| options::class(&word));
        self.invocation.items.push(Item::Option { words, class });
        Ok(())
    }

    /// Takes note of the options that steer the driver itself.
    fn structure(&mut self, name: &str, argument: Option<&str>) -> Option<Class> {
        let invocation = &mut self.invocation;
        match (name, argument) {
            ("-c", None) => invocation.raise(Mode::Object),
            ("-S", None) => invocation.raise(Mode::Assembly),
            ("-o", Some(file)) => invocation.output = Some(file.into()),
            ("-x", Some(language)) => self.forced = Language::of_option(language),
            ("-v", None) => {
                invocation.verbose = true;
                return None;
            }
            ("-MD" | "-MMD", None) => {
                invocation.depend.mode = Some(name.to_owned());
                return Some(Class::Depend);
            }
            ("-MF", Some(file)) => {
                invocation.depend.file = Some(file.into());
                return Some(Class::Depend);
            }
            ("-MT" | "-MQ", Some(target)) => {
                invocation.depend.targets.extend([name.to_owned(), target.to_owned()]);
                return Some(Class::Depend);
            }
            ("-MP" | "-MG" | "-MV", None) => {
                invocation.depend.flags.push(name.to_owned());
                return Some(Class::Depend);
            }
            (name, _) if options::only_informs(name) => {
                invocation.mode = Mode::Inform;
                return None;
            }
            _ => return None,
        }
        Some(Class::Structure)
    }

    fn argument(&mut self, word: &str) -> Result<String, UsageError> {
        self.words.next().ok_or_else(|| UsageError(format!("argument to '{word}' is missing")))
    }
}

impl Invocation {
    fn new(front: Front) -> Invocation {
        Invocation {
            front,
            mode: Mode::Link,
            output: None,
            items: vec![],
            depend: Depend::default(),
            acc: Acc::default(),
            verbose: false,
        }
    }

    /// `cc -E -`, unlike `cc -c -`, needs no `-x`.
    fn name_standard_input(&mut self) {
        let language = if self.front == Front::Cxx { Language::Cxx } else { Language::C };
        for item in &mut self.items {
            if matches!(item, Item::Object(path) if path == Path::new("-")) {
                *item = Item::Source { path: "-".into(), language: language.clone() };
            }
        }
    }

    /// The earliest stage asked for wins, as in gcc.
    fn raise(&mut self, mode: Mode) {
        let rank = |m| match m {
            Mode::Inform => 0,
            Mode::Assembly => 1,
            Mode::Object => 2,
            Mode::Link => 3,
        };
        if rank(mode) < rank(self.mode) {
            self.mode = mode;
        }
    }

    /// The sources in which directives can stand.
    pub fn sources(&self) -> impl Iterator<Item = (&Path, &Language)> {
        self.items.iter().filter_map(|item| match item {
            Item::Source { path, language } if language.may_hold_directives() => {
                Some((path.as_path(), language))
            }
            Item::Source { .. } | Item::Object(_) | Item::Option { .. } => None,
        })
    }

    /// Whether there is anything to compile or link.
    pub fn has_inputs(&self) -> bool {
        self.items.iter().any(|item| match item {
            Item::Source { .. } | Item::Object(_) => true,
            Item::Option { words, .. } => words[0].starts_with("-l"),
        })
    }

    /// The words of the options whose class `wanted` accepts.
    pub fn options(&self, wanted: impl Fn(Class) -> bool) -> Vec<String> {
        let mut found = vec![];
        for item in &self.items {
            if let Item::Option { words, class } = item
                && wanted(*class)
            {
                found.extend(words.iter().cloned());
            }
        }
        found
    }

    pub fn has_option(&self, wanted: impl Fn(&str) -> bool) -> bool {
        self.items.iter().any(|item| matches!(item, Item::Option { words, .. } if wanted(&words[0])))
    }

    /// Every word for the host compiler, without Acclimate's own options, in the user's order.
    pub fn host_words(&self) -> Vec<String> {
        let mut all = vec![];
        for item in &self.items {
            match item {
                Item::Option { words, .. } => all.extend(words.iter().cloned()),
                Item::Source { path, .. } | Item::Object(path) => {
                    all.push(path.to_string_lossy().into_owned())
                }
            }
        }
        all
    }
}

#[cfg(test)]
mod tests;
