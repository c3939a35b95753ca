//! `accl translate --to openmp|openacc file.c -o DIR`: the program with all its data directives, for any compiler.

use super::translate;
use crate::cc::{self, Compilation, Ported, Session};
use crate::failure::{FAILED, Said};
use accl_frontend::{DataWords, Port};
use accl_host::translate::File;
use anyhow::Result;

pub fn run(mut session: Session, words: DataWords) -> Result<u8> {
    let (dir, units) = translate::folder_and_units(&mut session)?;
    let port = port(&session, &units, words);
    let mut files = vec![];
    for unit in &units {
        let text = match cc::ported(&session, unit, words, port)? {
            Ported::Text(text) => text,
            Ported::Unchanged => String::from_utf8_lossy(&std::fs::read(&unit.source)?).into_owned(),
            Ported::Refused(why) => {
                eprint!("{why}");
                return Err(Said(FAILED).into());
            }
        };
        let name =
            unit.path.file_name().map_or("program.c".into(), |name| name.to_string_lossy().into_owned());
        files.push(File { name, text });
    }
    translate::write(&dir, &units, &files)
}

/// One file with a `main` is taken to be the whole program.
pub fn port(session: &Session, units: &[Compilation], words: DataWords) -> Port {
    let is_whole_program = units.len() == 1 && session.is_one_file(&units[0]);
    Port { is_whole_program, is_openacc: words == DataWords::OpenAcc }
}
