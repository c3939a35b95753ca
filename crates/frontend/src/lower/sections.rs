//! Sections of arrays in clauses: the checks on them, and their bounds.

use super::expr::unsupported;
use super::function::{Binding, Fun, Variable};
use super::{Lowered, Refused};
use accl_directives::{self as acc, Lvalue, Section};
use accl_ir::{ArrayLen, DataKind, Handle, HostExpr, SectionDim, TypeKind};
use accl_source::{Diagnostic, Span, codes::frontend as codes};

impl Fun<'_, '_> {
    pub(super) fn check_section(
        &mut self,
        kind: DataKind,
        section: &Section,
        ty: Handle<accl_ir::Type>,
    ) -> Lowered<()> {
        let types = &self.cx.module.types;
        let depth = section.dims.len();
        match types.kind(ty) {
            // The host can do with its bytes what its compiler does.
            TypeKind::Opaque(name) if self.on_host && depth == 0 && name != "function" => Ok(()),
            TypeKind::Opaque(name) => {
                let name = name.clone();
                let diagnostic = Diagnostic::error(
                    codes::UNUSABLE_TYPE,
                    format!("`{section}` cannot be moved to the device: its type is `{name}`"),
                )
                .at(section.span);
                let is_vector = name.contains("vector<") || name.contains("array<");
                Err(Box::new(match is_vector {
                    true => diagnostic
                        .with_help("take the address of its elements before the directive (`T *p = v.data();`) and name `p[0:n]`"),
                    false => diagnostic,
                }))
            }
            TypeKind::Pointer { .. } => {
                if depth == 0 && !names_object(&section.base) && needs_extent(kind) {
                    let update = matches!(kind, DataKind::UpdateSelf | DataKind::UpdateDevice);
                    return Err(if update { missing_section(section) } else { pointer_alone(section) });
                }
                open_ended(section)
            }
            TypeKind::Array { len: ArrayLen::Unknown, .. } if depth == 0 => Err(missing_section(section)),
            TypeKind::Array { len: ArrayLen::Unknown, .. } => open_ended(section),
            TypeKind::Array { .. } => Ok(()),
            TypeKind::Void
            | TypeKind::Bool
            | TypeKind::Int { .. }
            | TypeKind::Float { .. }
            | TypeKind::Compressed { .. }
            | TypeKind::Struct(_) => {
                if depth > 0 {
                    let message = format!("`{}` is neither an array nor a pointer", section.base);
                    return Err(Box::new(
                        Diagnostic::error(codes::BAD_CLAUSE_VARIABLE, message).at(section.span),
                    ));
                }
                Ok(())
            }
        }
    }

    /// The extent of an array parameter whose section leaves its first length to the declaration: `A`, `A[:]`,
    /// `A[2:][0:m]`.
    pub(super) fn extent_left_out(
        &mut self,
        kind: DataKind,
        section: &Section,
        variable: Option<&Variable>,
    ) -> Lowered<Option<HostExpr>> {
        let left_out = match section.dims.first() {
            None => needs_extent(kind) && !names_object(&section.base),
            Some(first) => first.length.is_none() && !first.is_index,
        };
        let Some(variable) = variable.filter(|v| left_out && v.extent.is_some()) else { return Ok(None) };
        let Binding::Local(local) = variable.binding else { return Ok(None) };
        self.declared_extent(variable, local, section.span)
            .map_err(|reason| Box::new((*missing_section(section)).with_note(reason)))
    }

