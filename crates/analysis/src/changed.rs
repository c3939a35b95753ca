//! What the kernels of a file change: where it is on the device, its value there may differ from the host's.
//!
//! A structure is no scalar: where it is on the device, constructs use its values there (OpenACC 3.3 §2.6.2). A
//! member that a construct only reads is nevertheless passed by value from the host, which costs least. The
//! exception are members that some kernel changes in a structure of that type: the host's value might be out of
//! date.

use crate::provenance::Root;
use crate::scalars;
use accl_ir::{
    Block, Body, DataItem, DataVar, Expr, ExprKind, Function, Handle, Local, Module, Region, RegionKind,
    Stmt, StructDef, Type, TypeKind, Types, visit,
};
use std::collections::BTreeSet;

/// A member, as its structure and its position in it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct StructMember(Handle<StructDef>, u32);

impl StructMember {
    /// `structure.member`.
    pub fn text(&self, types: &Types) -> String {
        let def = &types.structs[self.0];
        format!("{}.{}", def.name, def.fields[self.1 as usize].name)
    }
}

/// The members that constructs, and the functions they call, change in variables that are not their own.
pub fn members(module: &Module) -> BTreeSet<StructMember> {
    let mut found = BTreeSet::new();
    for (_, function) in module.functions.iter() {
        let Some(body) = &function.body else { continue };
        if !function.has_regions {
            let own = body.locals.handles().collect();
            changed(&module.types, body, &body.block, &own, &mut found);
            continue;
        }
        visit::for_each_stmt(&body.block, &mut |node| {
            // Loops that only follow their data are the host's as if there were no construct.
            if matches!(&node.kind, Stmt::Region(r) if r.kind == RegionKind::OnHost && !r.follows_data()) {
                found.extend(all(&module.types));
            }
        });
        for region in compute_constructs(&body.block) {
            let own = visit::declared_locals(&region.body);
            changed(&module.types, body, &region.body, &own, &mut found);
        }
    }
    found
}

/// Pointers in structures that are mapped as a whole, to which kernels assign: an attached pointer then leads elsewhere than the
/// host's, so that constructs take it from the device's memory.
pub fn pointers(module: &Module) -> BTreeSet<StructMember> {
    let types = &module.types;
    let mut assigned = BTreeSet::new();
    let mut mapped = BTreeSet::new();
    let mut given_objects = BTreeSet::new();
    let mut of_items = |items: &[DataItem]| {
        let objects = items.iter().filter(|item| !matches!(item.var, DataVar::Member(_)));
        mapped.extend(objects.filter_map(|item| object_type(types, item.ty)));
    };
    module.declares.iter().for_each(|declare| of_items(&declare.data));
    for (_, function) in module.functions.iter() {
        let Some(body) = &function.body else { continue };
        if !function.has_regions {
            given_others_objects(
                types,
                body,
                &body.block,
                &body.locals.handles().collect(),
                &mut given_objects,
            );
            continue;
        }
        visit::for_each_stmt(&body.block, &mut |node| match &node.kind {
            Stmt::Region(region) => of_items(&region.clauses.data),
            Stmt::Directive(directive) => of_items(&directive.data),
            _ => {}
        });
        for region in compute_constructs(&body.block) {
            let own = visit::declared_locals(&region.body);
            changed(types, body, &region.body, &own, &mut assigned);
            given_others_objects(types, body, &region.body, &own, &mut given_objects);
        }
    }
    for function in given_objects.iter().map(|f| &module.functions[*f]).filter(|f| !f.has_regions) {
        if let Some(body) = &function.body {
            changed(types, body, &body.block, &body.locals.handles().collect(), &mut assigned);
        }
    }
    assigned.retain(|member| {
        let field = &types.structs[member.0].fields[member.1 as usize];
        mapped.contains(&member.0) && matches!(types.kind(field.ty), TypeKind::Pointer { .. })
    });
    assigned
}

/// The functions that are called with addresses of other objects than the caller's own, which constructors and setters work on.
fn given_others_objects(
    types: &Types,
    body: &Body,
    block: &Block,
    own: &BTreeSet<Handle<Local>>,
    found: &mut BTreeSet<Handle<Function>>,
) {
    let is_other = |arg: &Handle<Expr>| {
        let TypeKind::Pointer { to, .. } = *types.kind(body.exprs[*arg].ty) else { return false };
        let is_own = match body.exprs[*arg].kind {
            ExprKind::AddrOf(place) => visit::root_local(body, place).is_some_and(|l| own.contains(&l)),
            _ => false,
        };
        matches!(types.kind(to), TypeKind::Struct(_)) && !is_own
    };
    visit::for_each_stmt(block, &mut |node| {
        if let Stmt::Call { function, args, .. } = &node.kind
            && args.iter().any(is_other)
        {
            found.insert(*function);
        }
    });
}

