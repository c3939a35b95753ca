//! OpenMP's list items whose number only the running program knows: what mappers and iterators stand for, and what is reached
//! through elements of arrays. They become lines of the host that add each to a list of data (`accl_ir::map_list`).
//!
//! Invariant: what has its place in the list has none among the data items of the directive.

use super::Lowered;
use super::expr::unsupported;
use super::function::Fun;
use super::scope::{Named, short_name};
use crate::ast::{Len, Qual, Stmt as Ast, Ty};
use accl_directives::table::{DirectiveName, lookup_clause};
use accl_directives::{
    self as acc, CExpr, CExprKind, Clause, ClauseKind, DataClauses, DataModifier, Directive, DirectiveKind,
    Lvalue, MapKind, MappedList, Mapper, Motion, PathStep, Section, SectionDim, Sentinel, VariableCategory,
};
use accl_ir::map_list::{Entry, add};
use accl_ir::{DataFlags, DataKind};
use accl_source::{Diagnostic, Span, codes::frontend as codes};

/// Mappers in mappers, at most.
const DEPTH: usize = 12;

/// What the directive does with its list.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Region,
    Enter,
    Exit,
    Update,
}

/// What names in a mapper or under an iterator mean, and how the lines call them.
#[derive(Clone, Default)]
struct Names(Vec<(String, String, Option<Qual>)>);

impl Names {
    fn get(&self, name: &str) -> Option<&(String, String, Option<Qual>)> {
        self.0.iter().rev().find(|(known, ..)| known == name)
    }
}

/// A list in work.
struct Writer {
    role: Role,
    motion: Motion,
    always: bool,
    present: bool,
    by_rule: bool,
    mapper: Option<String>,
    lines: Vec<String>,
    /// Mappers around, for names of their own.
    depth: usize,
    /// What messages call the item at hand.
    name: String,
    span: Span,
}

/// A place of the host: its text and its type.
struct HostPlace {
    text: String,
    ty: Qual,
    /// It is a part of an object: an element, a member, what a pointer points to.
    part: bool,
    /// The address of that object.
    object: String,
    /// The last pointer that leads there, where it is a part of an object itself, and the address of that one.
    behind: Option<(String, String)>,
}

impl Fun<'_, '_> {
    /// The lines for the items of a directive that need a list.
    pub fn mapped_list(&mut self, d: &Directive, data: &DataClauses<'_>) -> Vec<String> {
        if d.origin != Sentinel::Omp {
            return vec![];
        }
        let mut lists: Vec<MappedList> = data.mapped.iter().map(|list| (*list).clone()).collect();
        for clause in &data.items {
            let Some(kind) = map_kind(clause.kind, &clause.modifiers) else { continue };
            let has = |modifier| clause.modifiers.contains(&modifier);
            let (always, present) = (has(DataModifier::Always), has(DataModifier::Present));
            let listed = self.listed(d, clause.sections.iter());
            lists.extend(list_of(Motion::Map(kind), always, present, listed));
        }
        let absent = data.update_self.is_empty() && data.update_device.is_empty();
        for (motion, sections) in
            [(Motion::FromDevice, &data.update_self), (Motion::ToDevice, &data.update_device)]
        {
            if !absent {
                let listed = self.listed(d, sections.iter().copied());
                lists.extend(list_of(motion, false, false, listed));
            }
        }
        let mut lines = vec![];
        for list in lists {
            match self.list_lines(d, &list) {
                Ok(mut own) => lines.append(&mut own),
                Err(refused) => self.cx.error(*refused),
            }
        }
        lines
    }