    /// Sections that go through pointers (`a[0:n][0:m]` of an array of pointers): the part behind each pointer has
    /// a length and no gaps.
    pub(super) fn check_levels(
        &mut self,
        kind: DataKind,
        section: &Section,
        ty: Handle<accl_ir::Type>,
    ) -> Lowered<()> {
        let mut of = Some(ty);
        let mut deep = false;
        let mut gap = None;
        for (at, dim) in section.dims.iter().enumerate() {
            let Some(ty) = of else { break };
            let types = &self.cx.module.types;
            let extent = match types.kind(ty) {
                TypeKind::Pointer { .. } if at > 0 => {
                    refuse_gap(section, gap)?;
                    deep = true;
                    None
                }
                TypeKind::Array { len: ArrayLen::Const(n), .. } => i64::try_from(*n).ok(),
                _ => None,
            };
            let first = at == 0 || matches!(types.kind(ty), TypeKind::Pointer { .. });
            of = types.element(ty);
            if first && at > 0 && dim.length.is_none() && !dim.is_index {
                let message = format!("how much the pointers of `{}` point to is not known", section.base);
                return Err(Box::new(
                    Diagnostic::error(codes::MISSING_SECTION, message)
                        .label(dim.span, "expected first element : number of elements"),
                ));
            }
            let starts = dim.lower.as_ref().is_none_or(|l| self.constant(l) == Some(0));
            let length = dim.length.as_ref().map(|l| self.constant(l));
            let ends = !dim.is_index && length.is_none_or(|n| n.is_some() && n == extent);
            gap = if first { None } else { gap.or((!(starts && ends)).then_some(dim.span)) };
        }
        let strided = matches!(kind, DataKind::UpdateSelf | DataKind::UpdateDevice);
        match kind {
            _ if !deep => Ok(()),
            DataKind::Deviceptr | DataKind::Attach | DataKind::Detach | DataKind::UseDevice => {
                let message =
                    format!("`{section}` goes through pointers, and this clause is about one pointer");
                Err(Box::new(
                    Diagnostic::error(codes::UNSUPPORTED, message)
                        .at(section.span)
                        .with_help(format!("name `{}` without its rows", section.base)),
                ))
            }
            _ if strided => refuse_gap(section, gap),
            _ => Ok(()),
        }
    }

    /// Sections of constants in arrays of constant extent.
    pub(super) fn check_bounds(&mut self, section: &Section, ty: Handle<accl_ir::Type>) -> Lowered<()> {
        let mut of = Some(ty);
        for (index, dim) in section.dims.iter().enumerate() {
            let Some(ty) = of else { break };
            let types = &self.cx.module.types;
            let extent = match types.kind(ty) {
                TypeKind::Array { len: ArrayLen::Const(n), .. } => i64::try_from(*n).ok(),
                _ => None,
            };
            of = types.element(ty);
            let lower = dim.lower.as_ref().map_or(Some(0), |e| self.constant(e));
            let length = match &dim.length {
                Some(e) => self.constant(e),
                None => dim.is_index.then_some(1),
            };
            // An array of one element at the end of a structure may stand for a longer one.
            let extent = extent.filter(|n| *n > 1 || section.base.path.is_empty());
            if let Some(problem) = out_of_bounds(section, index, extent, lower, length) {
                return Err(problem);
            }
        }
        Ok(())
    }

    pub(super) fn section_dims(
        &mut self,
        kind: DataKind,
        section: &Section,
        qual: Option<&crate::ast::Qual>,
        extent: Option<HostExpr>,
    ) -> Lowered<Vec<SectionDim>> {
        let mut dims: Vec<SectionDim> = section.dims.iter().map(|d| self.section_dim(d)).collect();
        if let Some(extent) = extent {
            super::extents::complete(&mut dims, extent);
        }
        if let Some(extents) = qual.and_then(row_extents) {
            dims = self.flat_section(kind, section, dims, &extents)?;
        }
        Ok(dims)
    }

    fn section_dim(&mut self, dim: &acc::SectionDim) -> SectionDim {
        let lower = dim.lower.as_ref().map(|e| self.host_expr(e));
        let one = || HostExpr::constant(1, dim.span);
        let length = match &dim.length {
            Some(e) => Some(self.host_expr(e)),
            None => dim.is_index.then(one),
        };
        SectionDim { lower, length }
    }

