//! `cargo xtask`: everything a developer does, one word each.
//!
//! | command | what it does |
//! |---|---|
//! | `setup` | installs what is missing on a Debian or Ubuntu machine |
//! | `test` | builds and checks everything; the last line is `N passed, N failed` |
//! | `install` | puts the command, the runtime and what belongs to them into a folder |
//! | `dist` | packs them: a tar.gz, a .deb and a Python wheel |
//! | `demo` | compiles two programs, shows what was decided, runs them on every device |
//! | `random` | random programs, compared with a C compiler that ignores directives |
//! | `bench` | measures the programs of `bench/` against their peers; `--prepare DIR` packs them for a GPU machine |
//! | `results` | the page of what was measured, `docs/results.md`; with names the full tables |
//! | `programs DIR` | collections of programs that other people wrote, unchanged, beside their serial runs |
//! | `model` | the cost model beside measured times |
//! | `tune-spaces` | measured spaces of schedules, by which strategies and the cost model are compared |
//! | `validate DIR` | compiles and runs somebody else's test suite |
//! | `reference` | the pages of `docs/reference`, from the tables of the code |
//! | `book` | the documents as one book, made by mdBook |
//! | `bless` | rewrites expected outputs from what the compiler gives now |
//!
//! This crate must build on a machine where the workspace cannot yet be built, so it depends on none of
//! the others but `abi`, which needs nothing.
#![forbid(unsafe_code)]

mod bench;
mod book;
mod demo;
mod options;
mod package;
mod paths;
mod programs;
mod random;
mod reference;
mod run;
mod setup;
mod test;
mod tuning;
mod validate;

use std::process::ExitCode;

const HELP: &str = "\
cargo xtask setup                     install what is missing
cargo xtask test                      check everything; ends with `N passed, N failed`
    --only SECTION[,SECTION]          lint, unit, conformance, random, bench, cuda, driver, install, errors
    --filter TEXT[,TEXT…]             only programs whose name contains one of the texts
    --device cpu|opencl               only on this device
cargo xtask install [--prefix DIR]    accl, acclcc and acclc++ in DIR/bin (~/.local); needs no checkout afterwards
cargo xtask dist                      a tar.gz, a .deb and a Python wheel, in target/dist
cargo xtask demo                      two programs on every device found
cargo xtask random                    random programs against a C compiler that ignores directives
    --first SEED --count N            these seeds; 0 and 50
    --kind KIND, --device D, --save (the programs that agree, too)
cargo xtask bench [NAME…]             measure here; --filter TEXT, --device D, --save
cargo xtask bench --prepare DIR       pack everything for a machine without Rust: DIR/device.py there
    --random N [--first SEED]         N random programs as well; --only random: these alone
cargo xtask bench --compile           how long compiling takes, and how that grows with the program
cargo xtask bench --report FILE       take the results.json of that machine over into docs/results, and make the page of it
cargo xtask results                   docs/results.md and docs/plots, from docs/results
cargo xtask results NAME…             print full tables of what was measured; all
cargo xtask programs DIR              programs that others wrote (tests/programs says which); --filter TEXT
    --time                            how long they take, beside their serial runs or their twins for other compilers
    --size NAME, --limit SECONDS      only this size; no further program after so long; --results FILE
    --prepare PACK                    for another machine; there PACK/xtask programs --packed PACK [--time] --device D
cargo xtask tune-spaces [DIR…]        strategies of `accl tune` on recorded spaces (bench/spaces)
cargo xtask model [DIR…]              the cost model's ranks beside recorded times, and its constants fitted to them
cargo xtask tune-spaces --only pruning  how many configurations pruning leaves, beside table 9 of paper 002
cargo xtask tune-spaces --only tuned  table 8 and figure 5 of paper 002: --prepare DIR for DIR/tuned.py there, --report FILE
cargo xtask tune-spaces --prepare DIR executables with all schedules of some kernels, for DIR/tune.py on a machine with a device
cargo xtask validate DIR              somebody else's programs, which return 0 where all is well
cargo xtask reference                 docs/reference, from the tables of the code
cargo xtask book                      the documents as a book, in target/book; links are checked
cargo xtask bless [--only errors|tutorial] [--filter TEXT]   rewrite expected outputs
";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let Some((command, rest)) = words.split_first() else {
        print!("{HELP}");
        return ExitCode::from(2);
    };
    if rest.iter().any(|word| word == "--help") {
        print!("{HELP}");
        return ExitCode::SUCCESS;
    }
    let options = match options::parse(rest) {
        Ok(options) => options,
        Err(message) => {
            eprintln!("xtask: {message}\n\n{HELP}");
            return ExitCode::from(2);
        }
    };
    let done = match command.as_str() {
        "setup" => setup::run().map(|_| true),
        "test" => test::run(&options),
        "install" => package::run_install(&options).map(|()| true),
        "dist" => package::run_dist().map(|()| true),
        "demo" => demo::run(&options).map(|()| true),
        "random" => random::run(&options),
        "bench" => bench::run(&options).map(|()| true),
        "results" => bench::page::run(&options).map(|()| true),
        "programs" => programs::run(&options),
        "reference" => reference::run().map(|()| true),
        "model" => tuning::model(&options).map(|()| true),
        "tune-spaces" => tuning::run(&options).map(|()| true),
        "validate" => validate::run(&options),
        "book" => book::run().map(|()| true),
        "bless" => test::bless(&options).map(|()| true),
        "help" | "--help" | "-h" => {
            print!("{HELP}");
            Ok(true)
        }
        other => {
            eprintln!("xtask: no command is named '{other}'\n\n{HELP}");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}
