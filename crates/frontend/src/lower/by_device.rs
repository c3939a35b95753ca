//! Clauses that differ between types of device (`device_type`, OpenACC 3.3 §2.4).
//!
//! What the host evaluates at a construct, such as launch sizes and queues, becomes one expression that picks the
//! value for the current device when the program runs. How loops are mapped is decided once for all devices: where
//! the clauses for it differ, those for nvidia are used, and a warning says so.

use super::function::Fun;
use super::gangs;
use accl_directives::{
    CExpr, Clauses, DeviceKind, Directive, GangArgs, LevelClauses, QueueClauses, SizeClauses,
};
use accl_ir::{Async, HostExpr, Wait};
use accl_source::{Diagnostic, Span, codes::frontend as codes};

/// `accl_abi.h`'s codes of a construct without `async`, and of one without an argument.
const SYNC: i64 = -1;
const NOVAL: i64 = -2;
/// The value that `accl_launch` takes for a size that is not given.
const NO_SIZE: i64 = 0;

/// For each of [`DeviceKind::ALL`].
type Each<T> = [T; 3];

const NUMBERS: &str = "queues and devices have integers as their numbers";
const SIZES: &str = "gangs, workers and lanes are counted by integers";

pub struct LaunchSizes {
    pub num_gangs: Option<HostExpr>,
    pub num_workers: Option<HostExpr>,
    pub vector_length: Option<HostExpr>,
}

pub fn views(d: &Directive) -> Each<Clauses<'_>> {
    DeviceKind::ALL.map(|device| d.clauses_for(device))
}

impl Fun<'_, '_> {
    pub fn launch_sizes(&mut self, views: &Each<Clauses<'_>>) -> LaunchSizes {
        let gangs = views.each_ref().map(|view| {
            let SizeClauses { num_gangs, num_workers: _, vector_length: _ } = &view.sizes;
            // For any of these dimensions, each iteration of a gang loop runs in exactly one gang.
            gangs::product(num_gangs.iter().map(|e| self.integer(e, SIZES)))
        });
        let mut size = |of: for<'v> fn(&'v SizeClauses<'v>) -> Option<&'v CExpr>| {
            let each = views.each_ref().map(|view| of(&view.sizes).map(|e| self.integer(e, SIZES)));
            self.by_device(each, NO_SIZE)
        };
        let (num_workers, vector_length) = (size(|s| s.num_workers), size(|s| s.vector_length));
        LaunchSizes { num_gangs: self.by_device(gangs, NO_SIZE), num_workers, vector_length }
    }

    pub fn async_clause(&mut self, views: &Each<Clauses<'_>>, at: Span) -> Option<Async> {
        let queues = views.each_ref().map(|view| {
            let QueueClauses { async_, waits: _, depends: _ } = &view.queues;
            *async_
        });
        if queues.iter().all(|queue| *queue == queues[0]) {
            return queues[0].map(|queue| Async { queue: queue.map(|e| self.integer(e, NUMBERS)) });
        }
        let code = |code: i64| HostExpr::constant(code, at);
        let values =
            queues.map(|queue| Some(queue?.map_or_else(|| code(NOVAL), |e| self.integer(e, NUMBERS))));
        self.by_device(values, SYNC)
            .filter(|queue| queue.value != Some(SYNC))
            .map(|queue| Async { queue: Some(queue) })
    }

    /// All `wait` clauses. Where they differ between devices, each device waits for the queues of all, which is
    /// right for each.
    pub fn wait_clauses(&mut self, views: &Each<Clauses<'_>>) -> Vec<Wait> {
        let mut waits: Vec<Wait> = vec![];
        for view in views {
            let QueueClauses { async_: _, waits: clauses, depends: _ } = &view.queues;
            for clause in clauses {
                let wait = clause.map_or_else(Wait::default, |args| self.wait(args));
                if !waits.contains(&wait) {
                    waits.push(wait);
                }
            }
        }
        waits
    }

