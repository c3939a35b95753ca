//! How many elements a container of the host has: `v.size()` in a compute construct.
//!
//! Device code cannot use the container, which the construct therefore does not change. So the host asks it when it launches the kernels: a
//! variable, whose text in the host's program is the call, is an argument like others.

use super::function::Fun;
use super::walk;
use crate::ast::Expr;
use accl_ir::{Expr as IrExpr, ExprKind as Ir, Handle, Local, LocalKind, TypeKind};

/// Members that tell a number and do nothing else.
const SIZES: [&str; 4] = ["size", "length", "capacity", "empty"];

impl Fun<'_, '_> {
    /// The value of such a call, where the container is a variable of the function around the construct or a member of one.
    pub fn host_size(
        &mut self,
        object: &Expr,
        arrow: bool,
        name: &str,
        args: &[Expr],
        e: &Expr,
    ) -> Option<Handle<IrExpr>> {
        if !self.region || !args.is_empty() || !SIZES.contains(&name) {
            return None;
        }
        let (effects, place) = self.try_block(|f| f.place(walk::bare(object))).ok()?;
        if !effects.is_empty() {
            return None;
        }
        let call = format!("{}{}{name}()", self.host_path(place)?, if arrow { "->" } else { "." });
        let ty = self.ty(&e.ty);
        let known = self.body.locals.iter().find(|(_, local)| local.name == call);
        let local = match known {
            Some((local, _)) => local,
            None => self.body.locals.append(Local {
                name: call,
                ty,
                kind: LocalKind::Hoisted,
                reference: false,
                span: e.span,
            }),
        };
        Some(self.load_local(local, e.span))
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
                let named = !field.name.is_empty() && !field.name.starts_with("base_");
                named.then(|| Some(format!("{}.{}", self.host_path(base)?, field.name)))?
            }
            _ => None,
        }
    }
}
