//! Library functions that print or end the program.
//!
//! Devices print what C's `printf` would, from a format that the compiler knows. The text of `%s` is put into the
//! format, and lengths follow from the arguments' types, which have the same names in every device's language.

use super::function::Fun;
use super::{Lowered, Refused, walk};
use crate::ast::{CastKind, Expr, ExprKind};
use accl_ir::{Expr as IrExpr, Handle, Stmt, TypeKind};
use accl_source::{Diagnostic, Span, codes::frontend as codes};

/// One conversion of a format: `%-5.2lf`.
struct Conversion<'f> {
    /// Flags, width and precision.
    shape: &'f str,
    length: &'f str,
    letter: char,
}

impl<'f> Conversion<'f> {
    /// Reads what follows a `%`; also returns the rest of the text.
    fn read(text: &'f str) -> Option<(Conversion<'f>, &'f str)> {
        let shape = text.find(|c: char| !"-+ #0123456789.*\'".contains(c))?;
        let (shape, rest) = text.split_at(shape);
        let length = rest.find(|c: char| !"hlLqjzt".contains(c))?;
        let (length, rest) = rest.split_at(length);
        let letter = rest.chars().next()?;
        Some((Conversion { shape, length, letter }, &rest[letter.len_utf8()..]))
    }

    /// The text as `%s` with these flags, width and precision prints it.
    fn padded(&self, text: &str) -> String {
        let (width, precision) = match self.shape.split_once('.') {
            Some((width, precision)) => (width, Some(precision.parse().unwrap_or(0))),
            None => (self.shape, None),
        };
        let kept: String = text.chars().take(precision.unwrap_or(usize::MAX)).collect();
        let columns = width.trim_start_matches(['-', '+', ' ', '#', '0']).parse().unwrap_or(0);
        if width.contains('-') { format!("{kept:<columns$}") } else { format!("{kept:>columns$}") }
    }
}