    pub fn wait(&mut self, args: &accl_directives::WaitArgs) -> Wait {
        let accl_directives::WaitArgs { devnum, queues } = args;
        let devnum = devnum.as_ref().map(|e| self.integer(e, NUMBERS));
        Wait { devnum, queues: queues.iter().map(|e| self.integer(e, NUMBERS)).collect(), tasks: false }
    }

    /// One expression for the clauses of all devices; `absent`: the value by which the runtime knows that there is
    /// no clause.
    fn by_device(&mut self, each: Each<Option<HostExpr>>, absent: i64) -> Option<HostExpr> {
        if let Some(only) = self.cx.only_device {
            let at = DeviceKind::ALL.iter().position(|device| *device == only)?;
            return each.into_iter().nth(at)?;
        }
        if each.iter().all(|e| e == &each[0]) {
            let [one, ..] = each;
            return one;
        }
        let span = each.iter().flatten().next()?.span;
        let texts = each.map(|e| e.map_or_else(|| absent.to_string(), |e| e.text));
        Some(HostExpr { text: format!("accl_by_device({})", texts.join(", ")), span, value: None })
    }

    /// The levels of a loop that hold for all devices, with sizes that may differ.
    pub fn loop_levels<'d>(&mut self, views: &Each<Clauses<'d>>, d: &Directive) -> LoopLevels<'d> {
        let [first, others @ ..] = views.each_ref().map(|view| LoopMapping::of(&view.levels));
        if others.iter().any(|other| *other != first) {
            let at = d.clauses.iter().find(|c| !c.device_types.is_empty()).map_or(d.name_span, |c| c.span);
            self.cx.error(
                Diagnostic::warning(
                    codes::LOOP_BY_DEVICE,
                    "one mapping of the loop serves all types of device: that for nvidia is taken",
                )
                .label(at, "for some of them only")
                .with_note("sizes may differ, and what a construct's `num_gangs`, `async` and their like say")
                .with_help(
                    "give the loop the same levels for all types, or leave them out: the compiler chooses",
                ),
            );
        }
        let sizes =
            |of: fn(&LevelClauses<'d>) -> Option<&'d CExpr>| match first == others[0] && first == others[1] {
                true => views.each_ref().map(|view| of(&view.levels)),
                false => [of(&views[0].levels); 3],
            };
        let gang = |levels: &LevelClauses<'d>| levels.gang.and_then(|args| args.num.as_ref());
        let each = [sizes(gang), sizes(|l| l.worker.flatten()), sizes(|l| l.vector.flatten())];
        let [gang, worker, vector] = each.map(|sizes| {
            let sizes = sizes.map(|e| e.map(|e| self.host_expr(e)));
            self.by_device(sizes, NO_SIZE)
        });
        LoopLevels { shape: first, gang, worker, vector }
    }
}

/// The levels that all devices have, and their sizes.
pub struct LoopLevels<'d> {
    pub shape: LoopMapping<'d>,
    pub gang: Option<HostExpr>,
    pub worker: Option<HostExpr>,
    pub vector: Option<HostExpr>,
}

/// What decides how a loop is mapped: all of [`LevelClauses`] except the sizes.
#[derive(Clone, PartialEq)]
pub struct LoopMapping<'d> {
    pub gang: bool,
    pub static_: Option<&'d accl_directives::StaticSize>,
    pub dim: Option<&'d CExpr>,
    pub worker: bool,
    pub vector: bool,
    pub seq: bool,
    pub auto: bool,
    pub independent: bool,
    pub collapse: Option<&'d accl_directives::Collapse>,
    pub tile: &'d [accl_directives::TileSize],
}

impl<'d> LoopMapping<'d> {
    pub fn of(levels: &LevelClauses<'d>) -> LoopMapping<'d> {
        let LevelClauses { gang, worker, vector, seq, auto, independent, collapse, tile, schedules: _ } =
            levels.clone();
        let (static_, dim) = match gang {
            None => (None, None),
            Some(GangArgs { num: _, static_, dim }) => (static_.as_ref(), dim.as_ref()),
        };
        let (gang, worker, vector) = (gang.is_some(), worker.is_some(), vector.is_some());
        LoopMapping { gang, static_, dim, worker, vector, seq, auto, independent, collapse, tile }
    }
}
