//! Conversion of expressions.

use record::schema::{Constant, Number, Operator, Tree};

use crate::lower::{Lowering, Place, Scope, number_of};
use crate::model::{Expr, Kind, Value};

impl Lowering {
    /// If a type is a string with its length before it: the size of the length, and the name of the text.
    pub(crate) fn string(&self, ty: usize) -> Option<(usize, String)> {
        match self.model.types.get(ty)?.fields.as_slice() {
            [length, text] => match (&length.kind, &text.kind) {
                (
                    Kind::Number(Number::Unsigned(size) | Number::Signed(size), ..),
                    Kind::Bytes(Expr::Path { .. }),
                ) => Some((*size, text.id.clone())),
                _ => None,
            },
            _ => None,
        }
    }

    /// The location of a path such as `header.count`.
    pub(crate) fn place(&self, path: &[&str], scope: &Scope) -> Option<Place> {
        let (first, rest) = path.split_first()?;
        let (mut place, mut rest) = match (scope.find(first), rest.split_first()) {
            (Some(place), _) => (place.clone(), rest),
            // A member of a context that is not a record.
            (None, Some((second, rest))) => (scope.find(&format!("{first}.{second}"))?.clone(), rest),
            (None, None) => return None,
        };
        while let Some((name, after)) = rest.split_first() {
            match place.value {
                Value::Type(ty) => {
                    let member = self.members.get(ty)?.find(name)?;
                    place.path.extend(member.path.iter().cloned());
                    (place.value, place.is_enum) = (member.value, member.is_enum);
                }
                // The only field of a type that adds nothing to it.
                _ if *name == "0" => {}
                _ => return None,
            }
            rest = after;
        }
        Some(place)
    }

    /// An expression; `None` if it contains code.
    pub(crate) fn expr(&self, tree: &Tree, scope: &Scope) -> Option<(Expr, Value)> {
        Some(match tree {
            Tree::Number(number) => (Expr::Number(*number), Value::Integer),
            Tree::Path(path) => {
                let place = self.place(path, scope)?;
                (place.expr(), place.value)
            }
            Tree::Constant(text, value) => (Expr::Number(self.constant(text, &value())?), Value::Integer),
            Tree::Binary(left, operator, right) => return self.binary(left, *operator, right, scope),
            Tree::Not(inner) => (Expr::Not(Box::new(self.truth(inner, scope)?)), Value::Truth),
            Tree::Negative(inner) => (Expr::Negative(Box::new(self.number(inner, scope)?)), Value::Integer),
            Tree::CountOnes(inner) => (Expr::CountOnes(Box::new(self.number(inner, scope)?)), Value::Integer),
            _ => return None,
        })
    }

    fn constant(&self, text: &'static str, value: &Constant) -> Option<i64> {
        match value {
            Constant::Number(number) => i64::try_from(*number).ok(),
            Constant::Stored(bytes) => number_of(bytes),
            // Only compared with constants of the same type, so any distinct numbers will do.
            Constant::Other => Some(symbol(text)),
        }
    }

    /// A number; `None` if it is not one, or contains code.
    pub(crate) fn number(&self, tree: &Tree, scope: &Scope) -> Option<Expr> {
        self.expr(tree, scope).filter(|(_, value)| *value == Value::Integer).map(|(expr, _)| expr)
    }

    /// A condition; `None` if it is not one, or contains code.
    pub(crate) fn truth(&self, tree: &Tree, scope: &Scope) -> Option<Expr> {
        match self.expr(tree, scope)? {
            (expr, Value::Truth) => Some(expr),
            (expr, Value::Integer) => {
                Some(Expr::Binary(Box::new(expr), Operator::NotEqual, Box::new(Expr::Number(0))))
            }
            _ => None,
        }
    }

    /// The part of a condition without code.
    pub(crate) fn necessary(&self, tree: &Tree, scope: &Scope) -> Option<Expr> {
        match tree {
            Tree::Binary(left, Operator::Both, right) => {
                let (left, right) = (self.necessary(left, scope), self.necessary(right, scope));
                left.into_iter().chain(right).reduce(Expr::and)
            }
            _ => self.truth(tree, scope),
        }
    }

    fn binary(&self, left: &Tree, operator: Operator, right: &Tree, scope: &Scope) -> Option<(Expr, Value)> {
        let is_condition = matches!(operator, Operator::Both | Operator::Either);
        if is_condition {
            let (left, right) = (self.truth(left, scope)?, self.truth(right, scope)?);
            return Some((Expr::Binary(Box::new(left), operator, Box::new(right)), Value::Truth));
        }
        let is_comparison = matches!(
            operator,
            Operator::Equal
                | Operator::NotEqual
                | Operator::Less
                | Operator::LessOrEqual
                | Operator::Greater
                | Operator::GreaterOrEqual
        );
        let (value, kind) = self.expr(left, scope)?;
        if let (true, Value::Bytes(_), Tree::Constant(_, constant)) = (is_comparison, kind, right)
            && let Constant::Stored(bytes) = constant()
        {
            return Some((Expr::Bytes(Box::new(value), operator, bytes), Value::Truth));
        }
        if let (true, Value::Type(ty), Tree::Constant(_, constant), Expr::Path { ups, path, .. }) =
            (is_comparison, kind, right, &value)
            && let (Some((skip, name)), Constant::Stored(bytes)) = (self.string(ty), constant())
        {
            let path = path.iter().cloned().chain([name]).collect();
            let value = Expr::Path { ups: *ups, path, is_enum: false };
            let bytes = bytes.get(skip..)?.to_vec();
            return Some((Expr::Bytes(Box::new(value), operator, bytes), Value::Truth));
        }
        let right = self.number(right, scope)?;
        if kind != Value::Integer {
            return None;
        }
        let value = Expr::Binary(Box::new(value), operator, Box::new(right));
        Some((value, if is_comparison { Value::Truth } else { Value::Integer }))
    }
}

/// A number for a constant that is neither a number nor a record: a hash of its name (FNV-1a), reduced to 15 bits.
fn symbol(text: &str) -> i64 {
    let hash =
        text.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    i64::from(hash & 0x7fff)
}