    /// A variable-length array is flat, and so are its sections: `a[1:2][0:m]` is elements `m` to `3 m`.
    fn flat_section(
        &mut self,
        kind: DataKind,
        section: &Section,
        dims: Vec<SectionDim>,
        extents: &[String],
    ) -> Lowered<Vec<SectionDim>> {
        let Some((outer, inner)) = dims.split_first() else { return Ok(dims) };
        // Dimensions of the flat array's elements, which are arrays of constant extent, stay.
        let (inner, of_element) = inner.split_at(inner.len().min(extents.len()));
        let whole = |(dim, extent): (&SectionDim, &String)| {
            let starts = dim.lower.as_ref().is_none_or(|l| l.value == Some(0));
            let written = crate::resolve::extents::written(self.cx.source.buffer, extent).unwrap_or(extent);
            let same = |l: &HostExpr| {
                l.text.replace(' ', "") == written.replace(' ', "")
                    || l.value == extent.parse().ok() && l.value.is_some()
            };
            starts && dim.length.as_ref().is_none_or(same)
        };
        if !inner.iter().zip(extents).all(whole) {
            if matches!(kind, DataKind::UpdateSelf | DataKind::UpdateDevice) {
                return Err(unsupported(
                    format_args!("the section `{section}` of a variable-length array, which has gaps,"),
                    section.span,
                ));
            }
            let flat = contiguous(&dims[..=inner.len()], extents, section.span);
            return Ok(std::iter::once(flat).chain(of_element.iter().cloned()).collect());
        }
        let row = extents.iter().map(|e| format!("({e})")).collect::<Vec<_>>().join(" * ");
        let times =
            |e: &HostExpr| HostExpr { text: format!("({}) * {row}", e.text), span: e.span, value: None };
        let scale = |e: &Option<HostExpr>| e.as_ref().filter(|e| e.value != Some(0)).map(times);
        let mut flat = vec![SectionDim { lower: scale(&outer.lower), length: scale(&outer.length) }];
        flat.extend_from_slice(of_element);
        Ok(flat)
    }
}

/// A section in a clause that maps has no gaps (OpenMP 5.2 §5.8.3, OpenACC 3.3 §2.7.1): behind its first dimension of
/// several elements all are whole, whatever their lengths are called. `extents`: those of all dimensions but the first.
fn contiguous(dims: &[SectionDim], extents: &[String], span: Span) -> SectionDim {
    let stride = |at: usize| extents[at..].iter().map(|e| format!(" * ({e})")).collect::<String>();
    let flat = |e: &HostExpr, at: usize| format!("(long)({}){}", e.text, stride(at));
    let one = |dim: &SectionDim| dim.length.as_ref().is_some_and(|l| l.value == Some(1));
    let at = dims.iter().position(|dim| !one(dim)).unwrap_or(dims.len() - 1);
    let starts = dims.iter().enumerate().filter_map(|(at, dim)| Some(flat(dim.lower.as_ref()?, at)));
    let starts: Vec<String> = starts.collect();
    let host = |text| HostExpr { text, span, value: None };
    let rest = |lower: &HostExpr| host(format!("({} - ({}))", extents[at - 1], lower.text));
    let length = match &dims[at] {
        SectionDim { length: None, lower: Some(lower) } if at > 0 => Some(rest(lower)),
        dim => dim.length.clone(),
    };
    SectionDim {
        lower: (!starts.is_empty()).then(|| host(starts.join(" + "))),
        length: length.map(|l| host(flat(&l, at))),
    }
}

/// A pointer in such a clause denotes what it points to.
fn needs_extent(kind: DataKind) -> bool {
    match kind {
        DataKind::Copy
        | DataKind::Copyin
        | DataKind::Copyout
        | DataKind::Create
        | DataKind::UpdateSelf
        | DataKind::UpdateDevice => true,
        DataKind::NoCreate
        | DataKind::Present
        | DataKind::Delete
        | DataKind::Deviceptr
        | DataKind::Attach
        | DataKind::Detach
        | DataKind::UseDevice => false,
    }
}

/// `this`, `*this` and `*p`.
pub(super) fn names_object(base: &Lvalue) -> bool {
    base.path.is_empty() && (base.derefs == 1 || base.derefs == 0 && base.root.name == "this")
}

