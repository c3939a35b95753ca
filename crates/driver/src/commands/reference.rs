//! `accl reference DIR`: the pages of `docs/reference`, from the tables that the code itself uses.
//!
//! What a user may write, set or be told is in one table each: directives and clauses, options, environment
//! variables, routines, messages. The pages are these tables in Markdown, so nothing on them can be out of date;
//! `cargo xtask reference` writes them and a test compares them.

use crate::cli::Cli;
use crate::environment;
use crate::invocation::HELP;
use accl_directives::omp::table as omp;
use accl_directives::table::{CLAUSES, ClauseSpec, DIRECTIVES, DirectiveName, DirectiveSpec};
use accl_runtime::config;
use accl_source::codes::{self, CodeDoc};
use accl_transforms::device_model::MODELS;
use accl_transforms::map::steps::STEPS;
use accl_transforms::pipeline::PASSES;
use anyhow::{Context, Result};
use clap::CommandFactory;
use std::path::Path;

pub fn run(dir: &Path) -> Result<u8> {
    std::fs::create_dir_all(dir).with_context(|| dir.display().to_string())?;
    for (name, text) in pages() {
        let file = dir.join(name);
        std::fs::write(&file, text).with_context(|| file.display().to_string())?;
    }
    // In the project's folder, the page that names its programs.
    let programs = dir.join("../../tests/conformance");
    if programs.is_dir() {
        let file = dir.join("../openacc.md");
        let (text, missing) = super::openacc::openacc(&programs)?;
        std::fs::write(&file, text).with_context(|| file.display().to_string())?;
        missing.iter().for_each(|what| eprintln!("no program shows {what}"));
    }
    Ok(0)
}

