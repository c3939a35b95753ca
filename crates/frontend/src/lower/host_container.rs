//! What a construct uses of a container of the host: how many elements it has, `v.size()`, where they are, `v.data()`, and one of them,
//! `v[i]`.
//!
//! Device code cannot use the container, which the construct therefore does not change. So the host asks it when it launches the kernels: a
//! variable, whose text in the host's program is the call, is an argument like others, and a pointer that leads to data like others.

use super::Lowered;
use super::context::Context;
use super::function::Fun;
use super::types::{WORDS_OF_VECTOR, library_class};
use super::walk;
use crate::ast::{DeclId, Expr, ExprKind, Qual, Ty};
use accl_ir::{BinaryOp, Expr as IrExpr, ExprKind as Ir, Handle, Local, LocalKind, Named, Type, TypeKind};
use accl_source::Span;
use std::collections::HashMap;

/// Members that tell something and do nothing else.
const ANSWERS: [&str; 4] = ["size", "length", "capacity", "empty"];

/// Containers whose elements lie side by side, where `data` says.
const WITH_DATA: [&str; 3] = ["std::vector<", "std::array<", "std::span<"];

/// The object is such a container.
pub fn has_data(ty: &Qual) -> bool {
    library_class(&ty.referred().ty)
        .is_some_and(|class| WITH_DATA.iter().any(|known| class.starts_with(known)))
}

/// What tells where the elements of the object `text` are, if they do not lie in it; of a vector of vectors those of the first, too.
pub fn elements_elsewhere(ty: &Qual, text: &str) -> Vec<String> {
    let class = library_class(&ty.referred().ty).filter(|_| has_data(ty)).unwrap_or_default();
    let is_elsewhere =
        |class: &str| !class.starts_with("std::array<") && !class.starts_with("std::vector<bool");
    if class.is_empty() || !is_elsewhere(class) {
        return vec![];
    }
    let mut data = vec![format!("{text}.data()")];
    let inner = class.strip_prefix("std::vector<").filter(|inner| inner.starts_with("std::vector<"));
    if inner.is_some_and(is_elsewhere) {
        data.push(format!("({text}.empty() ? nullptr : {text}[0].data())"));
    }
    data
}

/// The object is a vector with the library's own allocator, which takes no place in it.
fn is_plain_vector(ty: &Qual) -> bool {
    let arguments = library_class(&ty.referred().ty).and_then(|class| class.strip_prefix("std::vector<"));
    let Some(arguments) = arguments else { return false };
    let mut depth = 0;
    !arguments.chars().any(|c| {
        depth += i32::from(matches!(c, '<' | '(')) - i32::from(matches!(c, '>' | ')'));
        c == ',' && depth == 0
    })
}

/// Of functions, whether they or those that they call use elements of such containers, or what containers tell.
#[derive(Debug, Default)]
pub struct ContainerUsers(HashMap<DeclId, bool>);

impl Context<'_> {
    /// The function has no body of its own on the device then: which containers it uses is known where it is called.
    pub fn uses_containers(&mut self, id: DeclId) -> bool {
        if !self.source.auto_data {
            return false;
        }
        if let Some(known) = self.container_users.0.get(&id) {
            return *known;
        }
        // A function that calls itself adds nothing that it would not do without.
        self.container_users.0.insert(id, false);
        let mut found = false;
        let mut called = vec![];
        if let Some(body) = self.function_decl(id).and_then(|f| f.body.as_ref()) {
            walk::exprs(body, &mut |e| {
                let ExprKind::Call { callee, args } = &e.kind else { return };
                let object = match &walk::bare(callee).kind {
                    ExprKind::Member { base, .. } => Some(&**base),
                    _ => args.first(),
                };
                found |= object.is_some_and(|object| has_data(&object.ty));
            });
            called = walk::called(body);
        }
        let found = found || called.into_iter().any(|id| self.uses_containers(id));
        self.container_users.0.insert(id, found);
        found
    }
}

impl Fun<'_, '_> {
    /// The value of such a call, where the container is a variable of the function around the construct or a member of one.
    pub fn host_answer(
        &mut self,
        object: &Expr,
        arrow: bool,
        name: &str,
        args: &[Expr],
        e: &Expr,
    ) -> Option<Handle<IrExpr>> {
        // Without resident data the program has to say where the elements are on the device, which it does by a pointer of its own.
        let answers = ANSWERS.contains(&name) || name == "data" && self.cx.source.auto_data;
        if !self.region || !args.is_empty() || !answers {
            return None;
        }
        let ty = self.ty(&e.ty);
        self.asked(object, arrow, name, ty, e.span)
    }

    /// The address of `object[index]`, an element of such a container.
    pub fn host_element(&mut self, object: &Expr, index: &Expr, e: &Expr) -> Lowered<Option<Handle<IrExpr>>> {
        if !self.region || !self.cx.source.auto_data || !e.place || !has_data(&object.ty) {
            return Ok(None);
        }
        let element = self.ty(e.ty.referred());
        let pointer = self.cx.module.types.pointer(element);
        let Some(base) = self.host_elements(object, pointer)? else { return Ok(None) };
        let index = self.value(index)?;
        let place = self.expr(Ir::Index { base, index }, element, e.span);
        Ok(Some(self.expr(Ir::AddrOf(place), pointer, e.span)))
    }