    /// The sections of a clause that have no place in the list.
    pub fn without_listed<'s>(
        &mut self,
        d: &Directive,
        sections: impl Iterator<Item = &'s Section>,
    ) -> Vec<&'s Section> {
        sections.filter(|section| !self.is_listed(d, section)).collect()
    }

    fn listed<'s>(&mut self, d: &Directive, sections: impl Iterator<Item = &'s Section>) -> Vec<Section> {
        sections.filter(|section| self.is_listed(d, section)).cloned().collect()
    }

    /// A variable has all its items in one place.
    fn is_listed(&mut self, d: &Directive, section: &Section) -> bool {
        if d.origin != Sentinel::Omp {
            return false;
        }
        if self.needs_list(d, section) {
            return true;
        }
        let pointer = |f: &mut Self| {
            let place = f.map_place(&section.base, &Names::default());
            section.dims.is_empty() && place.is_ok_and(|place| is_pointer(&place.ty))
        };
        let mut others: Vec<&Section> = vec![];
        for clause in &d.clauses {
            match &clause.kind {
                ClauseKind::Data(data) => others.extend(&data.sections),
                ClauseKind::Mapped(list) => others.extend(&list.sections),
                _ => {}
            }
        }
        others.retain(|other| other.base.root.name == section.base.root.name);
        let mapped = d.clauses.iter().any(|c| match &c.kind {
            ClauseKind::Mapped(list) => list.sections.iter().any(|s| others.contains(&s)),
            _ => false,
        });
        (mapped || others.into_iter().any(|other| self.needs_list(d, other))) && !pointer(self)
    }

    fn needs_list(&mut self, d: &Directive, section: &Section) -> bool {
        let element = section.base.path.iter().any(|step| matches!(step, PathStep::Index(_)));
        let structured =
            matches!(d.kind, DirectiveKind::Compute { .. } | DirectiveKind::Threads(_) | DirectiveKind::Data);
        if !section.shape.is_empty()
            || element && structured
            || section.base.derefs > 1
            || section.dims.iter().any(|d| d.stride.is_some())
        {
            return true;
        }
        if matches!(d.kind, DirectiveKind::EnterData) && has_sibling(d, section) {
            return true;
        }
        self.has_mappers() && self.end_type(section).is_some_and(|ty| self.is_mapped(&ty, None, d.span, 0))
    }

    fn has_mappers(&self) -> bool {
        self.cx.pragmas.iter().any(|p| matches!(p.directive.kind, DirectiveKind::DeclareMapper(_)))
    }

    /// An object that no clause names, and is mapped by rule, is mapped by its type's mapper (OpenMP 5.2 §5.8.1): that takes a
    /// clause. Of an array some elements may be present already, and the others are not for the construct.
    pub fn map_by_default_mappers(&mut self, d: &mut Directive, body: &Ast) {
        let Some(spec) = lookup_clause("copy", DirectiveName::Parallel).filter(|_| self.has_mappers()) else {
            return;
        };
        let mut sections = vec![];
        for used in self.unnamed(d, body, true) {
            let variable = self.variable(used.id);
            let is_object = variable.is_some_and(|v| {
                let mut ty = v.ty.referred().clone();
                while let Ty::Array { of, .. } = &*ty.ty {
                    ty = of.clone();
                }
                matches!(*ty.ty, Ty::Record(_))
            });
            let decided = d.clauses.iter().any(|c| match &c.kind {
                ClauseKind::Defaultmap(of) => of.category.is_none_or(|c| c == VariableCategory::Aggregate),
                _ => false,
            });
            let section = Section::variable(&used.name, used.span);
            if is_object && !decided && self.needs_list(d, &section) {
                sections.push(section);
            }
        }
        if !sections.is_empty() {
            let kind = ClauseKind::Mapped(MappedList {
                motion: Motion::Map(MapKind::ToFrom),
                always: false,
                present: false,
                by_rule: true,
                mapper: None,
                iterators: vec![],
                sections,
            });
            let (span, name_span, device_types) = (d.span, d.name_span, vec![]);
            d.clauses.push(Clause { kind, span, name_span, spec, device_types });
        }
    }

    /// The type of what a section consists of.
    fn end_type(&mut self, section: &Section) -> Option<Qual> {
        let place = self.map_place(&section.base, &Names::default()).ok()?;
        let mut ty = place.ty;
        for _ in &section.dims {
            ty = element_of(&ty)?;
        }
        // A whole array.
        while let Ty::Array { of, .. } = &*ty.ty {
            ty = of.clone();
        }
        Some(ty)
    }

    /// Whether a type, or a member of it, has a mapper.
    fn is_mapped(&mut self, ty: &Qual, name: Option<&str>, at: Span, depth: usize) -> bool {
        match &*ty.referred().ty {
            Ty::Array { of, .. } => self.is_mapped(of, name, at, depth),
            Ty::Record(id) if depth < DEPTH => {
                let fields: Vec<Qual> = match self.cx.record(*id) {
                    Some(record) => record.fields.iter().map(|f| f.ty.clone()).collect(),
                    None => vec![],
                };
                self.mapper_of(ty, name, at).is_some()
                    || fields.iter().any(|field| self.is_mapped(field, None, at, depth + 1))
            }
            _ => false,
        }
    }

    /// The mapper for a type, of those declared before a place.
    fn mapper_of(&mut self, ty: &Qual, name: Option<&str>, at: Span) -> Option<Mapper> {
        let Ty::Record(wanted) = *ty.referred().ty else { return None };
        let declared = self.cx.pragmas.iter().rev().filter(|p| p.span.start < at.start);
        let mut mappers = declared.filter_map(|p| match &p.directive.kind {
            DirectiveKind::DeclareMapper(mapper) => Some(mapper),
            _ => None,
        });
        let of = |mapper: &Mapper| {
            let words = mapper.of.split_whitespace();
            let bare: Vec<&str> =
                words.filter(|w| !["struct", "class", "union", "const"].contains(w)).collect();
            let known = self.cx.program.types.get(short_name(&bare.join(" ")));
            let record = known.and_then(Option::as_ref).map(|ty| ty.referred().ty.clone());
            matches!(record.as_deref(), Some(Ty::Record(id)) if *id == wanted)
        };
        mappers.find(|mapper| mapper.name.as_deref() == name && of(mapper)).map(|mapper| (**mapper).clone())
    }

    fn list_lines(&mut self, d: &Directive, list: &MappedList) -> Lowered<Vec<String>> {
        let role = match d.kind {
            DirectiveKind::EnterData => Role::Enter,
            DirectiveKind::ExitData => Role::Exit,
            DirectiveKind::Update => Role::Update,
            _ => Role::Region,
        };
        let mut writer = Writer {
            role,
            motion: list.motion,
            always: list.always,
            present: list.present,
            by_rule: list.by_rule,
            mapper: list.mapper.clone(),
            lines: vec![],
            depth: 0,
            name: String::new(),
            span: d.span,
        };
        let mut names = Names::default();
        for iterator in &list.iterators {
            let [begin, end] = [&iterator.begin, &iterator.end].map(|e| self.map_expr(e, &names));
            let step = iterator.step.as_ref().map_or("1".to_owned(), |e| self.map_expr(e, &names));
            let i = &iterator.name;
            let at = writer.lines.len();
            writer.lines.push(format!(
                "for (long {i} = ({begin}), accl_step_{at} = ({step}), accl_end_{at} = ({end}); \
                 accl_step_{at} > 0 ? {i} < accl_end_{at} : {i} > accl_end_{at}; {i} += accl_step_{at}) {{"
            ));
            names.0.push((i.clone(), i.clone(), None));
        }
        for section in &list.sections {
            writer.name = self.text(section.span);
            writer.span = section.span;
            self.map_section(&mut writer, section, &names)?;
        }
        writer.lines.extend(list.iterators.iter().map(|_| "}".to_owned()));
        Ok(writer.lines)
    }

    fn map_section(&mut self, writer: &mut Writer, section: &Section, names: &Names) -> Lowered<()> {
        let mut place = self.map_place(&section.base, names)?;
        if let Some((pointer, object)) = &place.behind {
            writer.pointer(pointer, object);
        }
        if !section.shape.is_empty() {
            if writer.role != Role::Update || !is_pointer(&place.ty) {
                let message =
                    format!("`{}` gives a pointer a shape, which `target update` alone takes", writer.name);
                return Err(Box::new(Diagnostic::error(codes::BAD_CLAUSE_VARIABLE, message).at(writer.span)));
            }
            let extents: Vec<String> = section.shape.iter().map(|e| self.map_expr(e, names)).collect();
            place = self.shaped(place, &extents);
        }
        self.map_dims(writer, place, &section.dims, names)
    }

    fn map_dims(
        &mut self,
        writer: &mut Writer,
        place: HostPlace,
        dims: &[SectionDim],
        names: &Names,
    ) -> Lowered<()> {
        let Some((dim, inner)) = dims.split_first() else { return self.map_object(writer, place) };
        let Some(element) = element_of(&place.ty) else {
            let message = format!("`{}` is neither an array nor a pointer", writer.name);
            return Err(Box::new(Diagnostic::error(codes::BAD_CLAUSE_VARIABLE, message).at(writer.span)));
        };
        let text = &place.text;
        if place.part && is_pointer(&place.ty) {
            writer.pointer(text, &place.object);
        }
        let lower = dim.lower.as_ref().map_or("0".to_owned(), |e| self.map_expr(e, names));
        let length = match (&dim.length, dim.is_index) {
            (Some(length), _) => self.map_expr(length, names),
            (None, true) => "1".to_owned(),
            (None, false) if is_pointer(&place.ty) => {
                let message = format!("how much `{}` points to is not known", writer.name);
                return Err(Box::new(
                    Diagnostic::error(codes::MISSING_SECTION, message)
                        .label(dim.span, "expected first element : number of elements"),
                ));
            }
            (None, false) => format!("((long)(sizeof({text}) / sizeof(({text})[0])) - ({lower}))"),
        };
        if dim.stride.is_some() && writer.role != Role::Update {
            let message = format!("the section `{}` of a `map` clause has gaps", writer.name);
            return Err(Box::new(
                Diagnostic::error(codes::UNSUPPORTED, message)
                    .label(dim.span, "a stride")
                    .with_help("map all of it, and name strides in `target update`"),
            ));
        }
        let stride = dim.stride.as_ref().map_or("1".to_owned(), |e| self.map_expr(e, names));
        let mapped = self.is_mapped(&element, writer.mapper.as_deref(), writer.span, 0);
        let gaps = dim.stride.is_some() && writer.role == Role::Update;
        if inner.is_empty() && !mapped {
            writer.no_mapper()?;
        }
        if inner.is_empty() && !mapped && !gaps {
            let base = format!("({text})");
            let size = format!("sizeof(({text})[0])");
            let (offset, bytes) = (format!("({lower}) * {size}"), format!("({length}) * {size}"));
            if place.part && !is_pointer(&place.ty) {
                writer.together(&place.object, &format!("(const char *){base} + {offset}"), &bytes);
            }
            writer.entry(&base, &offset, &bytes);
            return Ok(());
        }
        if mapped && inner.is_empty() && writer.role != Role::Update {
            // Kernels go from one element to the next.
            let size = format!("sizeof(({text})[0])");
            let (offset, bytes) = (format!("({lower}) * {size}"), format!("({length}) * {size}"));
            writer.room(&format!("({text})"), &offset, &bytes);
        }
        let at = writer.lines.len();
        let i = format!("accl_i{at}");
        writer.lines.push(format!(
            "for (long {i} = 0, accl_n{at} = ({length}), accl_b{at} = ({lower}), accl_s{at} = ({stride}); {i} < accl_n{at}; {i}++) {{"
        ));
        let object = if is_pointer(&place.ty) { format!("({text})") } else { place.object.clone() };
        let text = format!("({text})[accl_b{at} + {i} * accl_s{at}]");
        self.map_dims(
            writer,
            HostPlace { text, ty: element, part: true, object, behind: None },
            inner,
            names,
        )?;
        writer.lines.push("}".to_owned());
        Ok(())
    }

    /// The array of these extents that a pointer points to.
    fn shaped(&mut self, place: HostPlace, extents: &[String]) -> HostPlace {
        let Some(mut ty) = element_of(&place.ty) else { return place };
        let element = self.ty(&ty);
        let element = self.cx.c_name(element);
        for extent in extents.iter().rev() {
            ty = Qual::new(Ty::Array { of: ty, len: Len::Text(extent.as_str().into()) });
        }
        let dims: String = extents.iter().map(|extent| format!("[{extent}]")).collect();
        let text = format!("(*({element} (*){dims})({}))", place.text);
        HostPlace { text, ty, part: false, ..place }
    }

    /// A whole variable, member or element.
    fn map_object(&mut self, writer: &mut Writer, place: HostPlace) -> Lowered<()> {
        let HostPlace { text, ty, part, object, behind: _ } = place;
        let ty = ty.referred().clone();
        let name = writer.mapper.clone();
        if writer.depth > DEPTH || !self.is_mapped(&ty, name.as_deref(), writer.span, 0) {
            writer.no_mapper()?;
            let (base, bytes) = (format!("&({text})"), format!("sizeof({text})"));
            if part {
                writer.among_siblings(&object, &base, &bytes);
            }
            writer.entry(&base, "0", &bytes);
            return Ok(());
        }
        if let Ty::Array { of, .. } = &*ty.ty {
            if writer.role != Role::Update {
                writer.room(&format!("&({text})"), "0", &format!("sizeof({text})"));
            }
            let at = writer.lines.len();
            writer.lines.push(format!(
                "for (long accl_i{at} = 0; accl_i{at} < (long)(sizeof({text}) / sizeof(({text})[0])); accl_i{at}++) {{"
            ));
            let element = format!("({text})[accl_i{at}]");
            if writer.by_rule {
                writer.lines.push(format!(
                    "if (accl_is_beside_present(&({text}), sizeof({text}), &({element}), sizeof({element}))) continue;"
                ));
            }
            let text = element;
            self.map_object(writer, HostPlace { text, ty: of.clone(), part: true, object, behind: None })?;
            writer.lines.push("}".to_owned());
            return Ok(());
        }
        if writer.role != Role::Update {
            writer.room(&format!("&({text})"), "0", &format!("sizeof({text})"));
        }
        match self.mapper_of(&ty, name.as_deref(), writer.span) {
            Some(mapper) => self.map_by(writer, &text, ty, &mapper),
            None => self.map_members(writer, &text, &ty),
        }
    }

    fn map_members(&mut self, writer: &mut Writer, text: &str, ty: &Qual) -> Lowered<()> {
        let Ty::Record(id) = *ty.ty else { return Ok(()) };
        let Some(record) = self.cx.record(id) else { return Ok(()) };
        let has_bits = !record.bit_fields.is_empty() || record.fields.iter().any(|f| f.bitfield.is_some());
        let fields: Vec<(String, Qual)> =
            record.fields.iter().map(|f| (f.name.clone(), f.ty.clone())).collect();
        if record.is_union || has_bits || record.fields.iter().any(|f| f.name.is_empty()) {
            return Err(unsupported("a mapper for a member of such a structure", writer.span));
        }
        let outer = writer.mapper.take();
        for (field, ty) in fields {
            let (object, text) = (format!("&({text})"), format!("({text}).{field}"));
            self.map_object(writer, HostPlace { text, ty, part: true, object, behind: None })?;
        }
        writer.mapper = outer;
        Ok(())
    }

    /// What a mapper says of a variable.
    fn map_by(&mut self, writer: &mut Writer, text: &str, ty: Qual, mapper: &Mapper) -> Lowered<()> {
        writer.depth += 1;
        if writer.depth > DEPTH {
            return Err(unsupported("a mapper that uses itself", writer.span));
        }
        let variable = format!("accl_v{}", writer.lines.len());
        writer.lines.push(format!("{{ __typeof__({text}) *{variable} = &({text});"));
        let names = Names(vec![(mapper.variable.clone(), format!("(*{variable})"), Some(ty.clone()))]);
        let outer = (writer.motion, writer.mapper.take(), writer.name.clone());
        for (kind, inner, sections) in &mapper.maps {
            let Some(motion) = both(outer.0, *kind) else { continue };
            (writer.motion, writer.mapper) = (motion, inner.clone());
            for section in sections {
                writer.name = self.text(section.span);
                let whole =
                    section.as_variable() == Some(mapper.variable.as_str()) && section.dims.is_empty();
                match whole {
                    // Its members may have mappers.
                    true if self.has_mapped_member(&ty, writer.span) => {
                        self.map_members(writer, &format!("*{variable}"), &ty)?
                    }
                    true => writer.entry(&variable, "0", &format!("sizeof(*{variable})")),
                    false => self.map_section(writer, section, &names)?,
                }
            }
        }
        (writer.motion, writer.mapper, writer.name) = outer;
        writer.lines.push("}".to_owned());
        writer.depth -= 1;
        Ok(())
    }

    fn has_mapped_member(&mut self, ty: &Qual, at: Span) -> bool {
        let Ty::Record(id) = *ty.ty else { return false };
        let Some(record) = self.cx.record(id) else { return false };
        let fields: Vec<Qual> = record.fields.iter().map(|f| f.ty.clone()).collect();
        fields.iter().any(|field| self.is_mapped(field, None, at, 0))
    }

    fn map_place(&mut self, base: &Lvalue, names: &Names) -> Lowered<HostPlace> {
        let root = &base.root;
        let unknown = |f: &Self| Box::new(f.unknown_name(&root.name, root.span));
        let record = self.record;
        let (mut part, mut behind) = (false, None);
        let mut text =
            names.get(&root.name).map_or_else(|| self.text(root.span), |(_, text, _)| text.clone());
        let mut ty = match names.get(&root.name) {
            Some((_, _, ty)) => ty.clone().ok_or_else(|| unknown(self))?,
            None if root.name == "this" => {
                let record = record.ok_or_else(|| unknown(self))?;
                let class = Qual::new(Ty::Record(record));
                Qual::new(Ty::Pointer { to: class, restrict: false })
            }
            None => match self.lookup(&root.name) {
                Some(Named::Variable(_, variable)) => variable.ty.referred().clone(),
                Some(Named::Member) => {
                    part = true;
                    let field = record.and_then(|r| self.field_type(&Qual::new(Ty::Record(r)), &root.name));
                    field.ok_or_else(|| unknown(self))?
                }
                _ => return Err(unknown(self)),
            },
        };
        let mut object = format!("&({text})");
        for step in &base.path {
            let through = match step {
                PathStep::Index(_) => is_pointer(&ty),
                PathStep::Member { arrow, .. } => *arrow,
            };
            if through {
                behind = part.then(|| (text.clone(), object.clone()));
                object = format!("({text})");
            }
            let next = match step {
                PathStep::Index(index) => {
                    text = format!("{text}[{}]", self.map_expr(index, names));
                    element_of(&ty)
                }
                PathStep::Member { arrow, name } => {
                    text = format!("{text}{}{}", if *arrow { "->" } else { "." }, name.name);
                    let of = if *arrow { element_of(&ty) } else { Some(ty.clone()) };
                    of.and_then(|of| self.field_type(&of, &name.name))
                }
            };
            ty = next.ok_or_else(|| {
                let message = format!("what `{}` is cannot be told", self.text(base.span));
                Box::new(Diagnostic::error(codes::BAD_CLAUSE_VARIABLE, message).at(base.span))
            })?;
            ty = ty.referred().clone();
            part = true;
        }
        for _ in 0..base.derefs {
            behind = part.then(|| (text.clone(), object.clone()));
            part = true;
            object = format!("({text})");
            text = format!("(*{text})");
            ty = element_of(&ty).ok_or_else(|| unsupported("this list item", base.span))?;
        }
        Ok(HostPlace { text, ty, part, object, behind })
    }

    pub fn field_type(&self, ty: &Qual, name: &str) -> Option<Qual> {
        let Ty::Record(id) = *ty.referred().ty else { return None };
        let record = self.cx.record(id)?;
        let own = record.fields.iter().find(|f| f.name == name).map(|f| f.ty.clone());
        own.or_else(|| record.bases.iter().find_map(|base| self.field_type(base, name)))
    }

    fn map_expr(&mut self, e: &CExpr, names: &Names) -> String {
        // That of `*p`, too, where none is written.
        if let CExprKind::Int { text, .. } = &e.kind {
            return text.clone();
        }
        self.known_names(e, &|name| names.get(name).is_some());
        self.spliced(e.span, e.identifiers(), names)
    }

    /// A text of the program, in which names are replaced.
    fn spliced(&self, span: Span, mut identifiers: Vec<(&str, Span)>, names: &Names) -> String {
        let mut text = self.text(span);
        identifiers.sort_by_key(|(_, at)| std::cmp::Reverse(at.start));
        identifiers.dedup();
        for (name, at) in identifiers {
            if let Some((_, replacement, _)) = names.get(name) {
                let (start, end) = ((at.start - span.start) as usize, (at.end - span.start) as usize);
                text.replace_range(start..end, replacement);
            }
        }
        text
    }
}