/// Each page's file and text.
fn pages() -> [(&'static str, String); 9] {
    let remark = |doc: &&CodeDoc| doc.code.starts_with("ACCL-R");
    [
        ("directives.md", directives()),
        ("openmp.md", openmp()),
        ("options.md", options()),
        ("environment.md", environment()),
        ("routines.md", routines()),
        ("passes.md", passes()),
        ("schedules.md", schedules()),
        ("messages.md", messages("Errors and warnings", MESSAGES, codes::all().filter(|d| !remark(d)))),
        ("remarks.md", messages("Remarks", REMARKS, codes::all().filter(remark))),
    ]
}

const MESSAGES: &str =
    "What the compiler and the runtime refuse or warn of, by its code; `accl help ACCL0101` prints one.
What is refused ends with status 1, the compiler as well as a program.";

const REMARKS: &str = "What the compiler decided, by its code. `-Minfo=accel` prints the decisions as nvc does, `accl explain` shows each
under its line, `--remarks=json` gives them to tools; `accl help ACCL-R0001` prints the meaning of one.";

pub(super) fn page(title: &str, text: &str) -> String {
    format!("# {title}\n\n<!-- Written by `cargo xtask reference`. -->\n\n{text}\n")
}

/// A table of Markdown; bars inside cells are escaped.
pub(super) fn table(head: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let escaped = |cells: Vec<String>| cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
    let head_line = line(head.iter().map(|cell| (*cell).to_owned()).collect());
    let rule = line(head.iter().map(|_| "---".to_owned()).collect());
    head_line + &rule + &rows.map(|cells| line(escaped(cells))).collect::<String>()
}

pub(super) fn code(text: &str) -> String {
    format!("`{text}`")
}

/// A sentence of a table as Markdown: outside of code nothing is markup.
pub(super) fn sentence(text: &str) -> String {
    let mut in_code = false;
    let mut escaped = String::new();
    for c in text.chars() {
        in_code ^= c == '`';
        if !in_code && ['*', '<', '['].contains(&c) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

fn directives() -> String {
    let text = "A directive is a line `#pragma acc DIRECTIVE CLAUSE…` in C and C++, or `_Pragma(\"acc …\")`. Brackets hold what may be
left out. A combined directive such as `parallel loop` takes the clauses of both. Of the clauses in bold letters one must
be there.";
    let rows = DIRECTIVES.iter().map(|d| {
        vec![
            code(format!("{} {}", d.spelling(), d.takes).trim_end()),
            sentence(d.doc),
            clauses_of(d),
            d.spec.into(),
        ]
    });
    let directives = table(&["directive", "what it does", "clauses", "specified in"], rows);
    let rows = CLAUSES.iter().map(|c| {
        vec![
            code(&format!("{}{}", c.name, c.grammar())),
            aliases(c),
            sentence(c.doc),
            accepted(c),
            c.spec.into(),
        ]
    });
    let clauses = table(&["clause", "also", "what it says", "on", "specified in"], rows);
    let once = CLAUSES.iter().filter(|c| c.once).map(|c| code(c.name));
    let once = once.collect::<Vec<_>>().join(", ");
    page(
        "Directives and clauses",
        &format!(
            "{text}\n\n## Directives\n\n{directives}\n## Clauses\n\n{clauses}\nAt most once on a directive, or once for each device type: {once}."
        ),
    )
}

fn openmp() -> String {
    let text = "With `-fopenmp` a directive is a line `#pragma omp DIRECTIVE CLAUSE…`, or `_Pragma(\"omp …\")`. Constructs are combined
as OpenMP allows, `target teams distribute parallel for`, and a combined one takes the clauses of all. What stands in no
`target` construct and moves no data is left to the host's compiler.";
    let directive = |words: String, doc: &str, clauses: String, spec: &str| {
        vec![code(&words), sentence(doc), clauses, spec.to_owned()]
    };
    let taken = |on: omp::On| {
        let clauses = omp::CLAUSES.iter().filter(|c| c.accepted_on(&[on])).map(|c| code(c.name));
        clauses.collect::<Vec<_>>().join(" ")
    };
    let constructs = omp::CONSTRUCTS.iter().map(|(word, leaf, spec, doc)| {
        directive((*word).to_owned(), doc, taken(omp::On::Construct(*leaf)), spec)
    });
    let others = omp::DIRECTIVES.iter().map(|d| directive(d.words.join(" "), d.doc, taken(d.on), d.spec));
    let head = ["directive", "what it does", "clauses", "specified in"];
    let directives = table(&head, constructs.chain(others));
    let clauses = omp::CLAUSES.iter().map(|c| {
        let on: Vec<&str> = c.on.iter().map(|on| on.name()).collect();
        vec![code(c.name), sentence(c.doc), on.join(", "), c.spec.into()]
    });
    let clauses = table(&["clause", "what it says", "on", "specified in"], clauses);
    let title = "OpenMP's directives and clauses";
    page(title, &format!("{text}\n\n## Directives\n\n{directives}\n## Clauses\n\n{clauses}"))
}

/// The clauses that a directive takes, those of which one must be there in bold.
fn clauses_of(directive: &DirectiveSpec) -> String {
    let taken = CLAUSES.iter().filter(|c| c.accepted_on(directive.name));
    let shown = |c: &ClauseSpec| {
        let required = directive.requires.contains(&c.name);
        if required { format!("**{}**", code(c.name)) } else { code(c.name) }
    };
    taken.map(shown).collect::<Vec<_>>().join(" ")
}

fn aliases(clause: &ClauseSpec) -> String {
    clause.aliases.iter().map(|a| code(a)).collect::<Vec<_>>().join(" ")
}

/// The directives that take a clause, the combined ones aside.
fn accepted(clause: &ClauseSpec) -> String {
    clause.on.iter().map(|name| spelling(*name)).collect::<Vec<_>>().join(", ")
}

fn spelling(name: DirectiveName) -> String {
    DIRECTIVES.iter().find(|d| d.name == name).map(DirectiveSpec::spelling).unwrap_or_default()
}

fn options() -> String {
    let rows = HELP.iter().map(|(option, what)| vec![code(option), sentence(what)]);
    let mut text = format!(
        "`accl cc [options] files -o output` compiles and links C, `accl c++` C++. They take the options of gcc and clang;
those they do not know go to the host compiler. Their own:\n\n{}",
        table(&["option", "what it does"], rows)
    );
    let mut cli = Cli::command();
    cli.build();
    for command in cli.get_subcommands_mut().filter(|c| !c.is_hide_set()) {
        if !["cc", "c++", "help"].contains(&command.get_name()) {
            let help = command.render_long_help().to_string();
            let lines: Vec<&str> = help.lines().map(str::trim_end).collect();
            text += &format!(
                "\n## accl {}\n\n```text\n{}\n```\n",
                command.get_name(),
                lines.join("\n").trim_end()
            );
        }
    }
    page("Commands and options", text.trim_end())
}

fn environment() -> String {
    let rows = |variables: &[(&str, &str)]| {
        table(
            &["variable", "what it does"],
            variables.iter().map(|(name, what)| vec![code(name), sentence(what)]),
        )
    };
    let text = format!(
        "## Of compiled programs\n\nRead once, at the first call into the runtime. A value that cannot be understood ends the program with a message.\n\n{}\n\
         Set for the OpenCL loader, these say which drivers it shows:\n\n{}\n## Of the compiler\n\n{}",
        rows(config::VARIABLES),
        rows(config::OPENCL_LOADER),
        rows(environment::VARIABLES)
    );
    page("Environment variables", text.trim_end())
}

/// In the order in which they run.
fn passes() -> String {
    let text = "What the compiler does between reading a program and writing kernels, in this order. `accl translate --to ir` writes
what they leave; with `--passes=NAME,…` these alone are run.";
    let rows = PASSES.iter().map(|pass| vec![code(pass.name), sentence(pass.promise)]);
    page("Passes", format!("{text}\n\n{}", table(&["pass", "what holds when it has run"], rows)).trim_end())
}

fn schedules() -> String {
    let text = "The steps of which a schedule is made: how a kernel's loops are mapped to a GPU ([guide](../guide-schedules.md)). Here
they stand in the order in which they are applied, whatever the order in a schedule. Without parameters a step chooses
them; `accl explain --schedules` lists those that a kernel can have.";
    let rows = STEPS.iter().map(|step| vec![code(step.usage), step.summary.to_owned()]);
    let devices = "## Devices

The limits and speeds that sizes are chosen by, and costs estimated: those of the architecture that `-gpu=ccXX` names, else of
sm_90. Shared memory is what one block can ask for.";
    let models = MODELS.iter().map(|m| {
        let speeds = [m.bandwidth / 1e12, m.peak32 / 1e12, m.peak64 / 1e12].map(|x| format!("{x:.2}"));
        let mut row = vec![code(m.name), m.board.to_owned(), m.multiprocessors.to_string()];
        row.push(format!("{} KiB", m.most_shared >> 10));
        row.extend(speeds);
        row
    });
    let head =
        ["name", "board", "multiprocessors", "shared memory", "TB/s", "Tflop/s float", "Tflop/s double"];
    let steps = table(&["step", "what it does"], rows);
    page("Schedules", format!("{text}\n\n{steps}\n{devices}\n\n{}", table(&head, models)).trim_end())
}

/// The paragraphs of `openacc.h`, each with its comment as heading.
fn routines() -> String {
    let mut text = "What `#include <openacc.h>` declares. OpenACC 3.3, chapter 3, says what each of its routines does; the numbers are its
sections.\n"
        .to_owned();
    let end =
        accl_abi::OPENACC_HEADER.find("\n#ifdef __cplusplus\n}").unwrap_or(accl_abi::OPENACC_HEADER.len());
    // The first paragraph is the header's guard.
    let declared = accl_abi::OPENACC_HEADER[..end].split("\n\n").skip(1).map(str::trim);
    for paragraph in declared {
        match paragraph.strip_prefix("/* ").and_then(|p| p.split_once(" */\n")) {
            Some((comment, declarations)) => text += &section(comment, declarations),
            None => text += &format!("\n```c\n{paragraph}\n```\n"),
        }
    }
    text += &openmp_routines();
    page("Runtime routines", text.trim_end())
}

/// The routines of OpenMP that the runtime has, by section.
fn openmp_routines() -> String {
    let intro = "\n## OpenMP\n\nPrograms compiled with `-fopenmp` take these from the runtime, and all others from the host compiler's OpenMP library. The \
                 numbers are sections of OpenMP 5.2; omp_target_memset is of OpenMP 6.0.\n";
    let section = |(heading, text, prototypes): &(&str, &str, &[&str])| {
        format!("\n### {heading}\n\n{text}\n\n```c\n{}\n```\n", prototypes.join("\n"))
    };
    format!("{intro}{}", accl_runtime::OPENMP_ROUTINES.iter().map(section).collect::<String>())
}

/// A comment's first sentence is the heading.
fn section(comment: &str, declarations: &str) -> String {
    let comment = comment.replace("\n * ", " ");
    let (heading, more) = comment.split_once(". ").unwrap_or((comment.trim_end_matches('.'), ""));
    let more = if more.is_empty() { String::new() } else { format!("{more}\n\n") };
    format!("\n## {heading}\n\n{more}```c\n{declarations}\n```\n")
}

fn messages<'a>(title: &str, text: &str, docs: impl Iterator<Item = &'a CodeDoc>) -> String {
    let each =
        docs.map(|doc| format!("\n## {}: {}\n\n{}\n", doc.code, sentence(doc.title), sentence(doc.doc)));
    page(title, format!("{text}\n{}", each.collect::<String>()).trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::path::PathBuf;

    fn root() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
    }

    #[test]
    fn the_pages_are_those_that_the_tables_give() {
        let dir = root().join("docs/reference");
        for (name, text) in pages() {
            let found = std::fs::read_to_string(dir.join(name)).unwrap_or_default();
            assert!(found == text, "docs/reference/{name} is old: run `cargo xtask reference`");
        }
        let files = std::fs::read_dir(dir).unwrap().flatten().map(|e| e.file_name().into_string().unwrap());
        let strange: Vec<String> = files.filter(|f| pages().iter().all(|(name, _)| name != f)).collect();
        assert!(strange.is_empty(), "docs/reference holds pages that are not generated: {strange:?}");
    }

    /// The names that the crates' sources ask the environment for, tests aside.
    fn asked_for(dir: &Path, names: &mut BTreeSet<String>) {
        for entry in std::fs::read_dir(dir).unwrap().flatten().map(|e| e.path()) {
            if entry.is_dir() {
                asked_for(&entry, names);
            } else if entry.extension().is_some_and(|e| e == "rs") && !entry.ends_with("tests.rs") {
                let text = std::fs::read_to_string(&entry).unwrap();
                let code = text.split("#[cfg(test)]").next().unwrap();
                for call in ["env::var(", "env::var_os("] {
                    names.extend(code.split(call).skip(1).map(|rest| argument(rest).to_owned()));
                }
            }
        }
    }

    fn argument(rest: &str) -> &str {
        rest.split(')').next().unwrap_or(rest).trim_matches('"')
    }

    #[test]
    fn every_variable_that_the_code_asks_for_is_documented() {
        let mut asked = BTreeSet::new();
        for entry in std::fs::read_dir(root().join("crates")).unwrap().flatten() {
            asked_for(&entry.path().join("src"), &mut asked);
        }
        // The runtime's go through `Config::from_environment` and OPENCL_LOADER, and its own test compares them.
        assert!(asked.remove("name"), "the runtime asks for its variables by name");
        let documented = environment::VARIABLES.iter().map(|(name, _)| (*name).to_owned()).collect();
        assert_eq!(asked, documented);
    }

    #[test]
    fn every_option_that_the_code_reads_is_documented() {
        let code = include_str!("../invocation/acc.rs").split("#[cfg(test)]").next().unwrap();
        let (before, table) = code.split_once("pub const HELP").unwrap();
        let after = table.split_once("\n];").unwrap().1;
        for text in [before, after] {
            let literals = text.split('"').skip(1).step_by(2).filter(|word| word.starts_with('-'));
            for option in literals.map(|word| word.trim_end_matches('=')) {
                assert!(
                    HELP.iter().any(|(shown, what)| shown.contains(option) || what.contains(option)),
                    "{option}"
                );
            }
        }
    }

    #[test]
    fn every_routine_of_the_header_is_on_the_page() {
        let page = routines();
        let declared = accl_abi::OPENACC_HEADER.lines().filter(|l| l.contains("acc_") && l.ends_with(");"));
        let missing: Vec<&str> = declared.filter(|line| !page.contains(line)).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}
