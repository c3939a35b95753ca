//! `accl translate --to openmpc file.c -o DIR`: the program with OpenMPC's directives before each loop that threads share, which say what
//! the compiler chose for it.
//!
//! They can be edited, and the file compiled again with `-fopenmpc`: as they are, they change nothing.

use super::translate;
use crate::cc::{self, Compilation, Reading, Session};
use crate::failure::{FAILED, Said};
use crate::invocation::Front;
use accl_frontend::SharedLoop;
use accl_host::translate::File;
use accl_ir::{Kernel, Module, ParamKind, Region, Stmt, visit};
use accl_source::{LineMap, codes};
use anyhow::Result;
use std::collections::{BTreeMap, BTreeSet};

pub fn run(words: Vec<String>) -> Result<u8> {
    let words = std::iter::once("-fopenmpc".to_owned()).chain(words).collect();
    let mut session = Session::new(Front::C, words)?;
    let (dir, units) = translate::folder_and_units(&mut session)?;
    let mut files = vec![];
    for unit in &units {
        let name =
            unit.path.file_name().map_or("program.c".into(), |name| name.to_string_lossy().into_owned());
        files.push(File { name, text: written(&session, unit)? });
    }
    translate::write(&dir, &units, &files)
}

fn written(session: &Session, unit: &Compilation) -> Result<String> {
    let text = String::from_utf8_lossy(&std::fs::read(&unit.source)?).into_owned();
    let source = match cc::read(session, unit, None)? {
        Reading::Directives(source) => source,
        Reading::Plain | Reading::PlainWithExports(_) => return Ok(text),
        Reading::Rejected(why) => {
            eprint!("{why}");
            return Err(Said(FAILED).into());
        }
    };
    let compiled = cc::compile_with_fallback(session, unit, source)?;
    if compiled.has_errors() {
        let mut messages = vec![];
        cc::show_messages(session, &compiled, &mut messages);
        cc::show(&messages);
        return Err(Said(FAILED).into());
    }
    let read = &compiled.source.unit;
    let file = unit.path.display().to_string();
    let chosen = chosen(&read.module, &read.line_map, &file);
    let mut added: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    let in_file = |l: &&SharedLoop| l.file == file && !l.has_directive;
    for shared in read.shared_loops.iter().filter(in_file) {
        added.insert(shared.line, directives(shared, chosen.get(&shared.line)));
    }
    let own: BTreeSet<u32> = read.shared_loops.iter().filter(|l| l.has_directive).map(|l| l.line).collect();
    for remark in compiled.remarks.iter().filter(|r| r.id == codes::remarks::REGION_ON_THREADS) {
        let place = read.line_map.locate(remark.span.start);
        if place.file == file && !own.contains(&place.line) {
            let lines = added.entry(place.line).or_default();
            lines.push(format!("/* {}. */", remark.message.replace("*/", "* /").replace('`', "")));
            // What other files have is known when the program is linked.
            let mut words = remark.message.split(|c: char| !c.is_alphanumeric() && c != '_');
            if !words.any(|word| read.undefined.iter().any(|function| function.name == word)) {
                lines.push("#pragma cuda nogpurun".into());
            }
        }
    }
    Ok(with(&text, &added))
}

/// What the kernels of a loop are.
#[derive(Default)]
struct Chosen {
    constructs: usize,
    threads: BTreeSet<Option<u32>>,
    read: BTreeSet<String>,
    written: BTreeSet<String>,
    has_restrict: bool,
}