impl Writer {
    /// What has no mapper of the name that the clause gives is refused.
    fn no_mapper(&self) -> Lowered<()> {
        let Some(mapper) = &self.mapper else { return Ok(()) };
        let message = format!("no mapper named `{mapper}` is declared for the type of `{}`", self.name);
        Err(Box::new(
            Diagnostic::error(codes::UNKNOWN_NAME, message)
                .at(self.span)
                .with_help("write `#pragma omp declare mapper(name: type variable) map(…)` before it"),
        ))
    }

    /// One stretch of memory that the clause moves.
    fn entry(&mut self, base: &str, offset: &str, bytes: &str) {
        let copied = |kind| matches!(kind, DataKind::Copy | DataKind::Copyin | DataKind::Copyout);
        let (kind, delete) = match (self.motion, self.role) {
            (Motion::ToDevice, _) => (DataKind::UpdateDevice, false),
            (Motion::FromDevice, _) => (DataKind::UpdateSelf, false),
            (Motion::Map(kind), role) => (data_kind(kind, role), kind == MapKind::Delete),
        };
        let always = self.always && copied(kind);
        let flags = DataFlags {
            always_in: always,
            always_out: always,
            finalize: delete && self.role == Role::Exit,
            must_be_present: self.present,
            ..DataFlags::default()
        };
        let if_present = self.role == Role::Update && !self.present;
        let name = &self.name;
        self.lines.push(add(&Entry { name, base, offset, bytes, kind, flags, together: false, if_present }));
    }

