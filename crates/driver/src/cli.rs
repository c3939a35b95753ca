//! The commands and their options, except those of `accl cc`, which follow gcc's rules and are read by
//! [`crate::invocation`].

use crate::failure::{Said, USAGE};
use crate::invocation::{Front, UsageError};
use crate::{cc, commands};
use anyhow::Result;
use clap::{CommandFactory, Parser, Subcommand, ValueEnum};
use std::io::Write;
use std::path::PathBuf;

#[derive(Parser, Debug)]
#[command(
    name = "accl",
    version,
    about = "Compiles C and C++ with OpenACC directives for NVIDIA GPUs, OpenCL devices and multicore CPUs",
    long_about = None,
    disable_help_subcommand = true,
    after_help = "accl cc -O3 jacobi.c -o jacobi && ./jacobi    picks the best device found when it starts\n\
                  In a build: CC=\"accl cc\" CXX=\"accl c++\", or CC=acclcc CXX=acclc++ where one word is wanted."
)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Compile and link C: takes the options of gcc and clang (accl help cc)
    Cc(Words),
    /// Compile and link C++
    #[command(name = "c++")]
    Cxx(Words),
    /// Write the device or host source made from a program
    Translate(Translate),
    /// Show a program with what was decided about it under each line
    Explain(Explain),
    /// Find the fastest schedules of a program's kernels by measuring, and build it with them
    Tune(Box<commands::tune::Tune>),
    /// List the devices found, and why one cannot be used
    Devices,
    /// Explain a command, an option or a message (accl help ACCL0101)
    Help {
        /// A command, or the code of a message
        topic: Option<String>,
    },
    /// Print the completions for a shell
    Completions { shell: Shell },
    /// Write the pages of docs/reference to a folder
    #[command(hide = true)]
    Reference { dir: PathBuf },
    /// Write headers, man pages, completions, CMake's and pkg-config's files below a folder
    #[command(hide = true)]
    InstallFiles { dir: PathBuf },
}

#[derive(clap::Args, Debug)]
#[command(disable_help_flag = true, disable_version_flag = true)]
struct Words {
    /// Options of gcc or clang, files
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<String>,
}

