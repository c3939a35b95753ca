//! Dependency files (`-MD`, `-MF` …), as make reads them.
//!
//! They are made from the user's own source by one more run of the preprocessor, under the name of the
//! object the user asked for, not of any file between.

use super::unit::Compilation;
use super::{Session, stem};
use crate::invocation::{Depend, Mode};
use crate::output::PendingFile;
use anyhow::Result;
use std::path::PathBuf;

/// `None` where none was asked for. The caller commits it with the object.
pub fn write(session: &Session, unit: &Compilation) -> Result<Option<PendingFile>> {
    let depend = &session.invocation.depend;
    let Some(mode) = &depend.mode else { return Ok(None) };
    let pending = PendingFile::create(&file(session, unit))?;
    let mut words = unit.source_options(session);
    // -MD is -M beside compiling, -MMD is -MM.
    words.push(mode.replace('D', ""));
    words.extend(["-MF".to_owned(), pending.path().display().to_string()]);
    words.extend(depend.flags.iter().cloned());
    words.extend(targets(session, depend, unit));
    words.extend(unit.language.option().map(|l| format!("-x{l}")));
    words.push(unit.source.display().to_string());
    let output = session.host.run(session.front_for(&unit.language), words, &unit.dir)?;
    Ok(output.status.success().then_some(pending))
}

/// gcc's rule: the argument of -MF, else the output's name with .d, else the source's.
fn file(session: &Session, unit: &Compilation) -> PathBuf {
    let depend = &session.invocation.depend;
    match (&depend.file, session.invocation.mode, &session.invocation.output) {
        (Some(file), _, _) => file.clone(),
        (None, Mode::Object | Mode::Assembly, Some(output)) => output.with_extension("d"),
        (None, _, _) => PathBuf::from(format!("{}.d", stem(&unit.path))),
    }
}

fn targets(session: &Session, depend: &Depend, unit: &Compilation) -> Vec<String> {
    if !depend.targets.is_empty() {
        return depend.targets.clone();
    }
    let object = match session.invocation.mode {
        Mode::Link => format!("{}.o", stem(&unit.path)),
        Mode::Object | Mode::Assembly | Mode::Inform => unit.output.display().to_string(),
    };
    vec!["-MQ".to_owned(), object]
}
