//! The tables of OpenMP's directives and clauses, as far as devices are concerned.

use super::ast::{Leaf, OmpClauseKind, OmpName};
use super::parse::{self, Read};
use crate::ast::AtomicKind;

/// A directive that cannot be combined with others.
pub struct OmpDirectiveSpec {
    pub words: &'static [&'static str],
    pub name: fn() -> OmpName,
    /// What the clause table calls it.
    pub on: On,
    pub spec: &'static str,
    pub doc: &'static str,
}

/// What a clause may stand on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum On {
    Construct(Leaf),
    TargetData,
    EnterData,
    ExitData,
    Update,
    Declare,
    Mapper,
    Requires,
    Atomic,
    /// Directives whose clauses are not read.
    Other,
}

impl On {
    pub fn name(self) -> &'static str {
        match self {
            On::Construct(leaf) => leaf.name(),
            On::TargetData => "target data",
            On::EnterData => "target enter data",
            On::ExitData => "target exit data",
            On::Update => "target update",
            On::Declare => "declare target",
            On::Mapper => "declare mapper",
            On::Requires => "requires",
            On::Atomic => "atomic",
            On::Other => "",
        }
    }
}

macro_rules! directives {
    ($($words:expr => $name:expr, $on:ident, $spec:literal, $doc:literal;)*) => {
        &[$(OmpDirectiveSpec { words: &$words, name: || $name, on: On::$on, spec: $spec, doc: $doc }),*]
    };
}

/// Rows with more words stand before those with fewer.
pub static DIRECTIVES: &[OmpDirectiveSpec] = directives! {
    ["target", "enter", "data"] => OmpName::TargetEnterData, EnterData, "OpenMP 5.2 §13.6",
        "Data is put on the device, until `target exit data`.";
    ["target", "exit", "data"] => OmpName::TargetExitData, ExitData, "OpenMP 5.2 §13.7",
        "What `target enter data` put there is taken back.";
    ["target", "data"] => OmpName::TargetData, TargetData, "OpenMP 5.2 §13.5",
        "Data stays on the device for the time of the block.";
    ["target", "update"] => OmpName::TargetUpdate, Update, "OpenMP 5.2 §13.9",
        "Values are copied between the host's and the device's copy of data.";
    ["begin", "declare", "target"] => OmpName::DeclareTarget { begin: true }, Declare, "OpenMP 5.2 §7.8.2",
        "Variables and functions up to `end declare target` exist on devices, too.";
    ["end", "declare", "target"] => OmpName::EndDeclareTarget, Declare, "OpenMP 5.2 §7.8.2",
        "Ends what `declare target` began.";
    ["declare", "target"] => OmpName::DeclareTarget { begin: false }, Declare, "OpenMP 5.2 §7.8.1",
        "The variables and functions that it names, or those that follow, exist on devices, too.";
    ["declare", "mapper"] => OmpName::DeclareMapper(Box::default()), Mapper, "OpenMP 5.2 §5.8.8",
        "How variables of a type are mapped: `(name: type variable)` and `map` clauses about the variable.";
    ["requires"] => OmpName::Requires, Requires, "OpenMP 5.2 §8.2",
        "What the program asks of every device.";
    ["atomic"] => OmpName::Atomic(AtomicKind::Update), Atomic, "OpenMP 5.2 §15.8.4",
        "One access to one variable that no other thread's access comes between.";
    ["barrier"] => OmpName::Barrier, Other, "OpenMP 5.2 §15.3.1",
        "The team's threads wait for each other.";
    ["flush"] => OmpName::Flush, Other, "OpenMP 5.2 §15.8.5",
        "Memory becomes the same for all threads.";
    ["taskwait"] => OmpName::Taskwait, Other, "OpenMP 5.2 §15.5",
        "The thread's tasks are done. On a device they are run where they are made.";
    ["taskyield"] => OmpName::Taskwait, Other, "OpenMP 5.2 §12.7", "Another task may run here.";
    ["scan"] => OmpName::Separator("scan"), Other, "OpenMP 5.2 §5.6",
        "Divides a loop's body at the value that a reduction has so far. One thread runs such loops.";
    ["cancel"] => OmpName::Separator("cancel"), Other, "OpenMP 5.2 §16.1",
        "Ends a construct early, where OMP_CANCELLATION allows it. Devices do not.";
    ["cancellation", "point"] => OmpName::Separator("cancellation point"), Other, "OpenMP 5.2 §16.2",
        "Looks whether the construct was ended.";
    ["nothing"] => OmpName::Nothing, Other, "OpenMP 5.2 §8.4", "No effect.";
};

