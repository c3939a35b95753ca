//! The kernels of a program with their schedules, from the compiler to the tuner.
//!
//! What the pass `map` can choose one translation lists ([`accl_transforms::map::space`]). How loops are distributed over the launch is
//! decided before, so other distributions are other translations ([`distributions`]).

use super::errors::TuneError;
use super::report::PruningReport;
use crate::cc::{self, Compilation, Reading, Session};
use accl_ir::Schedule;
use accl_ir::schedule::{Arg, Step};
use accl_source::Files;
use accl_transforms::device_model::DeviceModel;
use accl_transforms::map::space::{self, KernelSpace, LegalSchedule};
use accl_transforms::map::steps::grid::AXES;
use accl_transforms::map::steps::{self, StepKind};
use accl_transforms::options::FileSchedule;
use accl_tuner::program::MeasuredDevice;
use accl_tuner::prune::{self, DeviceLimits};
use accl_tuner::setup::Setup;
use accl_tuner::space::{Estimate, Listed, Place, TunableKernel};
use anyhow::Result;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// A kernel that can be tuned, with what the compiler says of each kind of step.
pub struct Tunable {
    pub kernel: TunableKernel,
    pub steps: Vec<StepHere>,
    /// There are more schedules than were listed.
    pub cut: bool,
}

/// A kind of step in one kernel.
pub struct StepHere {
    pub usage: &'static str,
    pub summary: &'static str,
    /// What it can be, or why it does not apply.
    pub values: Result<Vec<String>, String>,
}

impl Tunable {
    /// The configurations that there would be if no step were asked whether it applies: each is there or not, with each value.
    pub fn unpruned(&self) -> f64 {
        let choices = |step: &StepHere| 1.0 + step.values.as_ref().map_or(1, |all| all.len().max(1)) as f64;
        self.steps.iter().map(choices).product()
    }

    /// The kernel with the candidates that the user allows and that may be the best; and why the others may not.
    pub fn pruned(&self, setup: &Setup, limits: &DeviceLimits) -> (TunableKernel, PruningReport) {
        let allowed = self.kernel.with(&setup.allowed(&self.kernel));
        let pruned = prune::prune(&allowed, limits);
        (allowed.with(&pruned.kept), PruningReport::new(&self.kernel, &allowed, pruned))
    }
}

/// Translations of a unit for other distributions of its loops, at most.
const TRANSLATIONS: usize = 32;

/// The kernels that can be tuned. Those that the same line of a file would name cannot: of functions of one name in several sources.
/// `sessions`: what is compiled, and where.
pub fn of_program(sessions: &mut [(PathBuf, Session)]) -> Result<Vec<Tunable>> {
    let mut all = vec![];
    let here = std::env::current_dir()?;
    for (dir, session) in sessions {
        std::env::set_current_dir(dir)?;
        for unit in cc::plan(session)? {
            let mut own = of_unit(session, &unit)?;
            distributions(session, &unit, &mut own);
            let ids: Vec<String> = own.iter().map(|listing| listing.id(&own)).collect();
            all.extend(own.into_iter().zip(ids).map(|(listing, id)| listing.tunable(id)));
        }
    }
    std::env::set_current_dir(here)?;
    let ids: Vec<String> = all.iter().map(|tunable: &Tunable| tunable.kernel.id.clone()).collect();
    let several = |id: &String| ids.iter().filter(|other| *other == id).count() > 1;
    for id in BTreeSet::from_iter(ids.iter().filter(|id| several(id))) {
        eprintln!(
            "accl: note: {id} is left out: several sources have a directive at that line of a function of that name, and one schedule would be \
             for all of them"
        );
    }
    all.retain(|tunable| !several(&tunable.kernel.id));
    all.retain(|tunable| tunable.kernel.candidates.len() > 1);
    tell_apart(&mut all);
    Ok(all)
}

