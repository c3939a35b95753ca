//! Functions that device code of several units shares.
//!
//! A unit *exports* the functions that its directives mark for devices (`routine`, `declare target`): they are lowered by
//! themselves, into a module that travels in the object. Where device code calls a function that its file only declares, the
//! call is *undefined* until the program is linked; a unit that is translated then is told which of these functions there are
//! (`Externals`), and `accl_ir::link` brings their bodies.

use super::context::{Concerned, Context};
use super::scope::short_name;
use super::{Source, declare_target, function, is_host};
use crate::ast::{DeclId, Function, Program, Storage};
use crate::pragmas::Pragma;
use accl_ir::Module;
use accl_source::{Diagnostic, Span, codes::frontend as codes};
use std::collections::BTreeSet;

/// The functions of other units that device code may call, by the linker's names.
#[derive(Clone, Debug)]
pub enum Externals {
    Named(BTreeSet<String>),
    /// Whatever is declared: a function that is exported is completed where it is used.
    All,
}

impl Default for Externals {
    fn default() -> Self {
        Externals::Named(BTreeSet::new())
    }
}

impl Externals {
    pub fn are_none(&self) -> bool {
        matches!(self, Externals::Named(names) if names.is_empty())
    }

    pub fn holds(&self, link_name: &str) -> bool {
        match self {
            Externals::Named(names) => names.contains(link_name),
            Externals::All => true,
        }
    }
}

/// A call in device code of a function that is not defined in the unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Undefined {
    pub link_name: String,
    /// As in the source.
    pub name: String,
    pub call: Span,
}

/// What a unit offers to the device code of others.
#[derive(Clone, Debug, Default)]
pub struct Exports {
    /// The functions, with all that they need of the unit.
    pub module: Module,
    /// The linker's names of functions that cannot be translated, with the reasons.
    pub refused: Vec<(String, String)>,
    /// Variables whose address a text behind all others of the unit can name, by their positions among those of the module.
    pub nameable: BTreeSet<usize>,
    /// Variables that directives of the unit put on devices, by their positions among those of the module.
    pub declared: BTreeSet<usize>,
}

impl Context<'_> {
    pub fn note_undefined(&mut self, decl: &Function, call: Span) {
        let Some(link_name) = &decl.link_name else { return };
        let undefined = Undefined { link_name: link_name.to_string(), name: decl.name.clone(), call };
        if !self.undefined.contains(&undefined) {
            self.undefined.push(undefined);
        }
    }
}

pub fn exports(program: &Program, pragmas: &[Pragma], source: Source<'_>) -> Exports {
    let mut exports = Exports::default();
    let mut wanted = {
        let mut module = Module::default();
        marked(&context(program, pragmas, source, &mut module))
    };
    // Those that cannot be translated are left out, and the others lowered again.
    while !wanted.is_empty() {
        let mut module = Module::default();
        let mut context = context(program, pragmas, source, &mut module);
        let decls: Vec<&Function> = wanted.iter().filter_map(|id| context.function_decl(*id)).collect();
        for decl in &decls {
            context.function(decl);
        }
        while let Some((handle, decl)) = context.todo.pop_front() {
            if context.team_work(decl.id).depends {
                context.concerned = Some(Concerned::Function(decl.id));
                context.error(asks_for_its_threads(decl));
            }
            if !is_marked(&context, decl) && has_pragma(&context, decl) {
                context.concerned = Some(Concerned::Function(decl.id));
                context.error(holds_directives(decl));
            }
            function::lower_device(&mut context, handle, decl);
        }
        for decl in &decls {
            if !is_marked(&context, decl) && context.uses_variables(decl) {
                context.concerned = Some(Concerned::Function(decl.id));
                context.error(uses_variables(decl));
            }
        }
        let before = wanted.len();
        let refusal = |decl: &&Function| {
            Some((decl.link_name.as_ref()?.to_string(), context.refusal(decl.id)?.message.clone()))
        };
        exports.refused.extend(decls.iter().filter_map(refusal));
        wanted.retain(|id| context.refusal(*id).is_none());
        if wanted.len() == before {
            exports.declared = declared(&module);
            exports.nameable = nameable(program, source.buffer, &module);
            exports.module = module;
            break;
        }
    }
    exports
}

