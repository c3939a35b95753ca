//! `docs/openacc.md`: each directive, clause, routine and variable of OpenACC 3.3, from the tables of the code, with the
//! conformance program that shows it. A row without a program is a mistake, which a test finds.

use super::reference::{code, page, sentence, table};
use accl_directives::parse_pragma;
use accl_directives::table::{CLAUSES, DIRECTIVES, DirectiveName};
use accl_source::FileId;
use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::path::Path;

/// The environment variables of chapter 4, and their sections.
const VARIABLES: [(&str, &str, &str); 3] = [
    ("ACC_DEVICE_TYPE", "4.1", "the kind of device: `nvidia`, `opencl`, `host`"),
    ("ACC_DEVICE_NUM", "4.2", "the device's number among those of its kind"),
    ("ACC_PROFLIB", "4.3", "libraries of the profiling interface that are loaded at the start"),
];

const TEXT: &str =
    "What the C and C++ parts of OpenACC 3.3 have, what is done with it, and the first program of `tests/conformance` that shows
it on the cpu with its own memory and on OpenCL. Combined constructs count for both of their parts.";

/// The first program that shows something, by what it shows.
#[derive(Default)]
struct Shown {
    directives: BTreeMap<String, String>,
    clauses: BTreeMap<(&'static str, DirectiveName), String>,
    words: BTreeMap<String, String>,
}

/// The page, and what no program shows.
pub fn openacc(programs: &Path) -> Result<(String, Vec<String>)> {
    let shown = Shown::of(programs)?;
    let mut missing = vec![];
    let mut link = |what: String, name: Option<&String>| match name {
        Some(name) => format!("[{}](../tests/conformance/{name})", name.split('.').next().unwrap_or(name)),
        None => {
            missing.push(what);
            "none".to_owned()
        }
    };
    let standard = |spec: &str| spec.starts_with("OpenACC");
    let section = |spec: &str| spec.rsplit('§').next().unwrap_or(spec).to_owned();
    let mut rows = vec![];
    for d in DIRECTIVES.iter().filter(|d| standard(d.spec)) {
        let name = d.spelling();
        let program = link(name.clone(), shown.directives.get(&name));
        rows.push(vec![code(&name), section(d.spec), sentence(d.doc), program]);
    }
    let directives = table(&["directive", "section", "what it does", "program"], rows.into_iter());
    let mut rows = vec![];
    for c in CLAUSES.iter().filter(|c| standard(c.spec)) {
        let programs = c.on.iter().map(|on| {
            let on_name = DIRECTIVES.iter().find(|d| d.name == *on).map(|d| d.spelling()).unwrap_or_default();
            let what = format!("{} on {on_name}", c.name);
            format!("{on_name} {}", link(what, shown.clauses.get(&(c.name, *on))))
        });
        let programs = programs.collect::<Vec<_>>().join(", ");
        let usage = format!("{}{}", c.name, c.grammar());
        rows.push(vec![code(&usage), section(c.spec), sentence(c.doc), programs]);
    }
    let clauses = table(&["clause", "section", "what it says", "programs"], rows.into_iter());
    let mut routines = String::new();
    for header in [accl_abi::OPENACC_HEADER, accl_abi::ACC_PROF_HEADER] {
        let mut rows = vec![];
        for (heading, name) in declared(header) {
            let program = link(name.to_owned(), shown.words.get(name));
            rows.push(vec![code(name), sentence(heading), program]);
        }
        routines += &table(&["routine", "section", "program"], rows.into_iter());
        routines.push('\n');
    }
    let mut rows = vec![];
    for (name, section, doc) in VARIABLES {
        rows.push(vec![code(name), section.into(), sentence(doc), link(name.into(), shown.words.get(name))]);
    }
    let variables = table(&["variable", "section", "what it does", "program"], rows.into_iter());
    let parts = [
        ("Directives", directives),
        ("Clauses", clauses),
        ("Routines", routines),
        ("Environment", variables),
    ];
    let parts = parts.map(|(title, rows)| format!("## {title}\n\n{}", rows.trim_end()));
    Ok((page("OpenACC 3.3", &format!("{TEXT}\n\n{}", parts.join("\n\n"))), missing))
}

/// The standard's routines in a header, each with the heading of its paragraph.
fn declared(header: &str) -> Vec<(&str, &str)> {
    let mut found = vec![];
    for paragraph in header.split("\n\n") {
        let heading =
            paragraph.trim().strip_prefix("/* ").and_then(|p| p.split_once(" */")).map_or("", |(h, _)| h);
        // Extensions and appendices have no number of chapter 3 or 5.
        if !heading.starts_with(['3', '5']) {
            continue;
        }
        for line in paragraph.lines().filter(|line| line.ends_with(");") && !line.starts_with("typedef")) {
            let name = line.split('(').next().unwrap_or_default();
            found.push((heading, name.rsplit([' ', '*']).next().unwrap_or(name)));
        }
    }
    found
}

impl Shown {
    fn of(programs: &Path) -> Result<Shown> {
        let mut files: Vec<_> = std::fs::read_dir(programs)
            .with_context(|| programs.display().to_string())?
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| path.extension().is_some_and(|e| e == "c" || e == "cpp"))
            .collect();
        files.sort();
        let mut shown = Shown::default();
        for file in files {
            let text = std::fs::read_to_string(&file)?;
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            shown.read(&text.replace("\\\n", " "), &name);
        }
        Ok(shown)
    }

    fn read(&mut self, text: &str, program: &str) {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        for word in text.split(|c| !is_word(c)).filter(|w| w.starts_with("acc_") || w.starts_with("ACC_")) {
            self.words.entry(word.to_owned()).or_insert_with(|| program.to_owned());
        }
        for line in text.lines().filter(|line| line.trim_start().starts_with("#pragma acc")) {
            let Some(directive) = parse_pragma(line, FileId(0), 0).and_then(|p| p.directive) else {
                continue;
            };
            let span = directive.name_span;
            let words: Vec<&str> = line[span.start as usize..span.end as usize].split_whitespace().collect();
            let Some(row) = DIRECTIVES.iter().find(|d| d.words == words) else { continue };
            self.directives.entry(row.spelling()).or_insert_with(|| program.to_owned());
            for clause in &directive.clauses {
                let typed = (!clause.device_types.is_empty()).then_some("device_type");
                for on in DirectiveName::parts(row.name) {
                    let own = clause.spec.on.contains(&on).then_some(clause.spec.name);
                    for name in own.into_iter().chain(typed) {
                        self.clauses.entry((name, on)).or_insert_with(|| program.to_owned());
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_a_program() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let (text, missing) = openacc(&root.join("tests/conformance")).unwrap();
        assert!(missing.is_empty(), "no program of tests/conformance shows {missing:?}");
        let found = std::fs::read_to_string(root.join("docs/openacc.md")).unwrap_or_default();
        assert!(found == text, "docs/openacc.md is old: run `cargo xtask reference`");
    }
}
