//! `accl help`: commands, the options of `accl cc`, and the page of each message.

use crate::cli::Cli;
use crate::environment::VARIABLES;
use crate::invocation::{HELP, UsageError};
use anyhow::Result;
use clap::CommandFactory;

pub fn run(topic: Option<&str>) -> Result<u8> {
    match topic {
        None => Cli::command().print_long_help()?,
        Some("cc" | "c++" | "options") => print!("{}", options()),
        Some(topic) if topic.to_ascii_uppercase().starts_with("ACCL") => print!("{}", message(topic)?),
        Some(topic) => command(topic)?,
    }
    Ok(0)
}

pub fn options() -> String {
    let mut text = String::from(
        "accl cc [options] files -o output\naccl c++ [options] files -o output\n\n\
         Takes the options of gcc and clang; those it does not know go to the host compiler. Its own:\n\n",
    );
    for (option, what) in HELP {
        text += &format!("  {option}\n      {what}\n");
    }
    text += "\nEnvironment:\n\n";
    for (variable, what) in VARIABLES {
        text += &format!("  {variable}\n      {what}\n");
    }
    text
}

/// The page of a code, as the registry of messages holds it.
fn message(code: &str) -> Result<String> {
    let code = code.to_ascii_uppercase();
    let Some(page) = accl_source::codes::lookup(&code) else {
        return Err(UsageError(format!("no message has the code '{code}'")).into());
    };
    Ok(format!("{}: {}\n\n{}\n", page.code, page.title, page.doc))
}

fn command(name: &str) -> Result<()> {
    let mut cli = Cli::command();
    match cli.find_subcommand_mut(name) {
        Some(command) => Ok(command.print_long_help()?),
        None => Err(UsageError(format!("no command is named '{name}'; 'accl help' lists them")).into()),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_the_runtime_reports_has_a_page() {
        for code in accl_runtime::error::codes::ALL {
            assert!(super::message(code).is_ok(), "{code}");
        }
    }
}
