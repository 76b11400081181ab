//! Conversion of an enum: its tag, its length, and a conditional field for each variant.

use record::Order;
use record::schema::{Body, Choice, Operator, Schema, Variant};

use super::{Lowering, Scope, Shape, Target, number_of};
use crate::model::{Expr, Field, Kind, Repeat, Value};
use crate::name::{snake, without_links};

/// The stored tag.
struct Tag {
    /// Its value: a number or bytes.
    value: Expr,
    is_number: bool,
    /// Number of bytes of a constant before the compared ones: those of the length of a string.
    skip: usize,
}

impl Lowering {
    pub(super) fn of_choice(&mut self, index: usize, of: &Choice, order: Order, scope: &mut Scope) {
        let order = of.order.unwrap_or(order);
        if let Some(ahead) = of.ahead
            && let Ok(content) = self.record(Target { index, id: "ahead", order, scope }, ahead(), None)
        {
            scope.add_own("ahead", "ahead", content.value, content.is_enum);
            if let Some(ty) = self.model.types.get_mut(index) {
                ty.ahead = Some(content.kind);
            }
        }
        let tag = of.tag.map(|tag| self.tag(index, of, tag(), order, scope));
        let length = match of.length {
            Some((length, own_order)) => self.length(index, length(), own_order.unwrap_or(order), scope),
            None => None,
        };
        let mut earlier: Vec<Expr> = Vec::new();
        let mut is_open = false;
        // The variant that takes everything else is the last one that is tried.
        let is_default = |variant: &&Variant| variant.when.is_none() && variant.tag.is_none();
        let (others, defaults): (Vec<_>, Vec<_>) =
            of.variants.iter().partition(|variant| !is_default(variant));
        for variant in others.into_iter().chain(defaults) {
            let condition = match self.selects(variant, tag.as_ref(), &earlier, scope) {
                Ok(condition) => condition,
                Err(reason) => {
                    self.opaque_variant(index, variant, length.as_ref(), &reason);
                    is_open |= length.is_none();
                    break;
                }
            };
            let id = self.unique(index, &snake(variant.name));
            let target = Target { index, id: &id, order, scope };
            let path = of.body.unwrap_or_default();
            is_open |= self.variant(target, path, variant, condition.as_ref(), length.as_ref());
            earlier.extend(condition);
        }
        if is_open {
            self.set_open(index);
        }
    }

    fn tag(&mut self, index: usize, of: &Choice, schema: Schema, order: Order, scope: &mut Scope) -> Tag {
        let id = self.unique(index, "tag");
        let content = self.record(Target { index, id: &id, order, scope }, schema, None);
        let mut tag = Tag { value: Expr::name(&id), is_number: false, skip: 0 };
        let Ok(content) = content else { return tag };
        let mut kind = content.kind;
        match &mut kind {
            Kind::Number(number, _, names) => {
                let known = self.enum_of(of, *number, "_tag");
                *names = Some(known);
                tag.is_number = true;
                tag.value = Expr::Path { ups: 0, path: vec![id.clone()], is_enum: true };
            }
            Kind::Type(ty, _) => {
                if let Some((skip, name)) = self.string(*ty) {
                    tag.skip = skip;
                    tag.value = Expr::Path { ups: 0, path: vec![id.clone(), name], is_enum: false };
                }
            }
            _ => {}
        }
        self.push(index, Field::new(id, "tag".to_owned(), "", kind));
        tag
    }

    /// Adds the length of the body.
    fn length(&mut self, index: usize, schema: Schema, order: Order, scope: &mut Scope) -> Option<Expr> {
        let Shape::Number(number, order, _) = self.shape(schema, order) else { return None };
        let id = self.unique(index, "length");
        let kind = Kind::Number(number, order, None);
        self.push(index, Field::new(id.clone(), "length".to_owned(), "Size of the body in bytes.", kind));
        scope.add_own("length", &id, Value::Integer, false);
        Some(Expr::name(&id))
    }

    /// The condition that selects a variant; `None` for the only one.
    fn selects(
        &mut self,
        variant: &Variant,
        tag: Option<&Tag>,
        earlier: &[Expr],
        scope: &Scope,
    ) -> Result<Option<Expr>, String> {
        let is_tag = match (tag, variant.tag) {
            (Some(tag), Some(value)) => {
                let bytes = value();
                let bytes = bytes.get(tag.skip..).unwrap_or_default();
                let value = Box::new(tag.value.clone());
                Some(if tag.is_number {
                    let number = number_of(bytes).ok_or("its tag has no value")?;
                    Expr::Binary(value, Operator::Equal, Box::new(Expr::Number(number)))
                } else {
                    Expr::Bytes(value, Operator::Equal, bytes.to_vec())
                })
            }
            _ => None,
        };
        let when = match variant.when {
            // A condition on the content of a tagged body only finds damage.
            Some(when) if is_tag.is_some() => self.necessary(&when.tree, scope),
            Some(when) => Some(self.condition(&when, scope)?),
            None => None,
        };
        let is_exclusive = is_tag.is_some();
        let own = match (is_tag, when) {
            (Some(tag), Some(when)) => Some(tag.and(when)),
            (tag, when) => tag.or(when),
        };
        // The tags of variants differ.
        let none = earlier.iter().filter(|_| !is_exclusive).cloned().map(|other| Expr::Not(Box::new(other)));
        Ok(none.chain(own).reduce(Expr::and))
    }

    /// Adds the field of a variant. Returns whether it extends to the end.
    fn variant(
        &mut self,
        target: Target<'_>,
        path: &str,
        variant: &Variant,
        condition: Option<&Expr>,
        length: Option<&Expr>,
    ) -> bool {
        let Target { index, id, order, scope } = target;
        let mut added = Field::new(id.to_owned(), path.to_owned(), variant.about, Kind::Rest);
        added.when = condition.cloned();
        let mut is_open = false;
        match variant.body {
            Body::Fields([]) => return false,
            Body::Unknown => {}
            Body::Record(schema, with) => match self.record(target, schema(), with.as_ref()) {
                Ok(content) => {
                    is_open = content.is_open;
                    (added.kind, added.repeat) = (content.kind, content.repeat);
                }
                Err(reason) => {
                    is_open = true;
                    self.note_opaque(index, &mut added, &reason);
                }
            },
            Body::Fields(fields) => {
                let part = self.start_part(index, &snake(variant.name), &without_links(variant.about));
                let mut inner = scope.inner();
                self.fields(part, fields, order, &mut inner);
                self.finish_type(part, &inner);
                is_open = self.is_open(part);
                added.kind = Kind::Type(part, Vec::new());
            }
        }
        if let Some(length) = length {
            added.kind = match added.kind {
                Kind::Type(part, arguments) if matches!(added.repeat, Repeat::Once) => {
                    Kind::Section(part, arguments, length.clone())
                }
                Kind::Rest => Kind::Bytes(length.clone()),
                kind => kind,
            };
            is_open = false;
        }
        self.push(index, added);
        is_open
    }

    /// Adds all further variants as bytes.
    fn opaque_variant(&mut self, index: usize, variant: &Variant, length: Option<&Expr>, reason: &str) {
        let id = self.unique(index, "body");
        let kind = length.map_or(Kind::Rest, |length| Kind::Bytes(length.clone()));
        let mut field = Field::new(id, String::new(), variant.about, kind);
        self.note_opaque(index, &mut field, reason);
        self.push(index, field);
    }
}