/// Extents of the dimensions that are flat together with the outermost of a variable-length array or a pointer to one
/// (`types::flat_element`): none of `double a[n][8]`, whose elements are rows of 8.
fn row_extents(qual: &crate::ast::Qual) -> Option<Vec<String>> {
    use crate::ast::{Len, Ty};
    let mut row = match &*qual.ty {
        Ty::Array { of, .. } if super::types::is_vla(qual) => of,
        Ty::Pointer { to, .. } if super::types::is_vla(to) => to,
        _ => return None,
    };
    let mut extents = Vec::new();
    while let Ty::Array { of, len } = &*row.ty
        && super::types::is_vla(row)
    {
        match len {
            Len::Const(n) => extents.push(n.to_string()),
            Len::Text(text) => extents.push(text.to_string()),
            Len::Unknown => return None,
        }
        row = of;
    }
    (!extents.is_empty()).then_some(extents)
}

/// `p[3:]` has no end.
fn open_ended(section: &Section) -> Lowered<()> {
    match section.dims.first() {
        Some(dim) if dim.length.is_none() && !dim.is_index => {
            let message =
                format!("`{section}` has no length, and the type of `{}` does not tell one", section.base);
            Err(Box::new(
                Diagnostic::error(codes::MISSING_SECTION, message)
                    .label(dim.span, "expected first element : number of elements"),
            ))
        }
        _ => Ok(()),
    }
}

fn refuse_gap(section: &Section, gap: Option<Span>) -> Lowered<()> {
    let Some(span) = gap else { return Ok(()) };
    let message = format!("the section `{section}` goes through pointers and has gaps");
    Err(Box::new(
        Diagnostic::error(codes::UNSUPPORTED, message)
            .label(span, "not all of this dimension")
            .with_note(
                "each pointer, and each row of `update`, stands for one stretch of memory without gaps",
            )
            .with_help("name all of the inner dimensions of each stretch"),
    ))
}

/// Checks one dimension of a section, as far as its bounds are known.
fn out_of_bounds(
    section: &Section,
    index: usize,
    extent: Option<i64>,
    lower: Option<i64>,
    length: Option<i64>,
) -> Option<Refused> {
    let name = &section.base;
    let error = |message: String| Diagnostic::error(codes::SECTION_BOUNDS, message);
    if let Some(n) = length.filter(|n| *n < 0) {
        return Some(Box::new(
            error(format!("the section `{section}` has a negative length"))
                .label(section.span, format!("{n}")),
        ));
    }
    let (extent, lower) = (extent?, lower?);
    if lower >= 0 && length.is_none_or(|n| lower.saturating_add(n) <= extent) && lower <= extent {
        return None;
    }
    let which = match section.dims.len() {
        1 => format!("`{name}` has {extent} elements"),
        _ => format!("dimension {} of `{name}` has {extent} elements", index + 1),
    };
    let covers = match length {
        Some(n) if n > 0 => format!("elements {lower} to {}", lower.saturating_add(n - 1)),
        _ => format!("begins at element {lower}"),
    };
    let error = error(format!("the section `{section}` is not inside `{name}`"))
        .label(section.span, covers)
        .with_note(format!(
            "{which}; the second number is a length, not the last index (OpenACC 3.3 §2.7.1)"
        ));
    let fits = (0..extent).contains(&lower) && section.dims.len() == 1;
    Some(Box::new(match fits {
        true => error.with_help(format!("write `{name}[{lower}:{}]`", extent - lower)),
        false => error,
    }))
}

/// The entry is dropped, with a warning; the rules for variables in no clause then determine how much is moved.
pub(super) fn pointer_alone(section: &Section) -> Refused {
    let name = &section.base;
    let message = format!("the clause names the pointer `{name}` alone, not what it points to");
    Box::new(
        Diagnostic::warning(codes::MISSING_SECTION, message)
            .label(section.span, "missing section")
            .with_note(
                "a compute construct moves what its loops use, unless it is present; a data directive moves nothing",
            )
            .with_help(format!("give the first element and the number of elements, as in `{name}[0:n]`")),
    )
}

fn missing_section(section: &Section) -> Refused {
    let name = &section.base;
    Box::new(
        Diagnostic::error(codes::MISSING_SECTION, format!("how much `{name}` points to is not known"))
            .label(section.span, "missing section")
            .with_help(format!("give the first element and the number of elements, as in `{name}[0:n]`")),
    )
}
