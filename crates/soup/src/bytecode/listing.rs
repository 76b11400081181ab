//! Listings: statements as JSON, `[offset, opcode, operands]`, and back.

use std::fmt;

use json::{Value as Json, json};

use super::write::number;
use super::{
    Call, Change, Comparison, Condition, Conjunction, Dispatch, Encoding, Formula, Jump, Object,
    ObjectOpcode, Operator, Placed, RightProperty, Script, Statement, Value, Variable,
};

/// An invalid listing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListingError {
    /// The index of the entry.
    pub entry: usize,
    /// The expected value.
    pub expected: &'static str,
}

impl fmt::Display for ListingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "listing[{}]: expected {}", self.entry, self.expected)
    }
}

impl std::error::Error for ListingError {}

impl Script {
    /// Returns each statement as `[offset, opcode, operands]`; invalid bytes are `[offset, null, "hex"]`. Padding other than 0 is the last
    /// element of its value.
    pub fn listing(&self) -> impl Iterator<Item = Json> + '_ {
        self.statements.iter().map(|it| {
            let (opcode, operands) = entry(&it.statement, self.encoding);
            json!([it.at, opcode, operands])
        })
    }

    /// Creates the script of a listing. Ignores the offsets of the entries; keeps jump targets.
    ///
    /// # Errors
    /// Returns an error if an entry is invalid or cannot be stored.
    pub fn from_listing(entries: &[Json], encoding: Encoding, start: u32) -> Result<Self, ListingError> {
        let mut at = 0_u32;
        let mut statements = Vec::new();
        for (index, entry) in entries.iter().enumerate() {
            let wrong = |expected| ListingError { entry: index, expected };
            let statement = from_entry(entry).ok_or(wrong("[offset, opcode, operands] of a statement"))?;
            let size = statement.size(encoding);
            statements.push(Placed { at, statement });
            let size = u32::try_from(size).ok();
            at = size.and_then(|size| at.checked_add(size)).ok_or(wrong("less than 4 GB"))?;
        }
        Ok(Self { statements, encoding, start, length: at })
    }
}

fn entry(statement: &Statement, encoding: Encoding) -> (Json, Json) {
    let with = |opcode: u8, operands: Json| (opcode.into(), operands);
    match statement {
        Statement::Call(dispatch, call) => {
            let (function, arguments) = call_members(call);
            with(dispatch.number(), json!([function, arguments]))
        }
        Statement::ObjectCall(opcode, object, dispatch, call) => {
            let (function, arguments) = call_members(call);
            with(opcode.opcode(), json!([of_object(*object), dispatch.number(), function, arguments]))
        }
        Statement::If { conditions, otherwise } => {
            let conditions: Vec<Json> = conditions.iter().map(|it| of_condition(it, encoding)).collect();
            with(0x03, json!([conditions, otherwise]))
        }
        Statement::Jump(jump, target) => with(jump.opcode(), json!([target])),
        Statement::Assign(variable, formula) => {
            let formula = of_formula(formula);
            match variable {
                Variable::Flag(flag) => with(0x06, json!([flag, formula])),
                Variable::Local(local) => with(0x0a, json!([local, formula])),
                Variable::Property(object, reference) => {
                    with(0x14, json!([of_object(*object), reference, formula]))
                }
            }
        }
        Statement::Step(change, object, reference) => {
            let opcode = if *change == Change::Increment { 0x0f } else { 0x10 };
            with(opcode, json!([of_object(*object), reference]))
        }
        Statement::Return => with(0x12, json!([])),
        Statement::EndInterrupt => with(0x13, json!([])),
        Statement::Anchor(value) => with(0x17, json!([value])),
        Statement::Yield => with(0x18, json!([])),
        Statement::ScriptResult(value) => with(0x1e, json!([value])),
        Statement::Unreadable(bytes) => {
            let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            (Json::Null, hex.into())
        }
    }
}

fn call_members(call: &Call) -> (u16, Vec<Json>) {
    (call.function, call.arguments.iter().map(|it| of_value(it, false)).collect())
}

fn of_object(object: Object) -> Json {
    let with = |name: &str, padding: u8| if padding == 0 { json!([name]) } else { json!([name, padding]) };
    match object {
        Object::Me(padding) => with("me", padding),
        Object::Player(padding) => with("player", padding),
        Object::Camera(padding) => with("camera", padding),
        Object::Named(text) => json!(["str", text]),
        Object::Local(local) => json!(["var", local]),
    }
}

