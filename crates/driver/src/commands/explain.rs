//! `accl explain file.c`: the program with each remark under its line.

use crate::cc::{self, Compilation, Ported, Reading, Session};
use crate::cli::Explain;
use crate::failure::FAILED;
use crate::invocation::Front;
use accl_frontend::DataWords;
use accl_source::render;
use anyhow::Result;
use std::io::IsTerminal;

pub fn run(arguments: Explain) -> Result<u8> {
    let mut session = Session::new(Front::C, arguments.words)?;
    session.invocation.acc.list_steps = arguments.schedules;
    let mut code = 0;
    let units = cc::plan(&session)?;
    if units.is_empty() {
        anyhow::bail!("no input files");
    }
    for unit in units {
        let source = match cc::read(&session, &unit, None)? {
            Reading::Directives(source) => source,
            Reading::Plain | Reading::PlainWithExports(_) => {
                println!("{}: no directives", unit.path.display());
                continue;
            }
            Reading::Rejected(why) => {
                eprint!("{why}");
                code = FAILED;
                continue;
            }
        };
        let compiled = cc::compile_with_fallback(&session, &unit, source)?;
        if compiled.has_errors() {
            code = FAILED;
        }
        let mut messages = vec![];
        cc::show_messages(&session, &compiled, &mut messages);
        cc::show(&messages);
        let color = std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
        let options = render::Options { color, ..cc::render_options() };
        print!("{}", render::explain::render(compiled.files(), &compiled.remarks, &options));
    }
    if session.invocation.acc.auto_data && code == 0 {
        explicit_data(&session, &cc::plan(&session)?)?;
    }
    Ok(code)
}

/// The directives by which the program would say itself what it leaves to the running program.
fn explicit_data(session: &Session, units: &[Compilation]) -> Result<()> {
    for unit in units {
        let text = std::fs::read(&unit.source)?;
        let text = String::from_utf8_lossy(&text);
        let words = if text.contains("pragma acc") { DataWords::OpenAcc } else { DataWords::OpenMp };
        let port = super::explicit::port(session, units, words);
        let name = unit.path.display();
        match cc::ported(session, unit, words, port) {
            Ok(Ported::Text(port)) => {
                println!(
                    "\nDirectives that would make the data of {name} explicit (accl translate writes them):"
                );
                for (line, directive) in cc::added_directives(&text, &port) {
                    println!("{name}:{line}: {directive}");
                }
            }
            Ok(Ported::Unchanged) => {}
            Ok(Ported::Refused(why)) => println!("\nNo directives make the data of {name} explicit:\n{why}"),
            Err(why) => println!("\nNo directives make the data explicit: {why}"),
        }
    }
    Ok(())
}
