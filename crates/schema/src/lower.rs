//! Conversion of a schema to a model.

mod choice;
mod content;
mod scope;

use record::Order;
use record::schema::{
    Body, ByHand, Choice, Context, Encoding, Field as Declared, Number, Schema, SchemaOf, Struct, Tree,
    TypeDoc,
};

use crate::model::{Enum, Expr, Field, Kind, Model, Opaque, Param, Repeat, Type, Value};
use crate::name::{last_of, snake, without_links};
pub(crate) use scope::{Place, Scope};

/// The state of the conversion.
#[derive(Debug, Default)]
pub(crate) struct Lowering {
    pub(crate) model: Model,
    /// What expressions can use of an instance of each type.
    pub(crate) members: Vec<Scope>,
    /// The member of the context that each parameter of each type is; `None` for the context itself.
    contexts: Vec<Vec<Option<&'static str>>>,
    /// Path and byte order of each converted type.
    known: Vec<(&'static str, Order, usize)>,
}

/// What a schema is after the types that add nothing to the encoding are removed.
enum Shape {
    Number(Number, Order, Option<usize>),
    Bytes(usize),
    Rest,
    Array(SchemaOf, usize, Order),
    Type(Schema, Order),
}

/// A field, or a list of fields, before it has a name.
struct Content {
    kind: Kind,
    repeat: Repeat,
    value: Value,
    is_enum: bool,
    is_open: bool,
}

/// The field for which a content is converted.
#[derive(Clone, Copy)]
struct Target<'a> {
    /// The index of the type that gets the field.
    index: usize,
    id: &'a str,
    order: Order,
    /// The names that its expressions can use.
    scope: &'a Scope,
}

impl Content {
    fn once(kind: Kind, value: Value) -> Self {
        Self { kind, repeat: Repeat::Once, value, is_enum: false, is_open: false }
    }

    fn list(kind: Kind, repeat: Repeat) -> Self {
        Self { kind, repeat, value: Value::List, is_enum: false, is_open: false }
    }
}

impl Model {
    /// Converts the schema of a file.
    #[must_use]
    pub fn of(schema: Schema) -> Self {
        let mut lowering = Lowering::default();
        match lowering.shape(schema, Order::Little) {
            Shape::Type(schema, order) => _ = lowering.type_of(schema, order),
            _ => {
                let doc = TypeDoc { path: || "file", about: "" };
                let index = lowering.start_type(doc, Order::Little);
                let field = Declared::plain("data", "Bytes", || Schema::Rest);
                lowering.fields(index, &[field], Order::Little, &mut Scope::default());
            }
        }
        lowering.model
    }
}

impl Lowering {
    /// Removes types that add nothing to the encoding: transparent structs, converted types, and enums that consist of their tag.
    fn shape(&mut self, schema: Schema, order: Order) -> Shape {
        match schema {
            Schema::Number(number) => Shape::Number(number, order, None),
            Schema::Bytes(count) => Shape::Bytes(count),
            Schema::Array(item, count) if is_byte(item) => Shape::Bytes(count),
            Schema::Array(item, count) => Shape::Array(item, count, order),
            Schema::Rest => Shape::Rest,
            Schema::Converted(converted) => self.shape((converted.stored)(), order),
            Schema::Struct(of) => match transparent(of) {
                Some((inner, inner_order)) => self.shape(inner, inner_order.or(of.order).unwrap_or(order)),
                None => Shape::Type(schema, order),
            },
            Schema::Choice(choice) => match value_tag(choice) {
                Some(tag) => match self.shape(tag, choice.order.unwrap_or(order)) {
                    Shape::Number(number, order, None) => {
                        let names = self.enum_of(choice, number, "");
                        Shape::Number(number, order, Some(names))
                    }
                    other => other,
                },
                None => Shape::Type(schema, order),
            },
            _ => Shape::Type(schema, order),
        }
    }

    /// The index of the enum with the tags of a choice. Its name is that of the choice with a suffix.
    fn enum_of(&mut self, choice: &Choice, number: Number, suffix: &str) -> usize {
        let id = snake(last_of((choice.doc.path)()).0) + suffix;
        if let Some(known) =
            self.model.enums.iter().position(|known| known.id == id && known.number == number)
        {
            return known;
        }
        let values = choice.variants.iter().filter_map(|variant| {
            let value = number_of(&variant.tag?())?;
            Some((value, snake(variant.name), without_links(variant.about)))
        });
        let values = values.collect();
        self.model.enums.push(Enum { id, about: without_links(choice.doc.about), number, values });
        self.model.enums.len().saturating_sub(1)
    }

