//! Writes statements as bytes.

use super::{
    Call, Change, Comparison, Condition, Conjunction, Encoding, Formula, Object, Operands, Operator,
    RightProperty, Script, Statement, Value, Variable,
};

/// The context of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Left,
    Right,
    Argument,
    Formula,
}

impl Script {
    /// Returns the bytes. A script that was read returns its original bytes.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let mut writer = Writer { out: Vec::new(), encoding: self.encoding };
        self.statements.iter().for_each(|it| writer.statement(&it.statement));
        writer.out
    }
}

impl Statement {
    /// Returns its bytes.
    #[must_use]
    pub fn bytes(&self, encoding: Encoding) -> Vec<u8> {
        let mut writer = Writer { out: Vec::new(), encoding };
        writer.statement(self);
        writer.out
    }

    /// Returns its length in bytes.
    #[must_use]
    pub fn size(&self, encoding: Encoding) -> usize {
        match self {
            Self::Unreadable(bytes) => bytes.len(),
            Self::Jump(..) => 5,
            Self::Return | Self::EndInterrupt | Self::Yield => 1,
            Self::Anchor(_) | Self::ScriptResult(_) => 2,
            _ => self.bytes(encoding).len(),
        }
    }
}

struct Writer {
    out: Vec<u8>,
    encoding: Encoding,
}

impl Writer {
    fn put(&mut self, bytes: &[u8]) {
        self.out.extend_from_slice(bytes);
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Call(dispatch, call) => {
                self.put(&[dispatch.number()]);
                self.call(call);
            }
            Statement::ObjectCall(opcode, object, dispatch, call) => {
                self.put(&[opcode.opcode()]);
                self.object(*object);
                self.put(&[dispatch.number()]);
                self.call(call);
            }
            Statement::If { conditions, otherwise } => {
                self.put(&[0x03]);
                conditions.iter().for_each(|condition| self.condition(condition));
                self.put(&otherwise.to_le_bytes());
            }
            Statement::Jump(jump, target) => {
                self.put(&[jump.opcode()]);
                self.put(&target.to_le_bytes());
            }
            Statement::Assign(variable, formula) => {
                self.variable(*variable);
                self.formula(formula);
            }
            Statement::Step(change, object, reference) => {
                self.put(&[match change {
                    Change::Increment => 0x0f,
                    Change::Decrement => 0x10,
                }]);
                self.object(*object);
                self.put(&reference.to_le_bytes());
            }
            Statement::Return => self.put(&[0x12]),
            Statement::EndInterrupt => self.put(&[0x13]),
            Statement::Anchor(value) => self.put(&[0x17, *value]),
            Statement::Yield => self.put(&[0x18]),
            Statement::ScriptResult(value) => self.put(&[0x1e, *value]),
            Statement::Unreadable(bytes) => self.put(bytes),
        }
    }

    fn condition(&mut self, condition: &Condition) {
        self.value(&condition.left, Mode::Left);
        self.put(&[number(&Comparison::ALL, condition.comparison)]);
        self.value(&condition.right, Mode::Right);
        self.put(&[match condition.next {
            None => 0,
            Some(Conjunction::And) => 1,
            Some(Conjunction::Or) => 2,
        }]);
    }

    fn formula(&mut self, formula: &Formula) {
        self.value(&formula.first, Mode::Formula);
        for (operator, value) in &formula.rest {
            self.put(&[number(&Operator::ALL, *operator).saturating_add(1)]);
            self.value(value, Mode::Formula);
        }
        match formula.end {
            None => self.put(&[0]),
            Some(Change::Increment) => self.put(&[10, 0]),
            Some(Change::Decrement) => self.put(&[11, 0]),
        }
    }

    fn object(&mut self, object: Object) {
        self.put(&match object {
            Object::Me(padding) => [0, padding],
            Object::Player(padding) => [1, padding],
            Object::Camera(padding) => [2, padding],
            Object::Named(text) => [4, text],
            Object::Local(local) => [0x0a, local],
        });
    }

    fn call(&mut self, call: &Call) {
        self.put(&call.function.to_le_bytes());
        if call.function == 0 {
            return;
        }
        self.put(&[u8::try_from(call.arguments.len()).unwrap_or(u8::MAX)]);
        call.arguments.iter().take(255).for_each(|value| self.value(value, Mode::Argument));
    }

    fn variable(&mut self, variable: Variable) {
        match variable {
            Variable::Flag(flag) => {
                self.put(&[0x06]);
                self.put(&flag.to_le_bytes());
            }
            Variable::Local(local) => self.put(&[0x0a, local]),
            Variable::Property(object, reference) => {
                self.put(&[0x14]);
                self.object(object);
                self.put(&reference.to_le_bytes());
            }
        }
    }

    fn value(&mut self, value: &Value, mode: Mode) {
        match value {
            Value::Number(number) => {
                self.put(&[0x07]);
                self.put(&number.to_le_bytes());
            }
            Value::Alternate(number) => {
                self.put(&[0x16]);
                self.put(&number.to_le_bytes());
            }
            Value::Text(index) => {
                self.put(&[0x15]);
                self.put(&index.to_le_bytes());
            }
            Value::Variable { variable, update, padding } => {
                self.variable(*variable);
                let is_property = matches!(variable, Variable::Property(..));
                let is_with_byte = self.encoding.right_property == RightProperty::UpdateByte;
                match mode {
                    Mode::Left => self.update(*update),
                    Mode::Right if !is_property || is_with_byte => self.update(*update),
                    Mode::Argument if !is_property => {
                        let [a, b, c, _] = padding.to_le_bytes();
                        match variable {
                            Variable::Flag(_) => self.put(&[a, b]),
                            _ => self.put(&[a, b, c]),
                        }
                    }
                    Mode::Right | Mode::Argument | Mode::Formula => {}
                }
            }
            Value::Call(call) => {
                self.put(&[0x02]);
                self.call(call);
            }
            Value::ObjectCall(opcode, object, call) => {
                self.put(&[opcode.opcode()]);
                self.object(*object);
                self.call(call);
            }
        }
    }

    fn update(&mut self, update: Option<Change>) {
        let byte = match update {
            None => return self.put(&[0]),
            Some(Change::Increment) => 10,
            Some(Change::Decrement) => 11,
        };
        self.put(&[byte]);
        if self.encoding.operands == Operands::ModManager {
            self.put(&[0]);
        }
    }
}

/// Returns the index of an item in a list of all items.
pub(super) fn number<T: PartialEq + Copy>(all: &[T], one: T) -> u8 {
    all.iter().position(|it| *it == one).and_then(|it| u8::try_from(it).ok()).unwrap_or_default()
}