#[derive(clap::Args, Debug)]
#[command(after_help = "accl translate --to cuda jacobi.c -o DIR writes jacobi.cu and jacobi.host.c to DIR")]
pub struct Translate {
    /// What to write
    #[arg(long, value_enum)]
    pub to: Language,
    /// With --to ir: run these passes alone, or none
    #[arg(long, value_name = "LIST")]
    pub passes: Option<String>,
    /// Source files, `-o DIR`, and options as for accl cc
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    pub words: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Language {
    Cuda,
    Opencl,
    C,
    /// The program's own text with all directives of OpenMP for its data
    Openmp,
    /// The same with those of OpenACC
    Openacc,
    /// The program's own text with OpenMPC's directives before each loop that threads share
    Openmpc,
    /// The compiler's intermediate form
    Ir,
}

#[derive(clap::Args, Debug)]
pub struct Explain {
    /// List for each kernel the steps that its schedule may have, with their parameters and costs
    #[arg(long)]
    pub schedules: bool,
    /// Source files, and options as for accl cc
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    pub words: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Shell {
    Bash,
    Zsh,
    Fish,
}

/// Dispatches on the name the program was started under, then on the command.
pub fn run(words: Vec<String>) -> Result<u8> {
    if let Some(front) = front_of_name(&words[0]) {
        return cc::run(front, words[1..].to_vec());
    }
    // Words of a compiler are not clap's: `accl cc -h` is a question to the compiler.
    match words.get(1).map(String::as_str) {
        Some("cc") => return cc::run(Front::C, words[2..].to_vec()),
        Some("c++") => return cc::run(Front::Cxx, words[2..].to_vec()),
        _ => {}
    }
    let (words, behind) = own_options_first(with_to_first(words), "tune");
    let cli = match Cli::try_parse_from(words) {
        Ok(cli) => cli,
        Err(error) if error.kind() == clap::error::ErrorKind::InvalidSubcommand => {
            let word = error.get(clap::error::ContextKind::InvalidSubcommand);
            let word = word.map(|w| format!(" '{w}'")).unwrap_or_default();
            return Err(UsageError(format!(
                "no command is named{word}; 'accl cc' compiles and links C, 'accl c++' C++"
            ))
            .into());
        }
        Err(error) => {
            let _ = error.print();
            return Err(Said(if error.use_stderr() { USAGE } else { 0 }).into());
        }
    };
    match cli.command {
        Command::Cc(words) => cc::run(Front::C, words.words),
        Command::Cxx(words) => cc::run(Front::Cxx, words.words),
        Command::Translate(arguments) => commands::translate::run(arguments),
        Command::Explain(arguments) => commands::explain::run(arguments),
        Command::Tune(arguments) => commands::tune::run(&arguments, behind),
        Command::Devices => commands::devices::run(),
        Command::Reference { dir } => commands::reference::run(&dir),
        Command::Help { topic } => commands::help::run(topic.as_deref()),
        Command::Completions { shell } => {
            std::io::stdout().write_all(&completions(shell))?;
            Ok(0)
        }
        Command::InstallFiles { dir } => commands::install_files::run(&dir),
    }
}

pub fn completions(shell: Shell) -> Vec<u8> {
    let shell = match shell {
        Shell::Bash => clap_complete::Shell::Bash,
        Shell::Zsh => clap_complete::Shell::Zsh,
        Shell::Fish => clap_complete::Shell::Fish,
    };
    let mut text = vec![];
    clap_complete::generate(shell, &mut Cli::command(), "accl", &mut text);
    text
}

/// The commands, those of a compiler with their options, which are not clap's.
pub fn for_manual() -> clap::Command {
    let with_options = |command: clap::Command| command.after_long_help(commands::help::options());
    Cli::command().mut_subcommand("cc", with_options).mut_subcommand("c++", with_options)
}

/// `accl translate file.c --to cuda`: options may follow the file, where clap sees words of the compiler.
fn with_to_first(mut words: Vec<String>) -> Vec<String> {
    if words.get(1).is_some_and(|command| command == "translate")
        && let Some(at) = words.iter().position(|w| w == "--to" || w.starts_with("--to="))
    {
        let count = if words[at] == "--to" && at + 1 < words.len() { 2 } else { 1 };
        let to: Vec<String> = words.drain(at..at + count).collect();
        words.splice(2..2, to);
    }
    words
}

/// A command's own options may stand between words of the compiler, and a program's arguments behind `--`: these are returned
/// beside the words of the command.
fn own_options_first(mut words: Vec<String>, command: &str) -> (Vec<String>, Vec<String>) {
    let cli = Cli::command();
    let Some(command) =
        cli.find_subcommand(command).filter(|command| words.get(1).is_some_and(|w| w == command.get_name()))
    else {
        return (words, vec![]);
    };
    let mut behind = words.iter().position(|word| word == "--").map_or(vec![], |at| words.split_off(at));
    let takes_value = |word: &str| {
        let (name, value) = word.split_once('=').map_or((word, false), |(name, _)| (name, true));
        let own = command.get_arguments().find(|arg| arg.get_long() == name.strip_prefix("--"))?;
        Some(!value && own.get_long().is_some() && own.get_action().takes_values())
    };
    let (mut own, mut others) = (words[..2].to_vec(), vec![]);
    let mut rest = words.into_iter().skip(2);
    while let Some(word) = rest.next() {
        match word.starts_with("--").then(|| takes_value(&word)).flatten() {
            Some(with_value) => {
                own.push(word);
                if with_value {
                    own.extend(rest.next());
                }
            }
            None => others.push(word),
        }
    }
    own.extend(others);
    (own, behind.split_off(behind.len().min(1)))
}

/// `acclcc` and `acclc++`, for build systems whose CC is one path (CMake).
pub fn front_of_name(name: &str) -> Option<Front> {
    match name.rsplit('/').next().unwrap_or(name) {
        "acclcc" | "accl-cc" => Some(Front::C),
        "acclc++" | "accl-c++" | "acclcxx" => Some(Front::Cxx),
        _ => None,
    }
}
