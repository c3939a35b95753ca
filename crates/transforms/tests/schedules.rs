//! Schedules that the compiler prints can be given: each variant of the kernels in `tests/in` and in `tests/passes/map` at the
//! root of the repository has a schedule, which makes the same variant where the user writes it. So has each schedule that a
//! kernel's space lists for tuning.

use accl_ir::{GivenSchedule, Handle, Kernel, Module, Schedule, Variant};
use accl_source::Diagnostic;
use accl_transforms::context::Context;
use accl_transforms::map::space::KernelSpace;
use accl_transforms::{Options, pipeline};
use std::fs;
use std::path::{Path, PathBuf};

/// The inputs, and whether the passes before `map` are to run on them.
fn inputs() -> Vec<(PathBuf, bool)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = vec![];
    for (folder, early) in [("tests/in", true), ("../../tests/passes/map", false)] {
        let entries = fs::read_dir(root.join(folder)).unwrap().map(|e| e.unwrap().path());
        files.extend(entries.filter(|f| f.extension().is_some_and(|e| e == "ir")).map(|f| (f, early)));
    }
    files.sort();
    files
}

fn run(passes: &[pipeline::Pass], module: &mut Module) -> Vec<Diagnostic> {
    run_with(passes, module, &Options::default()).0
}

fn run_with(
    passes: &[pipeline::Pass],
    module: &mut Module,
    options: &Options<'_>,
) -> (Vec<Diagnostic>, Vec<KernelSpace>) {
    let (mut diagnostics, mut remarks) = (vec![], vec![]);
    let mut cx = Context::new(options, &mut diagnostics, &mut remarks);
    pipeline::run_passes(passes, module, &mut cx, &mut |_, _| {});
    let spaces = std::mem::take(&mut cx.spaces);
    (diagnostics, spaces)
}

/// What the schedule makes of a kernel.
fn made(
    unmapped: &Module,
    h: Handle<Kernel>,
    schedule: &Schedule,
    map: &pipeline::Pass,
) -> Result<Variant, String> {
    let mut module = unmapped.clone();
    // As it is read from a program.
    let schedule = schedule.to_string().parse().expect("a printed schedule can be read");
    module.kernels[h].schedule = Some(GivenSchedule { schedule, ..GivenSchedule::default() });
    let said = run(&[*map], &mut module);
    if !said.is_empty() {
        return Err(said.iter().map(|d| d.message.as_str()).collect::<Vec<_>>().join("; "));
    }
    Ok(module.kernels[h].variants[0].clone())
}

/// It makes the variant of the kernel that has it.
fn given(unmapped: &Module, h: Handle<Kernel>, of: &Variant, map: &pipeline::Pass) -> Result<(), String> {
    let made = made(unmapped, h, &of.schedule, map)?;
    let same = made.schedule == of.schedule && made.block == of.block && made.per_thread == of.per_thread;
    same.then_some(()).ok_or_else(|| format!("it gives {} instead", made.schedule))
}

#[test]
fn printed_schedules_can_be_given() {
    let at = pipeline::PASSES.iter().position(|pass| pass.name == "map").unwrap();
    let (before, map) = (&pipeline::PASSES[..at], &pipeline::PASSES[at]);
    let (mut tried, mut wrong) = (0, vec![]);
    for (input, early) in inputs() {
        let mut unmapped = Module::from_text(&fs::read_to_string(&input).unwrap()).unwrap();
        if early {
            run(before, &mut unmapped);
        }
        let mut mapped = unmapped.clone();
        run(&[*map], &mut mapped);
        for h in mapped.kernels.handles() {
            for variant in &mapped.kernels[h].variants {
                // What only the launch decides nobody can ask for.
                if variant.schedule.to_string().contains("shared_tile(launch)") {
                    continue;
                }
                tried += 1;
                if let Err(why) = given(&unmapped, h, variant, map) {
                    wrong.push(format!("{} of {}: {why}", variant.schedule, input.display()));
                }
            }
        }
    }
    assert!(tried > 100, "{tried} schedules are few");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Schedules of a kernel's space that are given; it has up to a thousand.
const SAMPLES: usize = 8;

#[test]
fn schedules_of_spaces_can_be_given() {
    let at = pipeline::PASSES.iter().position(|pass| pass.name == "map").unwrap();
    let (before, map) = (&pipeline::PASSES[..at], &pipeline::PASSES[at]);
    let options = Options { list_spaces: true, ..Options::default() };
    let (mut tried, mut wrong) = (0, vec![]);
    for (input, early) in inputs() {
        let mut unmapped = Module::from_text(&fs::read_to_string(&input).unwrap()).unwrap();
        if early {
            run(before, &mut unmapped);
        }
        let (_, spaces) = run_with(&[*map], &mut unmapped.clone(), &options);
        for space in spaces {
            let Some((h, _)) = unmapped.kernels.iter().find(|(_, kernel)| kernel.name == space.name) else {
                continue;
            };
            let all = &space.schedules;
            for candidate in all.iter().step_by(all.len() / SAMPLES + 1) {
                tried += 1;
                let made = made(&unmapped, h, &candidate.schedule, map);
                let made = made.map(|made| made.schedule.to_string());
                if made != Ok(candidate.schedule.to_string()) {
                    wrong.push(format!("{} of {}: {made:?}", candidate.schedule, input.display()));
                }
            }
        }
    }
    assert!(tried > 100, "{tried} schedules are few");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
