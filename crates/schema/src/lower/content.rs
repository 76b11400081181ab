//! Conversion of a field.

use record::Order;
use record::schema::{
    Encoding, End, Expression, Field as Declared, Number, Operator, Schema, SchemaOf, Tree,
};

use super::{Content, Lowering, Scope, Shape, Target, is_byte};
use crate::model::{Expr, Field, Kind, Repeat, Until, Value};

/// The result of a conversion, or why a part is opaque.
type Result<T> = std::result::Result<T, String>;

impl Lowering {
    /// Adds a field, with the numbers around it.
    pub(super) fn field(&mut self, index: usize, field: &Declared, order: Order, scope: &mut Scope) {
        self.stored(index, field.before, order, scope);
        let id = self.unique(index, id_of(field));
        let path = if field.is_segment { field.name } else { "" };
        let when = match field.when.map(|when| self.condition(&when, scope)).transpose() {
            Ok(when) => when,
            Err(reason) => return self.opaque(index, &id, path, &reason, Some(field.about)),
        };
        let order = field.order.unwrap_or(order);
        if let Encoding::Present(bytes) = field.encoding {
            let length = i64::try_from(bytes.len()).unwrap_or_default();
            let mut added =
                Field::new(id.clone(), path.to_owned(), field.about, Kind::Bytes(Expr::Number(length)));
            (added.when, added.ahead) = (when, Some(bytes.to_vec()));
            self.push(index, added);
            scope.add_own(field.name, &Field::presence(&id), Value::Truth, false);
        } else {
            let target = Target { index, id: &id, order, scope };
            match self.content(target, field, when.as_ref()) {
                Ok(content) => {
                    let mut added = Field::new(id.clone(), path.to_owned(), field.about, content.kind);
                    (added.repeat, added.when) = (content.repeat, when);
                    self.push(index, added);
                    if let Encoding::Terminated([_, rest @ ..]) = field.encoding
                        && !rest.is_empty()
                    {
                        let end = self.unique(index, &format!("{id}_end"));
                        self.push(index, Field::new(end, path.to_owned(), "", Kind::Magic(rest.to_vec())));
                    }
                    if content.is_open {
                        self.set_open(index);
                    }
                    scope.add_own(field.name, &id, content.value, content.is_enum);
                }
                Err(reason) => return self.opaque(index, &id, path, &reason, Some(field.about)),
            }
        }
        if !self.is_open(index) {
            self.stored(index, field.after, order, scope);
        }
    }

    fn stored(&mut self, index: usize, stored: &[record::schema::Stored], order: Order, scope: &mut Scope) {
        for number in stored {
            let field = Declared::plain(number.name, "", number.schema);
            self.field(index, &field, order, scope);
        }
    }

    fn content(&mut self, target: Target<'_>, field: &Declared, when: Option<&Expr>) -> Result<Content> {
        let Target { index, id, order, scope } = target;
        let with = field.with.as_ref();
        match field.encoding {
            Encoding::Record(schema) => self.record(target, schema(), with),
            Encoding::Prefixed(item, number) => {
                let Shape::Number(number, order_of_count, _) = self.shape(number(), order) else {
                    return Err("its count is not a number".to_owned());
                };
                let count = self.unique(index, &format!("{id}_count"));
                let path =
                    if field.is_segment { format!("{}.count", field.name) } else { "count".to_owned() };
                let kind = Kind::Number(number, order_of_count, None);
                let mut added = Field::new(count.clone(), path, "", kind);
                added.when = when.cloned();
                self.push(index, added);
                self.list(target, item, Expr::name(&count), with)
            }
            Encoding::Counted(item, count) => {
                let number = self.number(&count.tree, scope).ok_or_else(|| is_code("the count", &count))?;
                self.list(target, item, number, with)
            }
            Encoding::Until(item, end) => self.until(target, item, end, with),
            Encoding::Leaving(item, leave) => {
                let number = self.number(&leave.tree, scope).ok_or_else(|| is_code("the length", &leave))?;
                let left = Expr::Binary(Box::new(Expr::Left), Operator::Subtract, Box::new(number));
                if is_byte(item) {
                    return Ok(Content::once(Kind::Bytes(left), Value::Bytes(None)));
                }
                let content = self.item(target, item(), with)?;
                let size = self.size_of(&content.kind).and_then(|size| i64::try_from(size).ok());
                let size = size.ok_or("the size of the items differs")?;
                let count = Expr::Binary(Box::new(left), Operator::Divide, Box::new(Expr::Number(size)));
                Ok(Content::list(content.kind, Repeat::Count(count)))
            }
            Encoding::Terminated([first, ..]) => {
                Ok(Content::once(Kind::Terminated(*first), Value::Bytes(None)))
            }
            Encoding::ByHand(call) => Err(format!("read by the module `{call}`, which is written by hand")),
            Encoding::Terminated([]) | Encoding::Present(_) => Err("it has no bytes".to_owned()),
        }
    }

