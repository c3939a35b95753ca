//! From the typed tree to IR.
//!
//! Functions that contain directives are lowered as *host* functions: exactly as far as their structure around
//! directives goes, with the rest as [`Stmt::Host`](accl_ir::Stmt::Host). The code in compute regions, and the
//! functions called from there, is *device* code and lowered exactly; whatever cannot be lowered is refused with
//! the reason. Functions are lowered one at a time; a call adds its target to the list of those to do.

mod access;
mod assign;
mod atomic;
mod atomic_compare;
mod by_device;
mod c_strings;
mod call;
mod cexpr;
mod choice;
mod clauses;
mod comparisons;
mod complex;
mod compression;
mod context;
mod copies;
mod counted;
mod cross_unit;
mod declare_target;
mod destructors;
mod expr;
mod extents;
mod force;
mod function;
mod gangs;
mod gnu_atomics;
mod goto;
mod host;
pub mod host_container;
mod host_threads;
mod init;
mod iteration_copies;
mod lambda;
mod layouts;
mod library;
mod loops;
mod map_list;
mod math;
mod memberwise;
mod memory;
mod on_host;
mod one_thread;
mod only_reads;
mod order;
mod output;
mod place;
mod private_objects;
mod private_rows;
mod private_section;
mod privates;
mod reduced_parts;
mod region;
mod routine;
mod scope;
mod sections;
mod standalone;
mod stmt;
mod target;
mod target_defaults;
mod team;
mod twice;
mod types;
mod variants;
mod vectors;
pub(crate) mod walk;
mod window;

use crate::ast::{Function, Program, Storage, Ty, Var};
use crate::bind;
use crate::function_pointers::Chosen;
use crate::pragmas::Pragma;
use crate::resolve::variants::Variant;
use crate::specialize::discarded;
use accl_directives::{DeviceKind, DirectiveKind};
use accl_ir::Module;
use accl_source::{Diagnostic, Span, codes::frontend as codes};
use context::Context;
pub use cross_unit::{Exports, Externals, Undefined};
pub use layouts::Layouts;
pub use math::is_plain_math;
use std::collections::{BTreeMap, BTreeSet};

/// The buffer that was read.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    pub buffer: &'a str,
    /// What `declare variant` names.
    pub variants: &'a [Variant],
    /// The program is for this kind of device alone.
    pub only_device: Option<DeviceKind>,
    /// Where the directives of constructs end that the host runs.
    pub on_host: &'a [u32],
    /// Constructs that call through pointers to other functions than these.
    pub chosen: &'a [Chosen],
    /// Data without clauses is resident.
    pub auto_data: bool,
    /// The functions of other units that device code may call.
    pub externals: &'a Externals,
    /// All functions are for devices, whether a directive says so or not.
    pub exports_all: bool,
}

/// What came of it.
pub struct Report {
    /// The user's mistakes.
    pub diagnostics: Vec<Diagnostic>,
    /// For each error, by its number, the compute constructs that it concerns.
    pub concerned: BTreeMap<usize, BTreeSet<Span>>,
    pub undefined: Vec<Undefined>,
    pub exports: Exports,
    /// Constructs use static members that only their classes may name.
    pub names_private: bool,
}

/// Why something could not be lowered. Boxed: results are returned everywhere.
pub type Refused = Box<Diagnostic>;
pub type Lowered<T> = Result<T, Refused>;