/// The words that combined constructs consist of.
pub static CONSTRUCTS: &[(&str, Leaf, &str, &str)] = &[
    ("target", Leaf::Target, "OpenMP 5.2 §13.8", "The block runs on the device, by one thread."),
    ("teams", Leaf::Teams, "OpenMP 5.2 §10.2", "Teams of threads run the block, each by its first thread."),
    ("distribute", Leaf::Distribute, "OpenMP 5.2 §11.6", "Iterations are spread over teams."),
    ("parallel", Leaf::Parallel, "OpenMP 5.2 §10.1", "All threads of the team run the block."),
    ("for", Leaf::For, "OpenMP 5.2 §11.5", "Iterations are spread over the team's threads."),
    (
        "loop",
        Leaf::Loop,
        "OpenMP 5.2 §11.7",
        "Iterations may run at the same time, wherever the compiler puts them.",
    ),
    ("simd", Leaf::Simd, "OpenMP 5.2 §10.4", "Iterations may run in the lanes of vector instructions."),
    ("sections", Leaf::Sections, "OpenMP 5.2 §11.3", "Each section is run by one of the team's threads."),
    ("section", Leaf::Section, "OpenMP 5.2 §11.3.1", "A block of `sections`."),
    ("single", Leaf::Single, "OpenMP 5.2 §11.1", "One of the team's threads runs the block."),
    ("masked", Leaf::Masked, "OpenMP 5.2 §10.5", "The team's first thread runs the block."),
    ("master", Leaf::Masked, "OpenMP 5.2 §10.5", "`masked`, as it was called before."),
    ("critical", Leaf::Critical, "OpenMP 5.2 §15.2", "One thread at a time runs the block."),
    ("ordered", Leaf::Ordered, "OpenMP 5.2 §15.10", "The block runs in the order of the loop's iterations."),
    ("scope", Leaf::Scope, "OpenMP 5.2 §11.2", "All threads of the team run the block."),
    (
        "task",
        Leaf::Task,
        "OpenMP 5.2 §12.5",
        "Work that may be done later. On a device its thread does it at once.",
    ),
    ("taskloop", Leaf::Taskloop, "OpenMP 5.2 §12.6", "A loop's iterations as tasks."),
    ("taskgroup", Leaf::Taskgroup, "OpenMP 5.2 §15.4", "Tasks made in the block are done at its end."),
    ("unroll", Leaf::Unroll, "OpenMP 5.2 §9.2", "The loop's body is repeated."),
    ("tile", Leaf::Tile, "OpenMP 5.2 §9.1", "The nest is split into tiles."),
];

/// A row of the clause table.
pub struct OmpClauseSpec {
    pub name: &'static str,
    pub on: &'static [On],
    pub read: Read,
    pub spec: &'static str,
    pub doc: &'static str,
}

const fn at(leaf: Leaf) -> On {
    On::Construct(leaf)
}

