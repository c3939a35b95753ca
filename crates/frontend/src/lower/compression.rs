//! Clauses of compressed arrays (an extension): `ccopyin` and its like, and `compression(list)`.
//!
//! This module determines the element type, the scheme and the width, which are constants of the program, and
//! checks that a range is given where the data cannot determine one. The ends of a range stay host expressions.

use super::Lowered;
use super::function::Fun;
use accl_directives::{
    self as acc, CExpr, CExprKind, CompressionArgs, Directive, DirectiveKind, ErrorBound, Section,
};
use accl_ir::{
    Compressed, Compression, DataItem, DataKind, Format, Handle, Layout, Scheme, StructDef, Type, TypeKind,
    Types,
};
use accl_source::{Diagnostic, codes::frontend as codes};

/// The least width; the paper has nothing below a half.
const LEAST_BITS: i64 = 4;

impl Fun<'_, '_> {
    /// Makes the items of one clause's list compressed.
    pub fn compress_items(
        &mut self,
        d: &Directive,
        args: &CompressionArgs,
        sections: &[Section],
        items: &mut [DataItem],
    ) {
        for item in items {
            let Some(section) = sections.iter().find(|s| s.span == item.span) else { continue };
            match self.compression(d, args, section, item) {
                Ok(compression) => item.compression = Some(compression),
                Err(refused) => self.cx.error(*refused),
            }
        }
    }

    fn compression(
        &mut self,
        d: &Directive,
        args: &CompressionArgs,
        section: &Section,
        item: &DataItem,
    ) -> Lowered<Compression> {
        let CompressedElement { float_bits, members } = self.compressible(item.ty, section)?;
        let limits = section.range().and_then(|(min, max)| Some((number(min)?, number(max)?)));
        let stated = self.stated_format(args, section, CompressedElement { float_bits, members }, limits)?;
        let range = section.range().map(|(min, max)| (self.host_expr(min), self.host_expr(max)));
        let format = stated.unwrap_or(Format::usual(float_bits));
        if range.is_none() && format.scheme.has_range() && needs_range(d, item.kind) {
            return Err(Box::new(missing_range(section, item)));
        }
        if let Some((min, max)) = limits.filter(|(min, max)| min > max) {
            let message = format!("the range of `{}` ends before it begins", section.base);
            let label = format!("from {min} to {max}");
            return Err(Box::new(
                Diagnostic::error(codes::BAD_COMPRESSION, message)
                    .label(section.span, label)
                    .with_help("write the smallest value first: `[start:length:min:max]`"),
            ));
        }
        Ok(Compression { format, float_bits, members, range, span: section.span })
    }

    /// The `compression` clauses of a compute construct.
    pub fn compression_clauses(&mut self, clauses: &[(&CompressionArgs, &Section)]) -> Vec<Compressed> {
        let mut found = vec![];
        for (args, section) in clauses {
            match self.compressed(args, section) {
                Ok(compressed) => found.push(compressed),
                Err(refused) => self.cx.error(*refused),
            }
        }
        found
    }

    fn compressed(&mut self, args: &CompressionArgs, section: &Section) -> Lowered<Compressed> {
        let (var, ty, _) = self.data_var(&section.base)?;
        let element = self.compressible(ty, section)?;
        let format = self.stated_format(args, section, element, None)?;
        Ok(Compressed { var, name: self.text(section.base.span), ty, format, span: section.span })
    }

    /// What the array contains.
    fn compressible(&mut self, ty: Handle<Type>, section: &Section) -> Lowered<CompressedElement> {
        let types = &self.cx.module.types;
        let mut element = types.element(ty);
        while let Some(inner) = element.filter(|e| matches!(types.kind(*e), TypeKind::Array { .. })) {
            element = types.element(inner);
        }
        let name = &section.base;
        let Some(element) = element else {
            let message = format!("`{name}` is no array, so it cannot be compressed");
            return Err(Box::new(Diagnostic::error(codes::BAD_COMPRESSION, message).at(section.span)));
        };
        match types.kind(element) {
            TypeKind::Float { bits } => Ok(CompressedElement { float_bits: *bits, members: 1 }),
            TypeKind::Struct(def) => match members(types, &types.structs[*def]) {
                Some(element) => Ok(element),
                None => {
                    let structure = types.structs[*def].name.clone();
                    let message = format!(
                        "`{name}` cannot be compressed: its structures hold other things than numbers"
                    );
                    Err(Box::new(
                        Diagnostic::error(codes::BAD_COMPRESSION, message)
                            .label(section.span, format!("elements of type `{structure}`"))
                            .with_note("all members must be float, or all double")
                            .with_help("keep the numbers in an array of their own, or use the plain clause"),
                    ))
                }
            },
            _ => {
                let message =
                    format!("`{name}` cannot be compressed: its elements are no floating-point numbers");
                let label = format!("elements of type `{}`", self.cx.c_name(element));
                Err(Box::new(
                    Diagnostic::error(codes::BAD_COMPRESSION, message)
                        .label(section.span, label)
                        .with_help("use the clause of the same name without `compression_` or `c` in front"),
                ))
            }
        }
    }