/// Fills the module.
pub fn run(mut program: Program, pragmas: Vec<Pragma>, source: Source<'_>, module: &mut Module) -> Report {
    let mut diagnostics = Vec::new();
    let mut seen = Vec::new();
    let of_methods = bind::of_local_classes(&program, &pragmas);
    for function in &mut program.functions {
        let instance = function.instance.is_some();
        if let Some(body) = &mut function.body {
            // Each instance of a template has the same text, so its mistakes are reported once.
            let mut again = Vec::new();
            let fresh = !instance || !seen.contains(&body.span);
            let mut discarded = if instance { discarded::parts(source.buffer, body) } else { vec![] };
            discarded.extend(of_methods.iter().filter(|method| bind::is_within(body.span, **method)));
            bind::bind(body, &pragmas, discarded, if fresh { &mut diagnostics } else { &mut again });
            seen.push(body.span);
        }
    }
    private_objects::declare(&mut program, &pragmas, source.on_host);
    let regions = templates_with_regions(&program, &pragmas);
    diagnostics.extend(regions.iter().map(|(pragma, name)| region_in_template(&pragmas[*pragma], name)));
    let mut context = Context::new(&program, &pragmas, source, module, diagnostics);
    context.file_scope_directives();
    if source.auto_data {
        arrays_of_file(&mut context);
    }
    for function in program.functions.iter().filter(|f| is_host(f, &pragmas)) {
        function::lower_host(&mut context, function);
    }
    while let Some((handle, function)) = context.todo.pop_front() {
        function::lower_device(&mut context, handle, function);
    }
    context.unused_loop_directives();
    routine::calls_on_host(&mut context);
    let concerned = context.concerned_constructs();
    let Context { diagnostics, undefined, .. } = context;
    let exports = cross_unit::exports(&program, &pragmas, source);
    let mut variables = module.globals.iter().filter(|(_, g)| g.value.is_none());
    let names_private = variables.any(|(_, g)| cross_unit::is_private(&program, g.span));
    Report { diagnostics, concerned, undefined, exports, names_private }
}

/// What a program without directives offers to the device code of other units.
pub fn exports_of_plain(program: &Program, source: Source<'_>) -> Exports {
    cross_unit::exports(program, &[], source)
}

/// A pointer that a construct follows may lead into any array that the file defines, in its functions, too.
fn arrays_of_file(context: &mut Context<'_>) {
    let program = context.program;
    let mut arrays: Vec<&Var> = program.globals.iter().collect();
    for function in program.functions.iter().filter(|f| f.instance.is_none()) {
        let in_function = |var: &&Var| !var.ty.constant;
        function.body.iter().for_each(|body| {
            walk::vars(body, &mut |var| arrays.extend(Some(var).filter(in_function)));
        });
    }
    for var in arrays {
        if var.storage == Storage::Static && matches!(*var.ty.ty, Ty::Array { .. }) {
            context.global(var);
        }
    }
}

/// Functions whose text the host crate has to edit. Routines with loop directives are not: they matter
/// when a region calls them.
fn is_host(function: &Function, pragmas: &[Pragma]) -> bool {
    let Some(body) = function.body.as_ref().filter(|_| function.instance.is_none()) else { return false };
    pragmas.iter().any(|p| bind::is_inside(body.span, p.span) && edits_host(p))
}

pub(crate) fn edits_host(pragma: &Pragma) -> bool {
    let declares = matches!(
        pragma.directive.kind,
        DirectiveKind::DeclareTarget { .. } | DirectiveKind::EndDeclareTarget
    );
    pragma.directive.is_for_devices() && !declares
}

/// Directives in templates that were not replaced by specialisations, and the templates' names.
fn templates_with_regions(program: &Program, pragmas: &[Pragma]) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    for function in program.functions.iter().filter(|f| f.instance.is_some()) {
        let Some(body) = &function.body else { continue };
        let inside = |p: &Pragma| bind::is_inside(body.span, p.span) && edits_host(p);
        for (index, _) in pragmas.iter().enumerate().filter(|(_, p)| inside(p)) {
            if !found.iter().any(|(i, _)| *i == index) {
                found.push((index, function.name.clone()));
            }
        }
    }
    found
}

fn region_in_template(pragma: &Pragma, name: &str) -> Diagnostic {
    let message = format!("the `{}` directive stands in the template `{name}`", bind::name_of(pragma));
    Diagnostic::error(codes::REGION_IN_TEMPLATE, message)
        .at(pragma.directive.name_span)
        .with_note(
            "each instantiation needs kernels of its own; the compiler writes an explicit specialisation for \
             each, but this template does not allow that (an argument that is a template, a type that is not \
             visible behind the template, or a lambda given in a condition, in the header of a loop or to a \
             method that has its own copies of members)",
        )
        .with_help("move the construct into a function that is no template; it may call templates")
}
