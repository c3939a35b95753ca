//! Which variables may share memory.

use crate::data::Summary;
use crate::provenance::Root;
use accl_ir::TypeKind;

/// Two different variables whose memory may overlap. Type-based rules are not used: programs break them.
pub fn may_alias(summary: &Summary<'_>, a: &Root, b: &Root) -> bool {
    let own = |root: &Root| matches!(root, Root::Local(l) if summary.provenance.is_inner(*l));
    Kind::of(summary, a, own(a)).may_alias(Kind::of(summary, b, own(b)))
}

/// What may share memory with a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A pointer whose origin is known.
    Unknown,
    /// What the pointers of an array lead to that is no variable of the construct.
    Rows,
    Pointer,
    /// What only this pointer points to.
    Restrict,
    /// An array or structure of the host program.
    Object,
    /// A variable that the construct itself declares: no pointer from outside points to it.
    Own {
        /// Its address is used as a value somewhere.
        escapes: bool,
    },
}

impl Kind {
    /// `own`: the construct declares the variable, or it is private to the construct.
    pub fn of(summary: &Summary<'_>, root: &Root, own: bool) -> Kind {
        let types = &summary.provenance.scope.module.types;
        if let Root::Local(l) = root
            && own
            && !types.is_scalar(summary.provenance.scope.body.locals[*l].ty)
        {
            return Kind::Own { escapes: summary.accesses.escaping.contains(l) };
        }
        let Some(ty) = crate::data::root_type(&summary.provenance, root) else {
            return if *root == Root::Unknown { Kind::Unknown } else { Kind::Object };
        };
        match types.kind(ty) {
            TypeKind::Pointer { restrict: true, .. } => Kind::Restrict,
            TypeKind::Pointer { .. } => Kind::Pointer,
            _ => Kind::Object,
        }
    }

    pub fn may_alias(self, other: Kind) -> bool {
        match (self, other) {
            // Copies of such pointers are traced, so a pointer of unknown origin may still be one of them.
            (Kind::Own { escapes }, Kind::Unknown | Kind::Rows)
            | (Kind::Unknown | Kind::Rows, Kind::Own { escapes }) => escapes,
            (Kind::Own { .. }, _) | (_, Kind::Own { .. }) => false,
            (Kind::Unknown | Kind::Rows, _) | (_, Kind::Unknown | Kind::Rows) => true,
            (Kind::Restrict, _) | (_, Kind::Restrict) => false,
            (Kind::Object, Kind::Object) => false,
            (Kind::Pointer, Kind::Pointer | Kind::Object) | (Kind::Object, Kind::Pointer) => true,
        }
    }

    pub fn is_pointer(self) -> bool {
        match self {
            Kind::Pointer | Kind::Restrict => true,
            Kind::Unknown | Kind::Rows | Kind::Object | Kind::Own { .. } => false,
        }
    }

    /// No launch can tell where memory of the two kinds lies, of which one is written.
    pub fn is_untold(self, other: Kind) -> bool {
        let untold = |a, b| a == Kind::Unknown || a == Kind::Rows && matches!(b, Kind::Own { .. });
        self.may_alias(other) && (untold(self, other) || untold(other, self))
    }
}