    /// Converts a type, unless it already has been.
    fn type_of(&mut self, schema: Schema, order: Order) -> usize {
        let (doc, context, trees) = match schema {
            Schema::Struct(of) => (of.doc, of.context, trees_of(of.fields)),
            Schema::Choice(of) => (of.doc, of.context, trees_of_choice(of)),
            Schema::ByHand(of) => (of.doc, of.context, Vec::new()),
            _ => (TypeDoc { path: || "file", about: "" }, None, Vec::new()),
        };
        let path = (doc.path)();
        if let Some((.., index)) = self.known.iter().find(|known| known.0 == path && known.1 == order) {
            return *index;
        }
        let index = self.start_type(doc, order);
        self.known.push((path, order, index));
        let mut scope = self.parameters(index, context, &trees);
        match schema {
            Schema::Struct(of) => self.of_struct(index, of, order, &mut scope),
            Schema::Choice(of) => self.of_choice(index, of, order, &mut scope),
            Schema::ByHand(of) => self.of_by_hand(index, of, order, &mut scope),
            _ => {}
        }
        self.finish_type(index, &scope);
        index
    }

    /// Adds an empty type with a unique name.
    fn start_type(&mut self, doc: TypeDoc, order: Order) -> usize {
        let (name, module) = last_of((doc.path)());
        let id = snake(name);
        let suffix = if order == Order::Big { "_be" } else { "" };
        let candidates = [id.clone(), format!("{}_{id}", snake(module)), format!("{id}{suffix}")];
        let free = candidates.into_iter().find(|id| !self.has_type(id));
        let numbered = || (2_u32..).map(|number| format!("{id}_{number}")).find(|id| !self.has_type(id));
        let id = free.or_else(numbered).unwrap_or_default();
        self.add_type(id, without_links(doc.about))
    }

    fn has_type(&self, id: &str) -> bool {
        self.model.types.iter().any(|ty| ty.id == id) || self.model.enums.iter().any(|known| known.id == id)
    }

    /// Adds a type for a part of another one.
    fn start_part(&mut self, owner: usize, name: &str, about: &str) -> usize {
        let id = format!("{}_{}", self.model.name(owner), name);
        let free = |id: &String| !self.has_type(id);
        let id = std::iter::once(id.clone()).chain((2_u32..).map(|n| format!("{id}_{n}"))).find(free);
        self.add_type(id.unwrap_or_default(), about.to_owned())
    }

    fn add_type(&mut self, id: String, about: String) -> usize {
        self.model.types.push(Type { id, about, ..Type::default() });
        self.members.push(Scope::default());
        self.contexts.push(Vec::new());
        self.model.types.len().saturating_sub(1)
    }

    /// Notes the members of a finished type and its size.
    fn finish_type(&mut self, index: usize, scope: &Scope) {
        let size = self.size_of_fields(index);
        if let Some(ty) = self.model.types.get_mut(index) {
            ty.size = size;
        }
        if let Some(members) = self.members.get_mut(index) {
            *members = scope.own();
        }
    }