    /// A single record.
    pub(super) fn record(
        &mut self,
        target: Target<'_>,
        schema: Schema,
        with: Option<&Expression>,
    ) -> Result<Content> {
        match self.shape(schema, target.order) {
            Shape::Number(number, order, names) => {
                let value = if matches!(number, Number::Float(_)) { Value::Float } else { Value::Integer };
                let mut content = Content::once(Kind::Number(number, order, names), value);
                content.is_enum = names.is_some();
                Ok(content)
            }
            Shape::Bytes(count) => {
                let length = Expr::Number(i64::try_from(count).unwrap_or_default());
                Ok(Content::once(Kind::Bytes(length), Value::Bytes(Some(count))))
            }
            Shape::Rest => {
                let mut content = Content::once(Kind::Rest, Value::Bytes(None));
                content.is_open = true;
                Ok(content)
            }
            Shape::Array(item, count, order) => {
                let content = self.item(Target { order, ..target }, item(), with)?;
                let count = Expr::Number(i64::try_from(count).unwrap_or_default());
                Ok(Content::list(content.kind, Repeat::Count(count)))
            }
            Shape::Type(schema, order) => {
                let ty = self.type_of(schema, order);
                let arguments = self.arguments(ty, with, target.scope)?;
                let mut content = Content::once(Kind::Type(ty, arguments), Value::Type(ty));
                content.is_open = self.is_open(ty);
                Ok(content)
            }
        }
    }

    /// An item of a list. A list of lists gets a type for the inner lists.
    fn item(&mut self, target: Target<'_>, schema: Schema, with: Option<&Expression>) -> Result<Content> {
        let content = if matches!(self.shape(schema, target.order), Shape::Array(..)) {
            let part = self.start_part(target.index, &format!("{}_item", target.id), "");
            let scope = &target.scope.inner();
            let inner = Target { index: part, id: "items", scope, ..target };
            let content = self.record(inner, schema, with)?;
            let mut field = Field::new("items".to_owned(), String::new(), "", content.kind);
            field.repeat = content.repeat;
            self.push(part, field);
            self.finish_type(part, &Scope::default());
            Content::once(Kind::Type(part, Vec::new()), Value::Type(part))
        } else {
            self.record(target, schema, with)?
        };
        if content.is_open {
            return Err("the end of its items is not declared".to_owned());
        }
        Ok(content)
    }

    /// A list with a known number of items.
    fn list(
        &mut self,
        target: Target<'_>,
        item: SchemaOf,
        count: Expr,
        with: Option<&Expression>,
    ) -> Result<Content> {
        if is_byte(item) {
            return Ok(Content::once(Kind::Bytes(count), Value::Bytes(None)));
        }
        let content = self.item(target, item(), with)?;
        Ok(Content::list(content.kind, Repeat::Count(count)))
    }

