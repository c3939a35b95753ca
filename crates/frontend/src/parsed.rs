//! The programs that were parsed last. A file with constructs that stay on the host is translated once more for each round of
//! these, and its text is the same then.

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

/// A round parses the text as it is, and with what templates and OpenMPC made of it.
const KEPT: usize = 3;

thread_local! {
    static LAST: RefCell<VecDeque<(Source, Program)>> = const { RefCell::new(VecDeque::new()) };
}

/// The program of the source, which `parse` reads where it is not among the last ones of this thread.
pub fn program(
    source: Source,
    parse: impl FnOnce(&Source) -> Result<Program, Error>,
) -> Result<Program, Error> {
    let known = LAST.with_borrow(|last| last.iter().find(|(of, _)| *of == source).map(|(_, p)| p.clone()));
    if let Some(program) = known {
        return Ok(program);
    }
    let program = parse(&source)?;
    LAST.with_borrow_mut(|last| {
        last.truncate(KEPT - 1);
        last.push_front((source, program.clone()));
    });
    Ok(program)
}