    /// Adds the parameters of a type: its context, or the members of the context that it uses.
    fn parameters(&mut self, index: usize, context: Option<Context>, trees: &[Tree]) -> Scope {
        let mut scope = Scope::default();
        let Some(context) = context else { return scope };
        let members: Vec<Option<&'static str>> = match (context.schema)() {
            Some(_) => vec![None],
            None => used_members(trees),
        };
        for member in &members {
            let value = match ((context.schema)(), member) {
                (Some(schema), None) => self.value_of(schema),
                _ => Value::Integer,
            };
            let id = member.map_or_else(|| "context".to_owned(), |member| format!("context_{member}"));
            let name = member.map_or_else(|| "context".to_owned(), |member| format!("context.{member}"));
            scope.add(&name, Place { ups: 0, path: vec![id.clone()], value, is_enum: false });
            if let Some(ty) = self.model.types.get_mut(index) {
                ty.params.push(Param { id, value });
            }
        }
        if let Some(known) = self.contexts.get_mut(index) {
            *known = members;
        }
        scope
    }

    fn value_of(&mut self, schema: Schema) -> Value {
        match self.shape(schema, Order::Little) {
            Shape::Number(Number::Float(_), ..) => Value::Float,
            Shape::Number(..) => Value::Integer,
            Shape::Bytes(count) => Value::Bytes(Some(count)),
            Shape::Rest => Value::Bytes(None),
            Shape::Array(..) => Value::List,
            Shape::Type(schema, order) => Value::Type(self.type_of(schema, order)),
        }
    }

    fn of_struct(&mut self, index: usize, of: &Struct, order: Order, scope: &mut Scope) {
        if let Some(magic) = of.magic {
            self.magic(index, "magic", magic);
        }
        self.fields(index, of.fields, of.order.unwrap_or(order), scope);
    }

    fn of_by_hand(&mut self, index: usize, of: &ByHand, order: Order, scope: &mut Scope) {
        let is_code = |field: &Declared| matches!(field.encoding, Encoding::ByHand(_));
        let declared = of.fields.iter().position(is_code).unwrap_or(of.fields.len());
        let (declared, rest) = of.fields.split_at(declared);
        self.fields(index, declared, order, scope);
        let reason = match rest {
            [Declared { encoding: Encoding::ByHand(reason), .. }, ..] if of.reason.is_empty() => reason,
            _ if of.reason.is_empty() => "implemented by hand",
            _ => of.reason,
        };
        let has_rest = !rest.is_empty() || of.fields.is_empty() || !of.parts.is_empty();
        if has_rest && !self.is_open(index) {
            self.opaque(index, "rest", "", reason, None);
        }
        for part in of.parts {
            if let Shape::Type(schema, order) = self.shape(part(), order) {
                self.type_of(schema, order);
            }
        }
    }

    /// Adds fields to a type, up to the first one that extends to the end.
    fn fields(&mut self, index: usize, fields: &[Declared], order: Order, scope: &mut Scope) {
        let mut rest = fields;
        while let Some((field, after)) = rest.split_first() {
            match field.begin {
                Some(begin) if begin.length.is_some() => {
                    let last = rest
                        .iter()
                        .position(|field| field.is_end)
                        .map_or(rest.len(), |at| at.saturating_add(1));
                    let (section, after) = rest.split_at(last.min(rest.len()));
                    self.section(index, &begin, section, order, scope);
                    rest = after;
                }
                begin => {
                    if let Some(tag) = begin.and_then(|begin| begin.tag) {
                        let name = begin.and_then(|begin| begin.name);
                        self.magic(
                            index,
                            &name.map_or("magic".to_owned(), |name| format!("{name}.magic")),
                            tag,
                        );
                    }
                    self.field(index, field, order, scope);
                    rest = after;
                }
            }
            if self.is_open(index) {
                return;
            }
        }
    }

    /// Adds a section: its tag, its length and a type for its fields.
    fn section(
        &mut self,
        index: usize,
        begin: &record::schema::Begin,
        fields: &[Declared],
        order: Order,
        scope: &mut Scope,
    ) {
        let Some((first, (length_name, length))) = fields.first().zip(begin.length) else { return };
        let path = |name: &str| begin.name.map_or(name.to_owned(), |section| format!("{section}.{name}"));
        if let Some(tag) = begin.tag {
            self.magic(index, &path("magic"), tag);
        }
        let Shape::Number(number, order_of_length, _) = self.shape(length(), begin.order.unwrap_or(order))
        else {
            return;
        };
        let length_id = self.unique(index, length_name);
        let kind = Kind::Number(number, order_of_length, None);
        self.push(
            index,
            Field::new(length_id.clone(), path(length_name), "Size of the section in bytes.", kind),
        );
        let name = begin.name.unwrap_or(first.name);
        let part = self.start_part(index, name, "");
        let mut inner = scope.inner();
        let unbegun = Declared { begin: None, ..*first };
        let fields: Vec<Declared> =
            std::iter::once(unbegun).chain(fields.get(1..).unwrap_or_default().iter().copied()).collect();
        self.fields(part, &fields, order, &mut inner);
        let id = self.unique(index, &format!("{name}_section"));
        scope.adopt(&inner, &id);
        self.finish_type(part, &inner);
        let kind = Kind::Section(part, Vec::new(), Expr::name(&length_id));
        self.push(index, Field::new(id, String::new(), "", kind));
    }

    fn magic(&mut self, index: usize, path: &str, bytes: &[u8]) {
        let id = self.unique(index, "magic");
        self.push(index, Field::new(id, path.to_owned(), "", Kind::Magic(bytes.to_vec())));
    }

    /// Adds a part without fields, which extends to the end.
    fn opaque(&mut self, index: usize, id: &str, path: &str, reason: &str, about: Option<&str>) {
        let id = self.unique(index, id);
        let mut field = Field::new(id, path.to_owned(), about.unwrap_or_default(), Kind::Rest);
        self.note_opaque(index, &mut field, reason);
        self.push(index, field);
        self.set_open(index);
    }

    fn note_opaque(&mut self, index: usize, field: &mut Field, reason: &str) {
        field.opaque = Some(reason.to_owned());
        let owner = self.model.name(index).to_owned();
        self.model.opaque.push(Opaque { owner, name: field.id.clone(), reason: reason.to_owned() });
    }

    fn push(&mut self, index: usize, field: Field) {
        if let Some(ty) = self.model.types.get_mut(index) {
            ty.fields.push(field);
        }
    }

    fn set_open(&mut self, index: usize) {
        if let Some(ty) = self.model.types.get_mut(index) {
            ty.is_open = true;
        }
    }

    fn is_open(&self, index: usize) -> bool {
        self.model.types.get(index).is_some_and(|ty| ty.is_open)
    }

    /// Returns a name that no field or parameter of the type has.
    fn unique(&self, index: usize, name: &str) -> String {
        let Some(ty) = self.model.types.get(index) else { return name.to_owned() };
        let is_free = |id: &String| {
            ty.fields.iter().all(|field| field.id != *id) && ty.params.iter().all(|param| param.id != *id)
        };
        let numbered = (2_u32..).map(|number| format!("{name}_{number}"));
        std::iter::once(name.to_owned()).chain(numbered).find(is_free).unwrap_or_default()
    }
}