fn of_condition(condition: &Condition, encoding: Encoding) -> Json {
    let next = match condition.next {
        None => 0,
        Some(Conjunction::And) => 1,
        Some(Conjunction::Or) => 2,
    };
    let comparison = number(&Comparison::ALL, condition.comparison);
    let is_property = matches!(condition.right, Value::Variable { variable: Variable::Property(..), .. });
    let has_byte = !is_property || encoding.right_property == RightProperty::UpdateByte;
    json!([of_value(&condition.left, true), comparison, of_value(&condition.right, has_byte), next])
}

fn of_formula(formula: &Formula) -> Json {
    let mut operators: Vec<u8> =
        formula.rest.iter().map(|(it, _)| number(&Operator::ALL, *it).saturating_add(1)).collect();
    operators.push(match formula.end {
        None => 0,
        Some(Change::Increment) => 10,
        Some(Change::Decrement) => 11,
    });
    let values = std::iter::once(&formula.first).chain(formula.rest.iter().map(|(_, value)| value));
    values.zip(operators).map(|(value, operator)| json!([of_value(value, false), operator])).collect()
}

fn of_value(value: &Value, is_compared: bool) -> Json {
    match value {
        Value::Number(number) => json!(["num", number]),
        Value::Alternate(number) => json!(["numalt", number]),
        Value::Text(index) => json!(["str", index]),
        Value::Variable { variable, update, padding } => {
            let mut out = match variable {
                Variable::Flag(flag) => vec![json!("flag"), json!(flag)],
                Variable::Local(local) => vec![json!("var"), json!(local)],
                Variable::Property(object, reference) => {
                    vec![json!("objdot"), of_object(*object), json!(reference)]
                }
            };
            if is_compared {
                out.push(match update {
                    None => json!(0),
                    Some(Change::Increment) => json!(10),
                    Some(Change::Decrement) => json!(11),
                });
            } else if *padding != 0 {
                out.push(json!(padding));
            }
            out.into()
        }
        Value::Call(call) => {
            let (function, arguments) = call_members(call);
            json!(["call", 2, function, arguments])
        }
        Value::ObjectCall(opcode, object, call) => {
            let (function, arguments) = call_members(call);
            json!(["objcall", opcode.opcode(), of_object(*object), function, arguments])
        }
    }
}

/// Reads an integer of a listing.
fn int<T: TryFrom<i64>>(json: &Json) -> Option<T> {
    T::try_from(json.as_i64()?).ok()
}

fn from_entry(json: &Json) -> Option<Statement> {
    let [_, opcode, operands] = json.as_array()?.as_slice() else { return None };
    if opcode.is_null() {
        return Some(Statement::Unreadable(hex(operands.as_str()?)?));
    }
    let opcode: u8 = int(opcode)?;
    let operands = operands.as_array()?.as_slice();
    let jump = Jump::ALL.into_iter().find(|jump| jump.opcode() == opcode);
    Some(match (opcode, operands) {
        (0..=2, [function, arguments]) => {
            Statement::Call(*Dispatch::ALL.get(usize::from(opcode))?, to_call(function, arguments, 0)?)
        }
        (0x19 | 0x1a, [object, kind, function, arguments]) => Statement::ObjectCall(
            to_opcode(opcode)?,
            to_object(object)?,
            *Dispatch::ALL.get(int::<usize>(kind)?)?,
            to_call(function, arguments, 0)?,
        ),
        (0x03, [conditions, otherwise]) => {
            let conditions: Vec<_> =
                conditions.as_array()?.iter().map(to_condition).collect::<Option<_>>()?;
            let (last, others) = conditions.split_last()?;
            let is_chain = last.next.is_none() && others.iter().all(|it| it.next.is_some());
            is_chain.then_some(())?;
            Statement::If { conditions, otherwise: int(otherwise)? }
        }
        (_, [target]) if jump.is_some() => Statement::Jump(jump?, int(target)?),
        (0x06, [flag, formula]) => Statement::Assign(Variable::Flag(int(flag)?), to_formula(formula)?),
        (0x0a, [local, formula]) => Statement::Assign(Variable::Local(int(local)?), to_formula(formula)?),
        (0x14, [object, reference, formula]) => {
            Statement::Assign(Variable::Property(to_object(object)?, int(reference)?), to_formula(formula)?)
        }
        (0x0f, [object, reference]) => {
            Statement::Step(Change::Increment, to_object(object)?, int(reference)?)
        }
        (0x10, [object, reference]) => {
            Statement::Step(Change::Decrement, to_object(object)?, int(reference)?)
        }
        (0x12, []) => Statement::Return,
        (0x13, []) => Statement::EndInterrupt,
        (0x17, [value]) => Statement::Anchor(int(value)?),
        (0x18, []) => Statement::Yield,
        (0x1e, [value]) => Statement::ScriptResult(int(value)?),
        _ => return None,
    })
}