    /// Device memory for the whole of what is mapped in parts.
    fn room(&mut self, base: &str, offset: &str, bytes: &str) {
        let flags = DataFlags { implicit: self.by_rule, ..DataFlags::default() };
        self.own(base, offset, bytes, self.kind_of_place(), flags, false);
    }

    /// A pointer in memory: it is on the device, too, and points to what is mapped behind it.
    fn pointer(&mut self, text: &str, object: &str) {
        if self.role == Role::Update {
            return;
        }
        let base = format!("&({text})");
        self.together(object, &base, "sizeof(void *)");
        let kind = if self.role == Role::Exit { DataKind::Detach } else { DataKind::Attach };
        self.own(&base, "0", "sizeof(void *)", kind, DataFlags::default(), false);
    }

    /// Device memory for a part of an object, with its other parts.
    fn together(&mut self, object: &str, address: &str, bytes: &str) {
        self.with_object(object, address, bytes, DataFlags::default());
    }

    /// The same for what a clause names: where some of the parts are present already, these count, and the others are
    /// mapped by themselves.
    fn among_siblings(&mut self, object: &str, address: &str, bytes: &str) {
        self.with_object(object, address, bytes, DataFlags { implicit: true, ..DataFlags::default() });
    }

    fn with_object(&mut self, object: &str, address: &str, bytes: &str, flags: DataFlags) {
        if self.role != Role::Update {
            let offset = format!("(const char *)({address}) - (const char *)({object})");
            self.own(object, &offset, bytes, self.kind_of_place(), flags, true);
        }
    }