    /// What the modifiers say; `None` where they say nothing.
    fn stated_format(
        &mut self,
        args: &CompressionArgs,
        section: &Section,
        CompressedElement { float_bits, members }: CompressedElement,
        range: Option<(f64, f64)>,
    ) -> Lowered<Option<Format>> {
        if *args == CompressionArgs::default() {
            return Ok(None);
        }
        let usual = Format::usual(float_bits);
        let scheme = match args.scheme {
            None | Some(acc::Scheme::Range) => Scheme::Range,
            Some(acc::Scheme::Affine) => Scheme::Affine,
            Some(acc::Scheme::Half) => Scheme::Half,
            Some(acc::Scheme::Bfloat) => Scheme::Bfloat,
            Some(acc::Scheme::Block) => Scheme::Block,
        };
        let layout = match args.layout {
            Some(acc::Layout::Aos) => Layout::Aos,
            Some(acc::Layout::Soa) | None => Layout::Soa,
        };
        if args.layout.is_some() && members == 1 {
            let message =
                format!("`{}` is no array of structures, so it has no layout to choose", section.base);
            return Err(Box::new(
                Diagnostic::error(codes::BAD_COMPRESSION, message)
                    .at(section.span)
                    .with_help("leave `layout` out"),
            ));
        }
        if !scheme.has_width() {
            let given = args.bits.as_ref().is_some_and(|bits| self.constant(bits) != Some(16));
            if given || args.error.is_some() || section.range().is_some() {
                let message = format!("`scheme({})` has 16 bits and no range", scheme.name());
                return Err(Box::new(
                    Diagnostic::error(codes::BAD_COMPRESSION, message)
                        .at(section.span)
                        .with_help("leave the width, the error bound and the range out"),
                ));
            }
            return Ok(Some(Format { scheme, bits: 16, layout }));
        }
        if !scheme.has_range() && section.range().is_some() {
            let message = format!("`scheme({})` has no range", scheme.name());
            return Err(Box::new(
                Diagnostic::error(codes::BAD_COMPRESSION, message)
                    .at(section.span)
                    .with_help("leave the range out: each group of 32 numbers has one for itself"),
            ));
        }
        let bits = match (&args.bits, &args.error) {
            (Some(bits), Some(_)) => {
                let message = "`bits` and `error` both say how wide an element is".to_owned();
                return Err(Box::new(
                    Diagnostic::error(codes::BAD_COMPRESSION, message)
                        .label(bits.span, "one of them is too many")
                        .with_help("keep `error` to have the width chosen, or `bits` to choose it"),
                ));
            }
            (Some(bits), None) => self.stated_bits(bits, float_bits)?,
            (None, Some(bound)) => self.bits_for(bound, scheme, float_bits, range)?,
            (None, None) => usual.bits,
        };
        Ok(Some(Format { scheme, bits, layout }))
    }

    fn stated_bits(&mut self, bits: &CExpr, float_bits: u8) -> Lowered<u8> {
        let most = i64::from(mantissa(float_bits));
        match self.constant(bits) {
            Some(n) if (LEAST_BITS..=most).contains(&n) => Ok(n as u8),
            found => {
                let label =
                    found.map_or("its value is not known to the compiler".to_owned(), |n| n.to_string());
                let ty = if float_bits == 32 { "float" } else { "double" };
                let message =
                    format!("the width of a compressed {ty} is a constant from {LEAST_BITS} to {most}");
                Err(Box::new(
                    Diagnostic::error(codes::BAD_COMPRESSION, message)
                        .label(bits.span, label)
                        .with_note(format!("{most} bits are all that the mantissa of a {ty} has")),
                ))
            }
        }
    }