fn hex(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u8> =
        text.chars().map(|it| it.to_digit(16).and_then(|it| u8::try_from(it).ok())).collect::<Option<_>>()?;
    let pairs = digits.chunks(2);
    pairs.map(|pair| if let [high, low] = pair { Some(high << 4 | low) } else { None }).collect()
}

const fn to_opcode(opcode: u8) -> Option<ObjectOpcode> {
    match opcode {
        0x19 => Some(ObjectOpcode::Task),
        0x1a => Some(ObjectOpcode::Function),
        _ => None,
    }
}

fn to_object(json: &Json) -> Option<Object> {
    let (kind, number) = match json.as_array()?.as_slice() {
        [kind] => (kind.as_str()?, None),
        [kind, number] => (kind.as_str()?, Some(int(number)?)),
        _ => return None,
    };
    Some(match kind {
        "me" => Object::Me(number.unwrap_or(0)),
        "player" => Object::Player(number.unwrap_or(0)),
        "camera" => Object::Camera(number.unwrap_or(0)),
        "str" => Object::Named(number?),
        "var" => Object::Local(number?),
        _ => return None,
    })
}

/// The JSON reader limits nesting, but nested calls are counted too.
fn to_call(function: &Json, arguments: &Json, depth: usize) -> Option<Call> {
    let arguments = arguments.as_array()?;
    let function = int(function)?;
    let is_storable = arguments.len() <= 255 && (function != 0 || arguments.is_empty()) && depth < 16;
    is_storable.then_some(())?;
    let arguments = arguments.iter().map(|it| to_value(it, false, depth.saturating_add(1)));
    Some(Call { function, arguments: arguments.collect::<Option<_>>()? })
}

fn to_condition(json: &Json) -> Option<Condition> {
    let [left, comparison, right, next] = json.as_array()?.as_slice() else { return None };
    Some(Condition {
        left: to_value(left, true, 0)?,
        comparison: *Comparison::ALL.get(int::<usize>(comparison)?)?,
        right: to_value(right, true, 0)?,
        next: match int::<u8>(next)? {
            0 => None,
            1 => Some(Conjunction::And),
            2 => Some(Conjunction::Or),
            _ => return None,
        },
    })
}

fn to_formula(json: &Json) -> Option<Formula> {
    let steps = json.as_array()?.iter().map(|step| match step.as_array()?.as_slice() {
        [value, operator] => Some((to_value(value, false, 0)?, int::<usize>(operator)?)),
        _ => None,
    });
    let steps: Vec<(Value, usize)> = steps.collect::<Option<_>>()?;
    let (_, last) = steps.last()?;
    let end = match last {
        0 => None,
        10 => Some(Change::Increment),
        11 => Some(Change::Decrement),
        _ => return None,
    };
    let operators: Vec<Operator> = steps
        .iter()
        .take(steps.len().saturating_sub(1))
        .map(|(_, number)| Operator::ALL.get(number.checked_sub(1)?).copied())
        .collect::<Option<_>>()?;
    let mut values = steps.into_iter().map(|(value, _)| value);
    let first = values.next()?;
    Some(Formula { first, rest: operators.into_iter().zip(values).collect(), end })
}

fn to_value(json: &Json, is_compared: bool, depth: usize) -> Option<Value> {
    let items = json.as_array()?.as_slice();
    let (kind, items) = items.split_first()?;
    let variable = |variable: Variable, extra: Option<&Json>| {
        let extra: u32 = extra.map_or(Some(0), int)?;
        let update = match extra {
            10 if is_compared => Some(Change::Increment),
            11 if is_compared => Some(Change::Decrement),
            0 => None,
            _ if is_compared => return None,
            _ => None,
        };
        Some(Value::Variable { variable, update, padding: if is_compared { 0 } else { extra } })
    };
    match (kind.as_str()?, items) {
        ("num", [number]) => Some(Value::Number(int(number)?)),
        ("numalt", [number]) => Some(Value::Alternate(int(number)?)),
        ("str", [index]) => Some(Value::Text(int(index)?)),
        ("flag", [flag, extra @ ..]) => variable(Variable::Flag(int(flag)?), extra.first()),
        ("var", [local, extra @ ..]) => variable(Variable::Local(int(local)?), extra.first()),
        ("objdot", [object, reference, extra @ ..]) => {
            variable(Variable::Property(to_object(object)?, int(reference)?), extra.first())
        }
        ("call", [opcode, function, arguments]) => {
            (int::<u8>(opcode)? == 2).then_some(())?;
            Some(Value::Call(to_call(function, arguments, depth)?))
        }
        ("objcall", [opcode, object, function, arguments]) => Some(Value::ObjectCall(
            to_opcode(int(opcode)?)?,
            to_object(object)?,
            to_call(function, arguments, depth)?,
        )),
        _ => None,
    }
}