const TARGET: &[On] = &[at(Leaf::Target)];
const TEAMS: &[On] = &[at(Leaf::Teams)];
const PARALLEL: &[On] = &[at(Leaf::Parallel)];
const DATA: &[On] = &[On::TargetData];
const ON_DEVICE: &[On] = &[at(Leaf::Target), On::TargetData, On::EnterData, On::ExitData, On::Update];
const MAPPING: &[On] = &[at(Leaf::Target), On::TargetData, On::EnterData, On::ExitData, On::Mapper];
const TASKS: &[On] = &[at(Leaf::Target), On::EnterData, On::ExitData, On::Update, at(Leaf::Task)];
const CONDITIONAL: &[On] = &[
    at(Leaf::Target),
    at(Leaf::Teams),
    at(Leaf::Parallel),
    at(Leaf::Simd),
    at(Leaf::Task),
    at(Leaf::Taskloop),
    On::TargetData,
    On::EnterData,
    On::ExitData,
    On::Update,
];
const LOOPS: &[On] =
    &[at(Leaf::Distribute), at(Leaf::For), at(Leaf::Loop), at(Leaf::Simd), at(Leaf::Taskloop)];
const SHARING: &[On] = &[
    at(Leaf::Target),
    at(Leaf::Teams),
    at(Leaf::Distribute),
    at(Leaf::Parallel),
    at(Leaf::For),
    at(Leaf::Loop),
    at(Leaf::Simd),
    at(Leaf::Sections),
    at(Leaf::Single),
    at(Leaf::Scope),
    at(Leaf::Task),
    at(Leaf::Taskloop),
];
const ANY_TASK: &[On] = &[at(Leaf::Task), at(Leaf::Taskloop)];
const LAST: &[On] = &[
    at(Leaf::Distribute),
    at(Leaf::For),
    at(Leaf::Loop),
    at(Leaf::Simd),
    at(Leaf::Sections),
    at(Leaf::Taskloop),
];
const REDUCED: &[On] = &[
    at(Leaf::Teams),
    at(Leaf::Parallel),
    at(Leaf::For),
    at(Leaf::Loop),
    at(Leaf::Simd),
    at(Leaf::Sections),
    at(Leaf::Scope),
    at(Leaf::Taskloop),
];
const SHARED: &[On] = &[at(Leaf::Teams), at(Leaf::Parallel), at(Leaf::Task), at(Leaf::Taskloop)];

macro_rules! clauses {
    ($($name:literal on $on:expr, $read:expr, $spec:literal, $doc:literal;)*) => {
        &[$(OmpClauseSpec { name: $name, on: $on, read: $read, spec: $spec, doc: $doc }),*]
    };
}

/// The row for a name, preferably one that the directive accepts.
pub fn lookup(name: &str, on: &[On]) -> Option<&'static OmpClauseSpec> {
    let named = || CLAUSES.iter().filter(|c| c.name == name);
    named().find(|c| c.accepted_on(on)).or_else(|| named().next())
}

impl OmpClauseSpec {
    pub fn accepted_on(&self, on: &[On]) -> bool {
        self.on.iter().any(|place| on.contains(place))
    }
}