    fn kind_of_place(&self) -> DataKind {
        if self.role == Role::Exit { DataKind::Delete } else { DataKind::Create }
    }

    /// What no clause names by itself.
    fn own(
        &mut self,
        base: &str,
        offset: &str,
        bytes: &str,
        kind: DataKind,
        flags: DataFlags,
        together: bool,
    ) {
        let flags = DataFlags { finalize: self.is_delete() && !together, ..flags };
        let (name, if_present) = (&self.name, false);
        self.lines.push(add(&Entry { name, base, offset, bytes, kind, flags, together, if_present }));
    }

    fn is_delete(&self) -> bool {
        self.role == Role::Exit && self.motion == Motion::Map(MapKind::Delete)
    }
}

/// Whether the directive names another member of the same object: the members of an object that one directive maps come and
/// go together (OpenMP 5.2 §5.8.3).
fn has_sibling(d: &Directive, section: &Section) -> bool {
    let object = |section: &Section| {
        let mut base = section.base.clone();
        match base.path.pop() {
            Some(PathStep::Member { arrow, .. }) if section.dims.is_empty() => {
                Some((base.to_string(), arrow))
            }
            _ => None,
        }
    };
    let Some(own) = object(section) else { return false };
    let is_sibling = |other: &Section| other.span != section.span && object(other).as_ref() == Some(&own);
    d.clauses.iter().any(|clause| match &clause.kind {
        ClauseKind::Data(data) => data.sections.iter().any(is_sibling),
        ClauseKind::Mapped(list) => list.sections.iter().any(is_sibling),
        _ => false,
    })
}