/// Of kernels that are launched from one place, each has its own times.
fn tell_apart(all: &mut [Tunable]) {
    let places: Vec<Place> = all.iter().map(|tunable| tunable.kernel.launched.clone()).collect();
    for kernel in all.iter_mut().map(|tunable| &mut tunable.kernel) {
        if places.iter().filter(|place| **place == kernel.launched).count() > 1 {
            kernel.launched.kernel = Some(kernel.symbol.clone());
        }
    }
}

/// A kernel as the compiler lists it.
struct Listing {
    place: FileSchedule,
    symbol: String,
    launched: Place,
    usual: Schedule,
    candidates: Vec<Listed>,
    steps: Vec<StepHere>,
    cut: bool,
}

impl Listing {
    /// Its place, as a file of schedules has it. `all`: those of the unit.
    fn id(&self, all: &[Listing]) -> String {
        let of_all = |listing: &Listing| FileSchedule { copy: None, ..listing.place.clone() };
        let name = |place: &FileSchedule| format!("{}:{}", place.function, place.numbers());
        let whole = name(&of_all(self));
        match all.iter().filter(|other| name(&of_all(other)) == whole).count() {
            1 => whole,
            _ => name(&self.place),
        }
    }

    fn tunable(self, id: String) -> Tunable {
        let usual = self.usual.to_string();
        let kernel = TunableKernel::new(id, self.symbol, self.launched, usual, self.candidates);
        Tunable { kernel, steps: self.steps, cut: self.cut }
    }
}

/// Adds the schedules for other distributions of each kernel's loops over the launch. The pass that distributes follows what it is
/// given, so each is a translation of its own; one that is refused adds nothing.
fn distributions(session: &mut Session, unit: &Compilation, kernels: &mut [Listing]) {
    let given = session.invocation.acc.schedules.clone();
    let mut left = TRANSLATIONS;
    for kernel in kernels {
        let others = kernel.usual.step("grid").map(other_grids).unwrap_or_default();
        for grid in others.into_iter().take(left) {
            left -= 1;
            let schedule = FileSchedule { schedule: Schedule { steps: vec![grid] }, ..kernel.place.clone() };
            session.invocation.acc.schedules = given.iter().cloned().chain([schedule]).collect();
            let listed = translated(session, unit).map(|all| all.unwrap_or_default()).unwrap_or_default();
            let same = |other: &Listing| {
                let of = |listing: &Listing| (listing.place.line, listing.place.part, listing.place.copy);
                other.place.function == kernel.place.function && of(other) == of(kernel)
            };
            let known = |one: &Listed| kernel.candidates.iter().any(|other| other.schedule == one.schedule);
            let more = listed.into_iter().filter(same).flat_map(|listing| listing.candidates);
            let more: Vec<Listed> = more.filter(|one| !known(one)).collect();
            kernel.candidates.extend(more);
        }
    }
    session.invocation.acc.schedules = given;
}

/// The loops of the step in other dimensions, and the outer ones alone. The first loop has x.
fn other_grids(grid: &Step) -> Vec<Step> {
    let loops: Vec<&str> = grid.args.iter().filter_map(|arg| arg.of.as_deref()).collect();
    let mut orders: Vec<Vec<&str>> = match loops.as_slice() {
        [a, b] => vec![vec![b, a]],
        [a, b, c] => {
            vec![vec![a, c, b], vec![b, a, c], vec![b, c, a], vec![c, a, b], vec![c, b, a], vec![b, c]]
        }
        _ => vec![],
    };
    orders.extend(loops.last().filter(|_| loops.len() > 1).map(|outermost| vec![*outermost]));
    let step = |order: Vec<&str>| {
        Step::new("grid", order.into_iter().zip(AXES).map(|(name, axis)| Arg::of(name, axis)))
    };
    orders.into_iter().map(step).collect()
}

fn of_unit(session: &Session, unit: &Compilation) -> Result<Vec<Listing>> {
    match translated(session, unit)? {
        Ok(all) => Ok(all),
        Err(messages) => {
            cc::show(&messages);
            Err(TuneError::Failed("it does not compile".to_owned()).into())
        }
    }
}