impl Fun<'_, '_> {
    /// A call of a function that prints or ends the program; false if it is another call.
    pub fn output(&mut self, e: &Expr, name: &str, args: &[Expr]) -> Lowered<bool> {
        match (name.trim_start_matches("__builtin_"), args) {
            ("abort" | "trap", []) => self.emit(Stmt::Stop { assertion: None }, e.span),
            ("__assert_fail", [assertion, ..]) => {
                let assertion = Some(text(assertion).unwrap_or_default());
                self.emit(Stmt::Stop { assertion }, e.span);
            }
            // A status that says success is one that programs rely on, and a device cannot give it.
            ("exit" | "_exit" | "_Exit" | "quick_exit", [status])
                if crate::clang::fold(status).is_some_and(|status| status != 0) =>
            {
                let status = crate::clang::fold(status).unwrap_or(1);
                self.emit(Stmt::Stop { assertion: Some(format!("exit({status})")) }, e.span);
            }
            ("printf", [format, values @ ..]) => self.printf(e, format, values)?,
            ("puts", [line]) => {
                let line = text(line).ok_or_else(|| not_literal(line))?;
                self.print(line.replace('%', "%%") + "\n", vec![], e.span);
            }
            ("putchar", [character]) => {
                let character = self.value(character)?;
                self.print("%c".to_owned(), vec![character], e.span);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn print(&mut self, format: String, args: Vec<Handle<IrExpr>>, span: Span) {
        self.emit(Stmt::Print { format, args }, span);
    }

    fn printf(&mut self, e: &Expr, format: &Expr, values: &[Expr]) -> Lowered<()> {
        if let Some((at, cond, yes, no)) = values.iter().enumerate().find_map(|(at, v)| chosen(at, v)) {
            let with = |text: &Expr| {
                let mut values = values.to_vec();
                values[at] = text.clone();
                values
            };
            let cond = self.cond(cond)?;
            let (then, ()) = self.try_branch(|f| f.printf(e, format, &with(yes)))?;
            let (otherwise, ()) = self.try_branch(|f| f.printf(e, format, &with(no)))?;
            self.emit(Stmt::If { cond, then, otherwise }, e.span);
            return Ok(());
        }
        let text = text(format).ok_or_else(|| not_literal(format))?;
        let (mut made, mut args) = (String::new(), vec![]);
        let (mut rest, mut values) = (&*text, values.iter());
        while let Some((before, following)) = rest.split_once('%') {
            made += before;
            if let Some(following) = following.strip_prefix('%') {
                made += "%%";
                rest = following;
                continue;
            }
            let read = Conversion::read(following);
            let (conversion, following) = read.ok_or_else(|| no_conversion("%", format.span))?;
            let value =
                values.next().ok_or_else(|| no_conversion("a conversion without an argument", e.span))?;
            self.converted(&conversion, value, format.span, &mut made, &mut args)?;
            rest = following;
        }
        // Arguments that no conversion takes are evaluated nevertheless.
        for value in values {
            self.after(&mut args, |f| f.effect(value))?;
        }
        self.print(made + rest, args, e.span);
        Ok(())
    }

    /// Appends a conversion that all devices know, and its argument.
    fn converted(
        &mut self,
        conversion: &Conversion<'_>,
        value: &Expr,
        span: Span,
        made: &mut String,
        args: &mut Vec<Handle<IrExpr>>,
    ) -> Lowered<()> {
        let Conversion { shape, length, letter } = *conversion;
        let written = format!("%{shape}{length}{letter}");
        if shape.contains(['*', '\'']) {
            return Err(no_conversion(&format!("`{written}`"), span));
        }
        let types = &mut self.cx.module.types;
        let int = types.i32();
        let (ty, length) = match (letter, length) {
            ('s', "") => {
                let text = text(value).ok_or_else(|| not_literal(value))?;
                *made += &conversion.padded(&text).replace('%', "%%");
                return Ok(());
            }
            ('c', "") => (int, ""),
            ('d' | 'i' | 'o' | 'u' | 'x' | 'X', _) => {
                let signed = matches!(letter, 'd' | 'i');
                match length {
                    "hh" => (types.int(8, signed), ""),
                    "h" => (types.int(16, signed), ""),
                    "" => (types.int(32, signed), ""),
                    _ => (types.int(64, signed), "l"),
                }
            }
            ('a' | 'A' | 'e' | 'E' | 'f' | 'F' | 'g' | 'G', "" | "l") => {
                let number = self.after(args, |f| f.value(widened(value)))?;
                *made += &format!("%{shape}{letter}");
                args.push(number);
                return Ok(());
            }
            ('p', "") => {
                let pointer = self.after(args, |f| f.value(value))?;
                *made += "%p";
                args.push(pointer);
                return Ok(());
            }
            _ => return Err(no_conversion(&format!("`{written}`"), span)),
        };
        let value = self.after(args, |f| f.value(value))?;
        if !matches!(self.kind_of(value), TypeKind::Int { .. } | TypeKind::Bool) {
            return Err(no_conversion(&format!("`{written}` of what is no integer"), span));
        }
        let value = self.convert(value, ty, span);
        // Narrow values are promoted, as those of all arguments that follow a format.
        let value = if length.is_empty() && self.cx.module.types.size_of(ty) < Some(4) {
            self.convert(value, int, span)
        } else {
            value
        };
        *made += &format!("%{shape}{length}{letter}");
        args.push(value);
        Ok(())
    }
}

/// A float is promoted in the call itself.
fn widened(value: &Expr) -> &Expr {
    match &value.kind {
        ExprKind::Cast { kind: CastKind::Convert, operand, .. }
            if *operand.ty.ty == (crate::ast::Ty::Float { bits: 32 })
                && *value.ty.ty == (crate::ast::Ty::Float { bits: 64 }) =>
        {
            operand
        }
        _ => value,
    }
}

/// The characters of a string literal.
/// `condition ? "text" : "other"`, and where it stands.
fn chosen(at: usize, e: &Expr) -> Option<(usize, &Expr, &Expr, &Expr)> {
    match &e.kind {
        ExprKind::Cast { operand, .. } => chosen(at, operand),
        ExprKind::Conditional { cond, yes, no } if is_choice(yes) && is_choice(no) => {
            Some((at, cond, yes, no))
        }
        _ => None,
    }
}

/// A text, or a choice of texts.
fn is_choice(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Cast { operand, .. } => is_choice(operand),
        ExprKind::Conditional { yes, no, .. } => is_choice(yes) && is_choice(no),
        _ => walk::is_text(e),
    }
}

fn text(e: &Expr) -> Option<String> {
    match &e.kind {
        ExprKind::Str(bytes) => String::from_utf8(bytes.as_ref()?.to_vec()).ok(),
        ExprKind::Cast { operand, .. } => text(operand),
        _ => None,
    }
}

fn not_literal(e: &Expr) -> Refused {
    let message = "text that is no string literal cannot be printed in a compute region";
    Box::new(
        Diagnostic::error(codes::PRINTED, message)
            .label(e.span, "the compiler does not know this text")
            .with_note("devices have no characters of the host's, and OpenCL C prints literals alone")
            .with_help("write the text in the call; print other strings behind the region"),
    )
}

fn no_conversion(what: &str, span: Span) -> Refused {
    Box::new(
        Diagnostic::error(codes::PRINTED, format!("{what} cannot be printed in a compute region"))
            .label(span, "in this format")
            .with_note(
                "devices know the conversions d i o u x X c a e f g p of numbers, and s of a string literal",
            )
            .with_help("use one of them, with a width and a precision that are constants"),
    )
}