/// What the directives at file scope say is known in it; what is wrong about them has been said.
fn context<'p>(
    program: &'p Program,
    pragmas: &'p [Pragma],
    source: Source<'p>,
    module: &'p mut Module,
) -> Context<'p> {
    const ALL: &Externals = &Externals::All;
    let mut context = Context::new(program, pragmas, Source { externals: ALL, ..source }, module, vec![]);
    context.file_scope_directives();
    context.concerns.clear();
    context
}

/// The functions that are for devices and that other units can call.
fn marked(context: &Context<'_>) -> Vec<DeclId> {
    let is_wanted = |f: &&Function| {
        f.body.is_some()
            && f.link_name.is_some()
            && f.instance.is_none()
            && !is_host(f, context.pragmas)
            && (context.source.exports_all || is_marked(context, f))
    };
    let mut met: BTreeSet<DeclId> = BTreeSet::new();
    context.program.functions.iter().filter(is_wanted).map(|f| f.id).filter(|id| met.insert(*id)).collect()
}

/// A directive says that the function is for devices. What others do for a CPU's threads is not known where they are called.
fn is_marked(context: &Context<'_>, f: &Function) -> bool {
    context.is_routine(f.id) || declare_target::names_function(context, f)
}

fn has_pragma(context: &Context<'_>, f: &Function) -> bool {
    let text = context.source.buffer.get(f.definition.start as usize..f.definition.end as usize);
    text.is_none_or(|text| text.contains("#pragma") || text.contains("_Pragma") || text.contains("# pragma"))
}

fn holds_directives(decl: &Function) -> Diagnostic {
    let message = format!("`{}` holds directives for a CPU's threads", decl.name);
    Diagnostic::error(codes::CALL, message).at(decl.span)
}

fn uses_variables(decl: &Function) -> Diagnostic {
    let message = format!("`{}` uses variables of its file, of which threads may have their own", decl.name);
    Diagnostic::error(codes::CALL, message).at(decl.span)
}

fn asks_for_its_threads(decl: &Function) -> Diagnostic {
    let message = format!("what `{}` does depends on the threads that call it", decl.name);
    Diagnostic::error(codes::CALL, message).at(decl.span)
}

fn nameable(program: &Program, buffer: &str, module: &Module) -> BTreeSet<usize> {
    let of_threads = threadprivate(buffer);
    let at = |span: Span| program.globals.iter().filter(move |v| v.span == span);
    let of_file = |span: Span| {
        at(span).any(|v| {
            v.storage == Storage::Static && !v.ty.is_reference() && !program.of_threads.contains(&v.id)
        })
    };
    let globals = module.globals.iter().filter(|(_, g)| !of_threads.contains(short_name(&g.name)));
    let globals = globals.filter(|(_, g)| !is_private(program, g.span));
    // A constant that a class declares with its value may have no definition, and so no address.
    let globals = globals.filter(|(_, g)| g.value.is_none() || !g.name.contains("::"));
    globals.filter(|(_, g)| g.link_name.is_some() || of_file(g.span)).map(|(h, _)| h.index()).collect()
}

/// The variable that is declared there is a static member that not everybody may name.
pub(super) fn is_private(program: &Program, span: Span) -> bool {
    program.globals.iter().any(|v| v.span == span && program.not_public.contains(&v.id))
}

/// The variables of which OpenMP's threads have their own: their addresses are no constants.
pub(super) fn threadprivate(buffer: &str) -> BTreeSet<&str> {
    let lists = buffer.split("threadprivate").skip(1).filter_map(|rest| {
        let (list, _) = rest.trim_start().strip_prefix('(')?.split_once(')')?;
        Some(list.split(',').map(|name| short_name(name.trim())))
    });
    lists.flatten().collect()
}

fn declared(module: &Module) -> BTreeSet<usize> {
    let items = module.declares.iter().flat_map(|d| &d.data);
    let global = |item: &accl_ir::DataItem| match item.var {
        accl_ir::DataVar::Global(global) => Some(global.index()),
        accl_ir::DataVar::Local(_) | accl_ir::DataVar::Member(_) => None,
    };
    items.filter_map(global).collect()
}