/// The kernels of a unit, or the messages that say why there are none.
fn translated(session: &Session, unit: &Compilation) -> Result<Result<Vec<Listing>, Vec<u8>>> {
    let source = match cc::read(session, unit, None)? {
        Reading::Directives(source) => source,
        Reading::Plain | Reading::PlainWithExports(_) => return Ok(Ok(vec![])),
        Reading::Rejected(why) => return Ok(Err(why.into_bytes())),
    };
    let compiled = cc::compile_with_fallback(session, unit, source)?;
    if compiled.has_errors() {
        let mut messages = vec![];
        cc::show_messages(session, &compiled, &mut messages);
        return Ok(Err(messages));
    }
    let device = session.invocation.acc.device_model();
    let module = &compiled.source.unit.module;
    let usual = |space: &KernelSpace| {
        let kernel = module.kernels.iter().find(|(_, kernel)| kernel.name == space.name);
        let first = kernel.and_then(|(_, kernel)| kernel.variants.first());
        first.map(|variant| variant.schedule.clone()).unwrap_or_default()
    };
    let spaces = compiled.spaces.iter().filter(|space| !space.directive.is_nowhere());
    Ok(Ok(spaces.map(|space| listing(space, usual(space), compiled.files(), device)).collect()))
}

fn step_here((kind, values): &(&'static StepKind, Result<Vec<Step>, String>)) -> StepHere {
    let texts = |all: &Vec<Step>| all.iter().map(Step::to_string).collect();
    StepHere {
        usage: kind.usage,
        summary: kind.summary,
        values: values.as_ref().map(texts).map_err(String::clone),
    }
}

fn listing(space: &KernelSpace, usual: Schedule, files: &Files, device: &DeviceModel) -> Listing {
    let listed = |candidate: &LegalSchedule| {
        let cost = &candidate.cost;
        Listed {
            schedule: candidate.schedule.to_string(),
            variant: candidate.variant.clone(),
            needs: candidate.needs.iter().map(|need| (*need).to_owned()).collect(),
            steps: values(&candidate.schedule),
            estimate: Estimate {
                threads: cost.threads,
                registers: cost.registers,
                shared: cost.shared,
                accesses: cost.loads + cost.stores,
                occupancy: candidate.occupancy,
                bytes_under_way: candidate.bytes_under_way,
                seconds: cost.seconds(device),
                terms: cost.terms(device),
            },
        }
    };
    let place = FileSchedule {
        function: space.function.clone(),
        line: files.line(space.directive),
        part: (space.part > 0).then_some(space.part),
        copy: Some(space.copy),
        schedule: Schedule::default(),
        origin: "accl tune".to_owned(),
    };
    Listing {
        place,
        symbol: space.name.clone(),
        launched: Place { function: space.function.clone(), line: files.line(space.construct), kernel: None },
        usual,
        candidates: space.schedules.iter().map(listed).collect(),
        steps: space.steps.iter().map(step_here).collect(),
        cut: space.cut,
    }
}

/// Each step is the value of a parameter of its name; those that say what a thread runs are values of one.
fn values(schedule: &Schedule) -> Vec<(String, String)> {
    let value = |step: &Step| {
        let writes = steps::kind(&step.name).is_some_and(|kind| kind.writes_program);
        let text = step.to_string();
        let args = text.strip_prefix(&step.name).unwrap_or_default().trim_matches(['(', ')']);
        match (writes, args.is_empty()) {
            (true, _) => (space::PROGRAM.to_owned(), text),
            (false, true) => (step.name.clone(), "on".to_owned()),
            (false, false) => (step.name.clone(), args.to_owned()),
        }
    };
    schedule.steps.iter().map(value).collect()
}

/// What the device that the program ran on can run, as far as it is known.
pub fn limits(session: &Session, device: &MeasuredDevice) -> DeviceLimits {
    let model = DeviceModel::named(&device.architecture);
    let model = model.unwrap_or_else(|| session.invocation.acc.device_model());
    DeviceLimits {
        device: model.name.to_owned(),
        threads_per_block: model.threads_per_block,
        registers: model.registers,
        shared: model.most_shared,
        bytes_under_way: model.bytes_under_way(),
    }
}
