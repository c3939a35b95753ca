//! Ports: a program with directives as a program in CUDA, OpenCL or C with OpenMP, for people to go on with.
//!
//! [`prepare`] makes a module whose kernels have one version each and no unused parameter. Code generation writes
//! it in the style of a port. [`port`] edits the user's own text and adds the file with the kernels and its header.
//! [`shared_files`] are the helper for device memory, and [`makefile()`] builds it all with cc and nvcc, without
//! anything of Acclimate.
//!
//! The host program stays in its language and keeps its includes, macros and comments: each directive with its
//! statement becomes calls, data clauses of the helper (`port_copyin(x, n * sizeof *x);`), kernels of a
//! function that launches one (`launch_saxpy_12(n, a, x, y);`). These take host addresses: the helper finds
//! what stands for them on the device, with the present-or rules of OpenACC (3.3 §2.7), so the port is right
//! across functions. In C the kernels work on the program's own arrays and data clauses vanish.
//!
//! Everything runs on one queue, in the order of the program: `async` permits overlap and does not demand it.
//!
//! Invariant: a program is ported as a whole or refused with the reason; nothing is silently left out.

mod check;
mod clauses;
mod constructs;
mod editor;
pub mod explicit;
mod files;
mod grid;
mod launch;
mod prepare;
mod section;
mod source;
mod spelling;
mod standalone;
pub(crate) mod tokens;

pub use files::{Build, Source, makefile, shared_files};
pub use prepare::prepare;

use accl_ir::Module;
use accl_source::{Diagnostic, LineMap, Span, codes};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PortLanguage {
    Cuda,
    OpenCl,
    C,
}

/// One source file of the program.
#[derive(Clone, Copy)]
pub struct Input<'a> {
    /// From [`prepare`].
    pub module: &'a Module,
    /// The preprocessed text and its map.
    pub buffer: &'a str,
    pub lines: &'a LineMap,
    /// The file's name in the map, and the text the user wrote.
    pub file: &'a str,
    pub text: &'a str,
    /// The file's name without folder and suffix.
    pub stem: &'a str,
    pub cplusplus: bool,
    pub target: PortLanguage,
    /// The device code generated for `module`.
    pub kernels: &'a str,
}

/// A file of the port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    pub name: String,
    pub text: String,
}

/// Why there is no port.
pub type Refused = Box<Diagnostic>;

/// The files that are this source's own.
pub fn port(input: &Input) -> Result<Vec<File>, Refused> {
    check::program(input)?;
    let mut editor = editor::Editor::new(input);
    let host = editor.edited()?;
    files::of_source(input, host, &editor.launches)
}

fn refuse(what: impl Into<String>, span: Span) -> Refused {
    let message = format!("no port is written of this program: {}", what.into());
    Box::new(Diagnostic::error(codes::host::NOT_PORTABLE, message).at(span))
}