fn list_of(motion: Motion, always: bool, present: bool, sections: Vec<Section>) -> Option<MappedList> {
    let list =
        MappedList { motion, always, present, by_rule: false, mapper: None, iterators: vec![], sections };
    (!list.sections.is_empty()).then_some(list)
}

/// The map type that a clause of the normal form stands for.
fn map_kind(kind: acc::DataKind, modifiers: &[DataModifier]) -> Option<MapKind> {
    Some(match kind {
        acc::DataKind::Copy => MapKind::ToFrom,
        acc::DataKind::Copyin => MapKind::To,
        acc::DataKind::Copyout => MapKind::From,
        acc::DataKind::Create => MapKind::Alloc,
        acc::DataKind::Delete if modifiers.contains(&DataModifier::Finalize) => MapKind::Delete,
        acc::DataKind::Delete => MapKind::Release,
        _ => return None,
    })
}

fn data_kind(kind: MapKind, role: Role) -> DataKind {
    match (role, kind) {
        (Role::Exit, MapKind::From | MapKind::ToFrom) => DataKind::Copyout,
        (Role::Exit, _) => DataKind::Delete,
        (_, MapKind::To) => DataKind::Copyin,
        (Role::Enter, MapKind::ToFrom) => DataKind::Copyin,
        (Role::Enter, _) => DataKind::Create,
        (_, MapKind::ToFrom) => DataKind::Copy,
        (_, MapKind::From) => DataKind::Copyout,
        (_, MapKind::Alloc | MapKind::Release | MapKind::Delete) => DataKind::Create,
    }
}

/// What a clause and its mapper say together (OpenMP 5.2 §5.8.8).
fn both(outer: Motion, inner: MapKind) -> Option<Motion> {
    use MapKind::{Alloc, Delete, From, Release, To, ToFrom};
    let moves = |kinds: [MapKind; 2]| kinds.contains(&inner);
    Some(match outer {
        Motion::ToDevice => return moves([To, ToFrom]).then_some(outer),
        Motion::FromDevice => return moves([From, ToFrom]).then_some(outer),
        Motion::Map(kind @ (Release | Delete | Alloc)) => Motion::Map(kind),
        Motion::Map(ToFrom) => Motion::Map(inner),
        Motion::Map(To) => Motion::Map(if moves([To, ToFrom]) { To } else { Alloc }),
        Motion::Map(From) => Motion::Map(if moves([From, ToFrom]) { From } else { Alloc }),
    })
}

fn element_of(ty: &Qual) -> Option<Qual> {
    match &*ty.referred().ty {
        Ty::Pointer { to, .. } => Some(to.clone()),
        Ty::Array { of, .. } => Some(of.clone()),
        _ => None,
    }
}

fn is_pointer(ty: &Qual) -> bool {
    matches!(&*ty.referred().ty, Ty::Pointer { .. })
}