/// The structure that a variable is, or points to, or has as elements.
fn object_type(types: &Types, ty: Handle<Type>) -> Option<Handle<StructDef>> {
    let mut object = ty;
    while let Some(inner) = types.element(object) {
        object = inner;
    }
    match types.kind(object) {
        TypeKind::Struct(def) => Some(*def),
        _ => None,
    }
}

/// The variables of the file that constructs, and the functions they call, change.
pub fn globals(module: &Module) -> BTreeSet<Root> {
    let mut found = BTreeSet::new();
    for (_, function) in module.functions.iter() {
        let Some(body) = &function.body else { continue };
        if function.has_regions {
            found.extend(mapped_on_host(&body.block, |var| match var {
                DataVar::Global(global) => Some(Root::Global(*global)),
                _ => None,
            }));
        }
        let blocks = match function.has_regions {
            false => vec![&body.block],
            true => compute_constructs(&body.block).into_iter().map(|region| &region.body).collect(),
        };
        for block in blocks {
            visit::for_each_stmt(block, &mut |node| {
                for (place, access) in node.kind.operands() {
                    if let (true, Some(visit::Root::Global(g))) =
                        (access.writes(), visit::root_of(body, place))
                    {
                        found.insert(Root::Global(g));
                    }
                }
            });
        }
    }
    found
}

/// The function's variables that its constructs change.
pub fn locals(body: &Body, block: &Block) -> BTreeSet<Root> {
    let mut found = BTreeSet::new();
    for region in compute_constructs(block) {
        let declared = visit::declared_locals(&region.body);
        let of_threads = region.clauses.private.iter().chain(&region.clauses.firstprivate).copied();
        let own: BTreeSet<_> = declared.into_iter().chain(of_threads).collect();
        let written = scalars::written_locals(body, &region.body).into_keys();
        found.extend(written.filter(|local| !own.contains(local)).map(Root::Local));
    }
    found.extend(mapped_on_host(block, |var| match var {
        DataVar::Local(local) => Some(Root::Local(*local)),
        _ => None,
    }));
    found
}

/// The variables that constructs map which the host runs: what these do to them is not known.
fn mapped_on_host(block: &Block, root: impl Fn(&DataVar) -> Option<Root>) -> Vec<Root> {
    let mut found = vec![];
    visit::for_each_stmt(block, &mut |node| {
        if let Stmt::Region(region) = &node.kind
            && region.kind == RegionKind::OnHost
        {
            found.extend(region.clauses.data.iter().filter_map(|item| root(&item.var)));
        }
    });
    found
}

fn compute_constructs(block: &Block) -> Vec<&Region> {
    let mut found = vec![];
    visit::for_each_stmt(block, &mut |node| match &node.kind {
        Stmt::Region(region) if region.kind.is_compute() => found.push(&**region),
        _ => {}
    });
    found
}

/// What cannot be translated may change any of them.
fn all(types: &Types) -> Vec<StructMember> {
    let members = |(handle, def): (Handle<StructDef>, &StructDef)| {
        (0..def.fields.len() as u32).map(move |field| StructMember(handle, field)).collect::<Vec<_>>()
    };
    types.structs.iter().flat_map(members).collect()
}

fn changed(
    types: &Types,
    body: &Body,
    block: &Block,
    own: &BTreeSet<Handle<Local>>,
    found: &mut BTreeSet<StructMember>,
) {
    visit::for_each_stmt(block, &mut |node| {
        for (place, access) in node.kind.operands() {
            // What each thread has for itself no other code can see.
            let is_own = visit::root_local(body, place).is_some_and(|local| own.contains(&local));
            if access.writes() && !is_own {
                found.extend(member(types, body, place));
            }
        }
    });
}

/// The member that a place denotes or lies in.
pub fn member(types: &Types, body: &Body, place: Handle<Expr>) -> Option<StructMember> {
    match body.exprs[place].kind {
        ExprKind::Member { base, field } => match types.kind(body.exprs[base].ty) {
            TypeKind::Struct(def) => Some(StructMember(*def, field)),
            _ => None,
        },
        ExprKind::Index { base, .. } => member(types, body, base),
        _ => None,
    }
}
