//! `accl translate --to cuda|opencl|c file.c -o DIR`: the sources made from a program, to read or to
//! take elsewhere.
//!
//! For `jacobi.c` it writes `jacobi.host.c`, the program with calls of the runtime in place of its
//! constructs, and the kernels: `jacobi.cu`, `jacobi.cl` or `jacobi.kernels.c`.

use crate::cc::{self, Compiled, Reading, Session};
use crate::cli::{Language, Translate};
use crate::failure::{FAILED, Said};
use crate::invocation::{Front, Target};
use crate::output;
use accl_codegen::Style;
use anyhow::{Context, Result};

pub fn run(arguments: Translate) -> Result<u8> {
    let (target, suffix) = match arguments.to {
        Language::Cuda => (Target::Cuda, "cu"),
        Language::Opencl => (Target::OpenCl, "cl"),
        Language::C => (Target::Cpu, "kernels.c"),
    };
    let mut session = Session::new(Front::C, arguments.words)?;
    session.invocation.acc.targets = [target].into();
    // The compiler's -o would name one file; here it names the folder.
    let folder = session.invocation.output.take().unwrap_or_else(|| ".".into());
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot create '{}'", folder.display()))?;
    for unit in cc::plan(&session)? {
        let stem = cc::stem(&unit.path);
        let source = match cc::read(&session, &unit)? {
            Reading::Directives(source) => source,
            Reading::Plain => {
                eprintln!("accl: note: '{}' has no directives: nothing to translate", unit.path.display());
                continue;
            }
            Reading::Rejected(why) => {
                eprint!("{why}");
                return Err(Said(FAILED).into());
            }
        };
        let compiled = cc::compile(&session, source, Style::Translate)?;
        say(&session, &compiled)?;
        let kernels = kernels(&compiled, target);
        let host = cc::rewritten(&compiled, unit.language.is_cxx())?;
        let host_suffix = if unit.language.is_cxx() { "host.cpp" } else { "host.c" };
        let write = |suffix: &str, text: &str| {
            output::write(&folder.join(format!("{stem}.{suffix}")), text.as_bytes())
        };
        write(suffix, kernels)?;
        write(host_suffix, &host)?;
    }
    Ok(0)
}

fn kernels(compiled: &Compiled, target: Target) -> &str {
    let text = match target {
        Target::Cuda => &compiled.device.cuda,
        Target::OpenCl => &compiled.device.opencl,
        Target::Cpu => &compiled.device.cpu,
    };
    text.as_deref().unwrap_or("")
}

fn say(session: &Session, compiled: &Compiled) -> Result<()> {
    let mut messages = vec![];
    cc::show_messages(session, compiled, &mut messages);
    cc::show(&messages);
    if compiled.has_errors() { Err(Said(FAILED).into()) } else { Ok(()) }
}