/// By the lines of the loops' directives.
fn chosen(module: &Module, lines: &LineMap, file: &str) -> BTreeMap<u32, Chosen> {
    let mut found: BTreeMap<u32, Chosen> = BTreeMap::new();
    let mut region = |region: &Region| {
        let place = lines.locate(region.directive_span.start);
        if region.kernels.is_empty() || place.file != file {
            return;
        }
        let of = found.entry(place.line).or_default();
        of.constructs += 1;
        for kernel in region.kernels.iter().map(|h| &module.kernels[*h]) {
            of.threads.insert(threads(kernel));
            of.has_restrict |= kernel.variants.iter().any(|variant| variant.restrict);
            for param in &kernel.params {
                let ParamKind::Data { item, read, written, .. } = param.kind else { continue };
                let Some(base) = region.clauses.data.get(item).map(|item| &*item.base) else { continue };
                of.read.extend(read.then(|| base.to_owned()));
                of.written.extend(written.then(|| base.to_owned()));
            }
        }
    };
    for (_, function) in module.functions.iter() {
        let Some(body) = &function.body else { continue };
        visit::for_each_stmt(&body.block, &mut |node| {
            if let Stmt::Region(found) = &node.kind {
                region(found);
            }
        });
    }
    found
}

/// The threads of a block, where saying so leaves the kernel the schedules that it has: gangs choose their lanes at the launch.
fn threads(kernel: &Kernel) -> Option<u32> {
    let plain = kernel.variants.last()?;
    let chooses = |name: &str| kernel.variants.iter().any(|variant| variant.schedule.has(name));
    let threads = plain.block.iter().product();
    (!kernel.serial && !kernel.gangs && !chooses("threads") && !chooses("lanes")).then_some(threads)
}

fn directives(shared: &SharedLoop, chosen: Option<&Chosen>) -> Vec<String> {
    let is_name = shared.function.chars().all(|c| c.is_alphanumeric() || c == '_');
    let info = format!("#pragma cuda ainfo procname({}) kernelid({})", shared.function, shared.number);
    let mut lines: Vec<String> = is_name.then_some(info).into_iter().collect();
    let wishes = &shared.wishes;
    if wishes.on_cpu {
        lines.push("#pragma cuda nogpurun".into());
    } else if let Some(chosen) = chosen {
        let Chosen { constructs, threads, read, written, has_restrict } = chosen;
        // A loop for which sizes are asked is one construct.
        let is_one = *constructs == 1 && threads.len() == 1;
        let same = threads.first().copied().flatten().filter(|_| is_one);
        let list = |mut all: Vec<&str>| {
            all.retain(|name| shared.variables.contains(*name));
            (!all.is_empty()).then(|| all.join(", "))
        };
        let all: Vec<&str> = read.union(written).map(String::as_str).collect();
        let only_read: Vec<&str> = read.difference(written).map(String::as_str).collect();
        let clauses = [
            wishes.blocks.map(|n| format!("maxnumofblocks({n})")),
            wishes.threads.or(same).map(|n| format!("threadblocksize({n})")),
            wishes.no_collapse.then(|| "noloopcollapse".into()),
            wishes.no_swap.then(|| "noploopswap".into()),
            list(all.clone()).filter(|_| wishes.shared).map(|names| format!("sharedRW({names})")),
            list(all).filter(|_| wishes.plain).map(|names| format!("notexture({names})")),
            list(only_read).filter(|_| *has_restrict).map(|names| format!("texture({names})")),
        ];
        let clauses: Vec<String> = clauses.into_iter().flatten().collect();
        lines.push(format!("#pragma cuda gpurun {}", clauses.join(" ")).trim_end().to_owned());
    }
    lines
}

/// The text with lines before those of these numbers, where a directive stands there: a macro may have made it.
fn with(text: &str, added: &BTreeMap<u32, Vec<String>>) -> String {
    let mut result = String::new();
    for (number, line) in (1..).zip(text.split_inclusive('\n')) {
        let code = line.trim_start();
        if code.starts_with('#') && code.contains("pragma") {
            for before in added.get(&number).into_iter().flatten() {
                result += &format!("{}{before}\n", &line[..line.len() - code.len()]);
            }
        }
        result += line;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::with;
    use std::collections::BTreeMap;

    #[test]
    fn lines_are_added_before_directives_alone() {
        let text = "LOOP\n  #pragma omp parallel for\n  for (;;);\n";
        let added = BTreeMap::from([(1, vec!["#a".to_owned()]), (2, vec!["#b".to_owned(), "#c".to_owned()])]);
        assert_eq!(with(text, &added), "LOOP\n  #b\n  #c\n  #pragma omp parallel for\n  for (;;);\n");
    }
}