    /// A list without a length.
    fn until(
        &mut self,
        target: Target<'_>,
        item: SchemaOf,
        end: End,
        with: Option<&Expression>,
    ) -> Result<Content> {
        let (bytes, or_end) = match end {
            End::OfData => {
                let content = self.item(target, item(), with)?;
                return Ok(Content::list(content.kind, Repeat::ToEnd));
            }
            End::Before(bytes) => (bytes, false),
            End::BeforeOrOfData(bytes) => (bytes, true),
            End::Function(call) => {
                return Err(format!("the end of the list is found by the function `{call}`"));
            }
        };
        let part = self.start_part(target.index, &format!("{}_item", target.id), "");
        if let Some(ty) = self.model.types.get_mut(part) {
            ty.until = Some(Until { bytes: bytes.to_vec(), or_end });
        }
        let scope = &target.scope.inner();
        let content = self.item(Target { index: part, id: "item", scope, ..target }, item(), with)?;
        self.push(part, Field::new("item".to_owned(), String::new(), "", content.kind));
        self.finish_type(part, &Scope::default());
        Ok(Content::list(Kind::Type(part, Vec::new()), Repeat::Until))
    }

    /// The arguments for a type: its context, or the members of the context that it uses.
    pub(super) fn arguments(&self, ty: usize, with: Option<&Expression>, scope: &Scope) -> Result<Vec<Expr>> {
        let members = self.contexts.get(ty).cloned().unwrap_or_default();
        let own = Tree::Path(&["context"]);
        let (tree, text) = with.map_or((own, "context"), |with| (with.tree, with.text));
        let argument = |member: &Option<&'static str>| {
            let found = match (member, tree) {
                (None, tree) => self.expr(&tree, scope).map(|(expr, _)| expr),
                (Some(member), Tree::Struct(fields)) => fields
                    .iter()
                    .find(|(name, _)| name == member)
                    .and_then(|(_, tree)| self.expr(tree, scope).map(|(expr, _)| expr)),
                (Some(member), Tree::Path(path)) => {
                    let path = [path, &[*member]].concat();
                    self.place(&path, scope).map(|place| place.expr())
                }
                _ => None,
            };
            found.ok_or_else(|| format!("its layout depends on `{text}`, which is code"))
        };
        members.iter().map(argument).collect()
    }

    /// The size of an item in bytes, if it is always the same.
    pub(super) fn size_of(&self, kind: &Kind) -> Option<u64> {
        match kind {
            Kind::Number(Number::Unsigned(size) | Number::Signed(size) | Number::Float(size), ..) => {
                u64::try_from(*size).ok()
            }
            Kind::Magic(bytes) => u64::try_from(bytes.len()).ok(),
            Kind::Bytes(Expr::Number(count)) => u64::try_from(*count).ok(),
            Kind::Type(index, _) => self.model.types.get(*index).and_then(|ty| ty.size),
            _ => None,
        }
    }

    /// The size of all fields of a type in bytes, if it is always the same.
    pub(super) fn size_of_fields(&self, index: usize) -> Option<u64> {
        let ty = self.model.types.get(index)?;
        ty.fields.iter().try_fold(0_u64, |sum, field| {
            let is_fixed = field.when.is_none() && field.ahead.is_none() && ty.until.is_none();
            let count = match field.repeat {
                Repeat::Once => 1,
                Repeat::Count(Expr::Number(count)) => u64::try_from(count).ok()?,
                _ => return None,
            };
            let size = self.size_of(&field.kind).filter(|_| is_fixed)?;
            sum.checked_add(size.checked_mul(count)?)
        })
    }

    /// A condition, or why it cannot be written.
    pub(super) fn condition(&mut self, when: &Expression, scope: &Scope) -> Result<Expr> {
        self.truth(&when.tree, scope).ok_or_else(|| is_code("its presence", when))
    }
}

/// The name of a field. The only field of a tuple has none of its own.
fn id_of(field: &Declared) -> &'static str {
    match field.name {
        "field_0" if !field.is_segment => "value",
        name => name,
    }
}

impl Field {
    /// The name of the condition that an optional field of fixed bytes is present.
    pub(crate) fn presence(id: &str) -> String {
        format!("{id}_follows")
    }
}

fn is_code(what: &str, expression: &Expression) -> String {
    format!("{what} depends on `{}`, which is code", expression.text)
}