pub static CLAUSES: &[OmpClauseSpec] = clauses! {
    // Execution
    "if" on CONDITIONAL, Read::Argument(parse::condition), "OpenMP 5.2 §3.4",
        "The device, or more than one thread, is used only if the condition holds.";
    "device" on ON_DEVICE, Read::Argument(parse::device), "OpenMP 5.2 §13.2",
        "The number of the device. With `ancestor` the host runs the construct, and so the whole construct for a device that it stands in.";
    "nowait" on &[at(Leaf::Target), On::EnterData, On::ExitData, On::Update, at(Leaf::For), at(Leaf::Sections), at(Leaf::Single), at(Leaf::Scope)],
        Read::Word(|| OmpClauseKind::NoEffect), "OpenMP 5.2 §15.6",
        "The host may go on before the construct is done. Launches are always waited for as late as possible.";
    "depend" on TASKS, Read::Argument(parse::depend), "OpenMP 5.2 §15.9.5",
        "Tasks that must be done before.";
    "num_teams" on TEAMS, Read::Argument(parse::num_teams), "OpenMP 5.2 §10.2.1",
        "How many teams there are.";
    "thread_limit" on &[at(Leaf::Target), at(Leaf::Teams)], Read::Argument(parse::thread_limit), "OpenMP 5.2 §13.3",
        "The most threads that a team may have.";
    "num_threads" on PARALLEL, Read::Argument(parse::num_threads), "OpenMP 5.2 §10.1.2",
        "How many of the team's threads run the block.";
    "copyin" on PARALLEL, Read::Argument(parse::no_effect), "OpenMP 5.2 §5.7.1",
        "Threads begin with the first thread's value of a `threadprivate` variable, which device code does not have.";
    "proc_bind" on PARALLEL, Read::Argument(parse::no_effect), "OpenMP 5.2 §10.1.4",
        "Where threads run; on a device that is settled.";

    // Variables
    "private" on SHARING, Read::Argument(|p| parse::list(p, "private", OmpClauseKind::Private)), "OpenMP 5.2 §5.4.3",
        "Each thread, or each team, has a variable of its own, not initialised.";
    "firstprivate" on SHARING, Read::Argument(|p| parse::list(p, "firstprivate", OmpClauseKind::Firstprivate)), "OpenMP 5.2 §5.4.4",
        "Each has a variable of its own that starts with the value outside.";
    "lastprivate" on LAST, Read::Argument(parse::lastprivate), "OpenMP 5.2 §5.4.5",
        "The last iteration's value is the variable's afterwards. With `conditional`, one thread runs the loop.";
    "linear" on &[at(Leaf::For), at(Leaf::Simd)], Read::Argument(parse::linear), "OpenMP 5.2 §5.4.6",
        "The variable grows by a step with each iteration.";
    "shared" on SHARED, Read::Argument(|p| parse::list(p, "shared", OmpClauseKind::Shared)), "OpenMP 5.2 §5.4.2",
        "One variable for all threads.";
    "default" on SHARED, Read::Argument(parse::default), "OpenMP 5.2 §5.4.1",
        "What holds for variables that no clause names.";
    "reduction" on REDUCED, Read::Argument(parse::reduction), "OpenMP 5.2 §5.5.8",
        "Private copies are combined with the operator at the end.";
    "allocate" on SHARING, Read::Argument(parse::no_effect), "OpenMP 5.2 §6.6",
        "The memory of private variables; the compiler chooses it.";
    "in_reduction" on ANY_TASK, Read::Argument(parse::no_effect), "OpenMP 5.2 §5.5.11",
        "The task takes part in a reduction of tasks: it is run at once, and changes the variable.";
    "task_reduction" on &[at(Leaf::Taskgroup)], Read::Argument(parse::no_effect), "OpenMP 5.2 §5.5.10",
        "The variable that tasks reduce.";
    "in_reduction" on TARGET, Read::Argument(parse::no_effect), "OpenMP 5.2 §5.5.11",
        "The construct takes part in a reduction of the host's tasks: it stands in a task, and maps that task's copy.";

    // Data
    "map" on MAPPING, Read::Argument(parse::map), "OpenMP 5.2 §5.8.3",
        "Data on the device: to, from, tofrom, alloc, release or delete.";
    "to" on &[On::Update], Read::Argument(|p| parse::motion(p, true)), "OpenMP 5.2 §5.9.1",
        "Copied from the host to the device.";
    "from" on &[On::Update], Read::Argument(|p| parse::motion(p, false)), "OpenMP 5.2 §5.9.2",
        "Copied from the device to the host.";
    "defaultmap" on TARGET, Read::Argument(parse::defaultmap), "OpenMP 5.2 §5.8.7",
        "How variables that no clause names are mapped.";
    "is_device_ptr" on TARGET, Read::Argument(|p| parse::list(p, "is_device_ptr", OmpClauseKind::IsDevicePtr)), "OpenMP 5.2 §5.4.7",
        "The pointer holds a device address already.";
    "has_device_addr" on TARGET, Read::Argument(|p| parse::list(p, "has_device_addr", OmpClauseKind::HasDeviceAddr)), "OpenMP 5.2 §5.4.9",
        "The variable's name means its device address already.";
    "use_device_ptr" on DATA, Read::Argument(|p| parse::list(p, "use_device_ptr", OmpClauseKind::UseDevice)), "OpenMP 5.2 §5.4.8",
        "In the block, the pointer is the device's.";
    "use_device_addr" on DATA, Read::Argument(|p| parse::list(p, "use_device_addr", OmpClauseKind::UseDevice)), "OpenMP 5.2 §5.4.10",
        "In the block, the name means the variable on the device.";
    "uses_allocators" on TARGET, Read::Argument(parse::no_effect), "OpenMP 5.2 §6.8",
        "Allocators for the block; the compiler chooses the memory of private variables.";

    // Loops
    "collapse" on LOOPS, Read::Argument(parse::collapse), "OpenMP 5.2 §4.4.3",
        "So many nested loops become one.";
    "schedule" on &[at(Leaf::For)], Read::Argument(|p| parse::schedule(p, false)), "OpenMP 5.2 §11.5.3",
        "How iterations are dealt to threads. A loop that asks for its thread's number follows `static`.";
    "dist_schedule" on &[at(Leaf::Distribute)], Read::Argument(|p| parse::schedule(p, true)), "OpenMP 5.2 §11.6.1",
        "How iterations are dealt to teams, where a loop asks for their numbers.";
    "order" on LOOPS, Read::Argument(parse::no_effect), "OpenMP 5.2 §10.3",
        "Iterations may run in any order, at the same time.";
    "ordered" on &[at(Leaf::For)], Read::Optional(parse::ordered), "OpenMP 5.2 §5.4.6",
        "Parts of iterations run in the loop's order.";
    "bind" on &[at(Leaf::Loop)], Read::Argument(parse::no_effect), "OpenMP 5.2 §11.7.1",
        "Which threads run the loop.";
    "safelen" on &[at(Leaf::Simd)], Read::Argument(parse::no_effect), "OpenMP 5.2 §10.4.1",
        "How far apart iterations of one vector may be. Such loops run in order, unless their iterations are seen to be independent.";
    "simdlen" on &[at(Leaf::Simd)], Read::Argument(parse::no_effect), "OpenMP 5.2 §10.4.2",
        "The preferred number of lanes.";
    "aligned" on &[at(Leaf::Simd)], Read::Argument(parse::no_effect), "OpenMP 5.2 §5.11",
        "What the addresses are multiples of.";
    "nontemporal" on &[at(Leaf::Simd)], Read::Argument(parse::no_effect), "OpenMP 5.2 §10.4.3",
        "Variables that are not used again soon.";
    "full" on &[at(Leaf::Unroll)], Read::Word(|| OmpClauseKind::NoEffect), "OpenMP 5.2 §9.2.1",
        "Unrolled altogether; the device's compiler decides.";
    "partial" on &[at(Leaf::Unroll)], Read::Optional(parse::no_effect), "OpenMP 5.2 §9.2.2",
        "Unrolled so many times; the device's compiler decides.";
    "sizes" on &[at(Leaf::Tile)], Read::Argument(parse::sizes), "OpenMP 5.2 §9.1.1",
        "How many iterations of each loop a tile has.";
    "filter" on &[at(Leaf::Masked)], Read::Argument(parse::filter), "OpenMP 5.2 §10.5.1",
        "The number of the thread that runs the block.";
    "copyprivate" on &[at(Leaf::Single)], Read::Argument(|p| parse::list(p, "copyprivate", OmpClauseKind::Copyprivate)), "OpenMP 5.2 §5.7.2",
        "The values that the other threads get.";
    "hint" on &[at(Leaf::Critical), On::Atomic], Read::Argument(parse::no_effect), "OpenMP 5.2 §15.1",
        "What is expected of other threads.";

    // Tasks, which are run where they are made
    "final" on ANY_TASK, Read::Argument(parse::no_effect), "OpenMP 5.2 §12.3", "Tasks of the task are run at once.";
    "untied" on ANY_TASK, Read::Word(|| OmpClauseKind::NoEffect), "OpenMP 5.2 §12.1", "Any thread may go on with the task.";
    "mergeable" on ANY_TASK, Read::Word(|| OmpClauseKind::NoEffect), "OpenMP 5.2 §12.2", "The task needs no data of its own.";
    "priority" on ANY_TASK, Read::Argument(parse::no_effect), "OpenMP 5.2 §12.4", "Which tasks come first.";
    "affinity" on &[at(Leaf::Task)], Read::Argument(parse::no_effect), "OpenMP 5.2 §12.5.1", "Near which data the task runs.";
    "detach" on &[at(Leaf::Task)], Read::Argument(parse::no_effect), "OpenMP 5.2 §12.5.2", "The task ends with an event. One that runs where it is made waits for none.";
    "grainsize" on &[at(Leaf::Taskloop)], Read::Argument(parse::no_effect), "OpenMP 5.2 §12.6.1", "How many iterations a task has.";
    "num_tasks" on &[at(Leaf::Taskloop)], Read::Argument(parse::no_effect), "OpenMP 5.2 §12.6.2", "How many tasks there are.";
    "nogroup" on &[at(Leaf::Taskloop)], Read::Word(|| OmpClauseKind::NoEffect), "OpenMP 5.2 §15.7", "The tasks are not waited for.";

    // Declarations
    "enter" on &[On::Declare], Read::Argument(|p| parse::list(p, "enter", OmpClauseKind::Enter)), "OpenMP 5.2 §5.8.4",
        "These exist on devices, too.";
    "to" on &[On::Declare], Read::Argument(|p| parse::list(p, "to", OmpClauseKind::Enter)), "OpenMP 5.1 §2.14.7",
        "`enter`, as it was called before.";
    "link" on &[On::Declare], Read::Argument(|p| parse::list(p, "link", OmpClauseKind::Link)), "OpenMP 5.2 §5.8.5",
        "These exist on a device while they are mapped.";
    "device_type" on &[On::Declare], Read::Argument(parse::no_effect), "OpenMP 5.2 §13.1",
        "Which of host and devices have them. What the other does not call does no harm.";
    "indirect" on &[On::Declare], Read::Optional(parse::no_effect), "OpenMP 5.2 §7.8.3",
        "The functions may be called through pointers. The host runs constructs with such calls.";

    // Requirements
    "reverse_offload" on &[On::Requires], Read::Word(|| OmpClauseKind::NoEffect), "OpenMP 5.2 §8.2",
        "Devices may have the host run something. The host then runs the whole construct for the device.";
    "unified_address" on &[On::Requires], Read::Word(|| OmpClauseKind::NoEffect), "OpenMP 5.2 §8.2",
        "One range of addresses for the host and its devices.";
    "unified_shared_memory" on &[On::Requires], Read::Word(|| OmpClauseKind::NoEffect), "OpenMP 5.2 §8.2",
        "Devices can use all of the host's memory. What the program maps is copied nevertheless.";
    "dynamic_allocators" on &[On::Requires], Read::Word(|| OmpClauseKind::NoEffect), "OpenMP 5.2 §8.2",
        "Allocators may be used without `uses_allocators`.";
    "atomic_default_mem_order" on &[On::Requires], Read::Argument(parse::no_effect), "OpenMP 5.2 §8.2",
        "The memory order of atomic operations that name none.";
};

/// Words of `atomic` that say in which order other threads see memory (OpenMP 5.2 §15.8.1).
pub const MEMORY_ORDERS: [&str; 7] = ["seq_cst", "acq_rel", "acquire", "release", "relaxed", "weak", "fail"];