    /// Where a container has its elements: the host says it, or the vector around it, of which each vector begins with such a pointer.
    fn host_elements(&mut self, object: &Expr, pointer: Handle<Type>) -> Lowered<Option<Handle<IrExpr>>> {
        let object = walk::bare(object);
        let ExprKind::Call { callee, args } = &object.kind else {
            return Ok(self.asked(object, false, "data", pointer, object.span));
        };
        let (Some("operator[]"), [outer, index]) = (walk::library_name(callee), &args[..]) else {
            return Ok(None);
        };
        if !has_data(&outer.ty) || !is_plain_vector(&object.ty) {
            return Ok(None);
        }
        let table = self.cx.module.types.pointer(pointer);
        let Some(base) = self.host_elements(outer, table)? else { return Ok(None) };
        let long = self.cx.module.types.int(64, true);
        let index = self.value(index)?;
        let left = self.expr(Ir::Cast(index), long, object.span);
        let right = self.int(i128::from(WORDS_OF_VECTOR), long, object.span);
        let index = self.expr(Ir::Binary { op: BinaryOp::Mul, left, right }, long, object.span);
        let place = self.expr(Ir::Index { base, index }, pointer, object.span);
        Ok(Some(self.load(place, object.span)))
    }

    /// What the host's `object.name()` gives.
    fn asked(
        &mut self,
        object: &Expr,
        arrow: bool,
        name: &str,
        ty: Handle<Type>,
        span: Span,
    ) -> Option<Handle<IrExpr>> {
        let (effects, place) = self.try_block(|f| f.place(walk::bare(object))).ok()?;
        if !effects.is_empty() {
            return None;
        }
        let call =
            format!("{}{}{name}()", self.container_path(place, &object.ty)?, if arrow { "->" } else { "." });
        let known = self.body.locals.iter().find(|(_, local)| local.name == call && local.ty == ty);
        let local = match known {
            Some((local, _)) => local,
            None => self.body.locals.append(Local {
                name: call,
                ty,
                kind: LocalKind::Hoisted,
                reference: false,
                span,
            }),
        };
        Some(self.load_local(local, span))
    }

    /// How the host's text names a container, a member that it has no name for there by its place.
    fn container_path(&self, place: Handle<IrExpr>, ty: &Qual) -> Option<String> {
        if let Ir::Member { base, field } = self.body.exprs[place].kind
            && let TypeKind::Struct(def) = self.cx.module.types.kind(self.ty_of(base))
            && let field = &self.cx.module.types.structs[*def].fields[field as usize]
            && field.named != Named::Everywhere
        {
            let Ty::Opaque(class) = &*ty.referred().ty else { return None };
            let object = self.host_path(base)?;
            return (!field.reference)
                .then(|| format!("(*({class} *)((char *)&{object} + {}))", field.offset));
        }
        self.host_path(place)
    }

    /// The object that an address is of, as the host's text names it.
    fn object_path(&self, address: Handle<IrExpr>) -> Option<String> {
        match self.body.exprs[address].kind {
            Ir::AddrOf(object) => self.host_path(object),
            // A method of a constant object, or of a base class.
            Ir::Cast(of) => self.object_path(of),
            Ir::Load(of) => {
                let path = self.host_path(of)?;
                let reference =
                    matches!(self.body.exprs[of].kind, Ir::Local(l) if self.body.locals[l].reference);
                Some(if reference { path } else { format!("(*{path})") })
            }
            _ => None,
        }
    }

    /// How the host's text names an object that lies outside of the construct.
    fn host_path(&self, place: Handle<IrExpr>) -> Option<String> {
        match self.body.exprs[place].kind {
            Ir::Global(g) => Some(self.cx.module.globals[g].host_text().to_owned()),
            Ir::Local(l) => match self.body.locals[l].kind {
                LocalKind::This => Some("this".to_owned()),
                LocalKind::Param | LocalKind::Auto if l.index() < self.outer_locals => {
                    let local = &self.body.locals[l];
                    let written =
                        self.cx.source.buffer.get(local.span.start as usize..local.span.end as usize);
                    written.filter(|name| local.name.starts_with(name)).map(str::to_owned)
                }
                LocalKind::Param
                | LocalKind::Auto
                | LocalKind::Temp
                | LocalKind::Copy
                | LocalKind::Hoisted => None,
            },
            Ir::Deref(pointer) => self.object_path(pointer),
            Ir::Member { base, field } => {
                let TypeKind::Struct(def) = self.cx.module.types.kind(self.ty_of(base)) else { return None };
                let field = &self.cx.module.types.structs[*def].fields[field as usize];
                let named = field.named == Named::Everywhere;
                let own = named && !field.name.is_empty() && !field.name.starts_with("base_");
                own.then(|| Some(format!("{}.{}", self.host_path(base)?, field.name)))?
            }
            _ => None,
        }
    }
}