impl Field {
    pub(crate) fn new(id: String, path: String, about: &str, kind: Kind) -> Self {
        let about = without_links(about);
        Self { id, about, path, kind, repeat: Repeat::Once, when: None, ahead: None, opaque: None }
    }
}

/// Whether a schema is that of a byte.
fn is_byte(item: SchemaOf) -> bool {
    matches!(item(), Schema::Number(Number::Unsigned(1)))
}

/// The only field of a struct that adds nothing to it, and its byte order.
fn transparent(of: &Struct) -> Option<(Schema, Option<Order>)> {
    let [field] = of.fields else { return None };
    let Encoding::Record(schema) = field.encoding else { return None };
    let is_plain = !field.is_segment
        && of.magic.is_none()
        && field.when.is_none()
        && field.with.is_none()
        && field.begin.is_none()
        && field.before.is_empty()
        && field.after.is_empty();
    is_plain.then(|| (schema(), field.order))
}

/// The tag of an enum that consists of it.
fn value_tag(choice: &Choice) -> Option<Schema> {
    let is_value = choice.length.is_none()
        && choice.variants.iter().all(|variant| matches!(variant.body, Body::Fields([])));
    choice.tag.filter(|_| is_value).map(|tag| tag())
}

/// The number with these little-endian bytes.
pub(crate) fn number_of(bytes: &[u8]) -> Option<i64> {
    let is_short = !bytes.is_empty() && bytes.len() <= 8;
    let shifted =
        |sum: i64, byte: &u8| sum.checked_mul(256).and_then(|sum| sum.checked_add(i64::from(*byte)));
    bytes.iter().rev().try_fold(0, shifted).filter(|_| is_short)
}

fn trees_of(fields: &[Declared]) -> Vec<Tree> {
    let of_field = |field: &Declared| {
        let count = match field.encoding {
            Encoding::Counted(_, count) | Encoding::Leaving(_, count) => Some(count),
            _ => None,
        };
        [field.when, field.with, count].into_iter().flatten().map(|expression| expression.tree)
    };
    fields.iter().flat_map(of_field).collect()
}

fn trees_of_choice(choice: &Choice) -> Vec<Tree> {
    let of_variant = |variant: &record::schema::Variant| {
        let mut trees: Vec<Tree> = variant.when.iter().map(|when| when.tree).collect();
        match variant.body {
            Body::Record(_, with) => trees.extend(with.map(|with| with.tree)),
            Body::Fields(fields) => trees.extend(trees_of(fields)),
            Body::Unknown => {}
        }
        trees
    };
    choice.variants.iter().flat_map(of_variant).collect()
}

/// The members of the context that expressions use; `None` for the context itself.
fn used_members(trees: &[Tree]) -> Vec<Option<&'static str>> {
    let mut out = Vec::new();
    trees.iter().for_each(|tree| find_members(tree, &mut out));
    out
}

fn find_members(tree: &Tree, out: &mut Vec<Option<&'static str>>) {
    match tree {
        Tree::Path(["context", rest @ ..]) => {
            let member = rest.first().copied();
            if !out.contains(&member) {
                out.push(member);
            }
        }
        Tree::Binary(left, _, right) => {
            find_members(left, out);
            find_members(right, out);
        }
        Tree::Not(inner) | Tree::Negative(inner) | Tree::CountOnes(inner) => find_members(inner, out),
        Tree::Struct(fields) => fields.iter().for_each(|(_, tree)| find_members(tree, out)),
        _ => {}
    }
}