    /// The cheapest width whose error is within the bound: the error of an element is at most half of 2^-bits of
    /// the range's extent.
    fn bits_for(
        &mut self,
        bound: &ErrorBound,
        scheme: Scheme,
        float_bits: u8,
        range: Option<(f64, f64)>,
    ) -> Lowered<u8> {
        let (expr, extent) = match bound {
            ErrorBound::Relative(e) => (e, Some(extent(scheme, -1.0, 1.0))),
            ErrorBound::Absolute(e) if !scheme.has_range() => {
                let message = format!("`scheme({})` has no absolute error bound", scheme.name());
                return Err(Box::new(
                    Diagnostic::error(codes::BAD_COMPRESSION, message)
                        .label(e.span, "an element is off in relation to the largest of its group")
                        .with_help("write `error(rel: ...)`"),
                ));
            }
            ErrorBound::Absolute(e) => (e, range.map(|(min, max)| extent(scheme, min, max))),
        };
        let error = |message: &str| Diagnostic::error(codes::BAD_COMPRESSION, message);
        let Some(wanted) = number(expr).filter(|e| *e > 0.0) else {
            let text = "an error bound is a positive number that the compiler knows";
            return Err(Box::new(error(text).at(expr.span)));
        };
        let Some(extent) = extent else {
            return Err(Box::new(
                error("an absolute error bound needs a range that the compiler knows")
                    .at(expr.span)
                    .with_help("write the range with the section, `a[start:length:min:max]`, as numbers, or use `error(rel: ...)`"),
            ));
        };
        let least = (extent / (2.0 * wanted)).log2().ceil().max(1.0);
        let most = mantissa(float_bits);
        // Widths that are whole units cost least to read and write.
        let units = [8.0, 16.0, 32.0].into_iter().find(|u| *u >= least && *u <= f64::from(most));
        match units.unwrap_or(least) {
            bits if bits <= f64::from(most) => Ok(bits as u8),
            _ => {
                let text = format!(
                    "no width meets this error bound: {least} bits are needed, the number has {most}"
                );
                Err(Box::new(error(&text).at(expr.span).with_help("use the plain data clause")))
            }
        }
    }
}

/// What a compressed array holds: numbers, or structures of them.
#[derive(Clone, Copy)]
struct CompressedElement {
    float_bits: u8,
    members: u32,
}

/// The members of a structure of numbers of one type, without gaps.
fn members(types: &Types, def: &StructDef) -> Option<CompressedElement> {
    let bits = |ty: Handle<Type>| match types.kind(ty) {
        TypeKind::Float { bits } => Some(*bits),
        _ => None,
    };
    let float_bits = bits(def.fields.first()?.ty)?;
    let count = def.fields.len() as u32;
    let same = def.fields.iter().all(|f| bits(f.ty) == Some(float_bits));
    let dense = def.size == u64::from(count) * u64::from(float_bits) / 8;
    (same && dense).then_some(CompressedElement { float_bits, members: count })
}

/// The extent of the range that all values of `bits` cover: the error of an element is at most half of its 2^-bits.
fn extent(scheme: Scheme, min: f64, max: f64) -> f64 {
    match scheme {
        Scheme::Range => 2.0 * min.abs().max(max.abs()),
        Scheme::Affine | Scheme::Half | Scheme::Bfloat => max - min,
        // The power of two above the largest magnitude, on both sides.
        Scheme::Block => 4.0 * min.abs().max(max.abs()),
    }
}

fn mantissa(float_bits: u8) -> u8 {
    if float_bits == 32 { 23 } else { 52 }
}

/// Data that arrive without values, or that are only copied out, cannot determine the range.
fn needs_range(d: &Directive, kind: DataKind) -> bool {
    let enters = !matches!(d.kind, DirectiveKind::ExitData);
    enters && matches!(kind, DataKind::Copyout | DataKind::Create)
}

fn missing_range(section: &Section, item: &DataItem) -> Diagnostic {
    let clause = if item.kind == DataKind::Create { "ccreate" } else { "ccopyout" };
    Diagnostic::error(codes::RANGE_NEEDED, format!("`{clause}` needs the range of `{}`", section.base))
        .label(section.span, "no values come with it that could tell the range")
        .with_help(format!("write the range behind the length: `{}[start:length:min:max]`", section.base))
}

/// The value of a number as written, with its sign.
fn number(e: &CExpr) -> Option<f64> {
    if let Some(n) = e.constant() {
        return Some(n as f64);
    }
    match &e.kind {
        CExprKind::Paren(inner) => number(inner),
        CExprKind::Unary { op: acc::UnaryOp::Minus, operand } => number(operand).map(|n| -n),
        CExprKind::Unary { op: acc::UnaryOp::Plus, operand } => number(operand),
        CExprKind::Float(text) => text.trim_end_matches(['f', 'F', 'l', 'L']).parse().ok(),
        _ => None,
    }
}
