//! The programs that were parsed last, and the texts that Clang rejected. A file with constructs that stay on the host is
//! translated once more for each round of these, and its text is the same then.

use crate::ast::Program;
use crate::{Error, Language};
use accl_source::FileId;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::path::PathBuf;

/// All that a program follows from.
#[derive(PartialEq)]
pub struct Source {
    pub clang: PathBuf,
    pub language: Language,
    pub args: Vec<String>,
    pub file: FileId,
    pub by_gcc: bool,
    pub buffer: String,
}

/// A round parses the text as it is, and with what OpenMPC and each step for templates and lambdas made of it, which Clang may reject.
const KEPT: usize = 16;

/// The program, or Clang's messages.
type Parsed = Result<Program, String>;

thread_local! {
    static LAST: RefCell<VecDeque<(Source, Parsed)>> = const { RefCell::new(VecDeque::new()) };
}

/// The program of the source, which `parse` reads where it is not among the last ones of this thread.
pub fn program(
    source: Source,
    parse: impl FnOnce(&Source) -> Result<Program, Error>,
) -> Result<Program, Error> {
    let known = LAST.with_borrow(|last| last.iter().find(|(of, _)| *of == source).map(|(_, p)| p.clone()));
    if let Some(parsed) = known {
        return parsed.map_err(Error::Clang);
    }
    let parsed = match parse(&source) {
        Ok(program) => Ok(program),
        Err(Error::Clang(messages)) => Err(messages),
        Err(other) => return Err(other),
    };
    LAST.with_borrow_mut(|last| {
        last.truncate(KEPT - 1);
        last.push_front((source, parsed.clone()));
    });
    parsed.map_err(Error::Clang)
}
