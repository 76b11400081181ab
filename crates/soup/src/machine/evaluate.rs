//! Evaluates values, conditions and formulas.

use super::Machine;
use super::fault::{FaultCode, Stage};
use super::run::{Frame, Texts};
use super::world::{CallKind, Invocation, ObjectName, World};
use crate::bytecode::{
    Call, Change, Comparison, Condition, Conjunction, Formula, Object, Operator, Value, Variable,
};

/// The context of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// In a condition or a formula.
    Operand,
    /// In the arguments of a call.
    Argument,
}

impl Machine {
    /// Evaluates conditions for an actor as if its script had reached them, including their calls. Returns whether they hold.
    ///
    /// # Errors
    /// Returns the fault that would stop the script.
    pub fn test(
        &mut self,
        actor: usize,
        conditions: &[Condition],
        world: &mut dyn World,
    ) -> Result<bool, FaultCode> {
        self.state.source = actor;
        let source = self.source();
        let texts = Texts { own: &source.texts, starter: &[] };
        self.holds(
            conditions,
            Frame { caller: actor, actor, stage: Stage::Main, at: 0, texts: &texts },
            world,
        )
    }

    /// Evaluates one side of a condition for an actor as if its script had reached it, including its calls.
    ///
    /// # Errors
    /// Returns the fault that would stop the script.
    pub fn evaluate(&mut self, actor: usize, value: &Value, world: &mut dyn World) -> Result<i32, FaultCode> {
        self.state.source = actor;
        let source = self.source();
        let texts = Texts { own: &source.texts, starter: &[] };
        let frame = Frame { caller: actor, actor, stage: Stage::Main, at: 0, texts: &texts };
        self.value(value, frame, Mode::Operand, world)
    }

    /// Returns whether conditions hold. All of them are evaluated on both sides and combined from left to right.
    #[inline]
    pub(super) fn holds(
        &mut self,
        conditions: &[Condition],
        frame: Frame<'_>,
        world: &mut dyn World,
    ) -> Result<bool, FaultCode> {
        let mut holds = true;
        let mut join = Some(Conjunction::And);
        for condition in conditions {
            let left = self.value(&condition.left, frame, Mode::Operand, world)?;
            let right = self.value(&condition.right, frame, Mode::Operand, world)?;
            let is_so = compare(condition.comparison, left, right);
            holds = match join {
                Some(Conjunction::Or) => holds | is_so,
                Some(Conjunction::And) | None => holds & is_so,
            };
            join = condition.next;
        }
        Ok(holds)
    }

    /// Returns the value of a formula.
    #[inline]
    pub(super) fn formula(
        &mut self,
        formula: &Formula,
        frame: Frame<'_>,
        world: &mut dyn World,
    ) -> Result<i32, FaultCode> {
        let mut number = self.value(&formula.first, frame, Mode::Operand, world)?;
        for (operator, value) in &formula.rest {
            let other = self.value(value, frame, Mode::Operand, world)?;
            number = apply(*operator, number, other)?;
        }
        Ok(number)
    }

    /// Returns a value. The most common kinds are evaluated inline; the others in a separate function.
    #[inline(always)]
    fn value(
        &mut self,
        value: &Value,
        frame: Frame<'_>,
        mode: Mode,
        world: &mut dyn World,
    ) -> Result<i32, FaultCode> {
        match value {
            Value::Number(number) => Ok(*number),
            Value::Variable { variable: Variable::Local(number), update: None, .. } => {
                self.local(*number, frame.actor)
            }
            Value::Variable { variable: Variable::Flag(number), update: None, .. } => self.flag(*number),
            _ => self.other_value(value, frame, mode, world),
        }
    }

    #[inline(never)]
    fn other_value(
        &mut self,
        value: &Value,
        frame: Frame<'_>,
        mode: Mode,
        world: &mut dyn World,
    ) -> Result<i32, FaultCode> {
        match value {
            Value::Number(number) => Ok(*number),
            Value::Alternate(number) if mode == Mode::Argument => Ok(number & 0xffff),
            Value::Alternate(number) => Ok(*number),
            Value::Text(number) => text_number(*number, frame, mode),
            Value::Variable { variable, update: None, .. } => self.read(*variable, frame, world),
            Value::Variable { variable, update: Some(change), .. } => {
                self.step(*variable, *change, frame, world)
            }
            Value::Call(call) => {
                self.call(call, frame.caller, ObjectName::Me, CallKind::Function, frame, world)
            }
            Value::ObjectCall(_, object, call) => self.object_call(*object, call, frame, world),
        }
    }

    /// Returns the name of an object in a statement.
    #[inline]
    pub(super) fn named<'p>(&self, object: Object, frame: Frame<'p>) -> Result<ObjectName<'p>, FaultCode> {
        Ok(match object {
            Object::Me(_) => ObjectName::Me,
            Object::Player(_) => ObjectName::Player,
            Object::Camera(_) => ObjectName::Camera,
            Object::Named(number) => ObjectName::Named(frame.texts.get(number.into())?),
            Object::Local(number) => ObjectName::Id(self.local(number, frame.actor)?),
        })
    }

    /// Returns the number of an object.
    pub(super) fn object(
        &mut self,
        object: Object,
        frame: Frame<'_>,
        world: &mut dyn World,
    ) -> Result<usize, FaultCode> {
        if matches!(object, Object::Me(_)) {
            return Ok(frame.actor);
        }
        let named = self.named(object, frame)?;
        world.object(named, &mut self.state)
    }

    #[inline]
    fn flag(&self, number: u16) -> Result<i32, FaultCode> {
        let flag = self.state.flags.get(usize::from(number));
        flag.map(|it| it.value).ok_or(FaultCode::BadFlagIndex)
    }

    #[inline]
    fn local(&self, number: u8, actor: usize) -> Result<i32, FaultCode> {
        let local = self.state.actors.get(actor).and_then(|it| it.locals.get(usize::from(number)));
        local.copied().ok_or(FaultCode::BadVariableIndex)
    }

    #[inline]
    fn read(
        &mut self,
        variable: Variable,
        frame: Frame<'_>,
        world: &mut dyn World,
    ) -> Result<i32, FaultCode> {
        match variable {
            Variable::Flag(number) => self.flag(number),
            Variable::Local(number) => self.local(number, frame.actor),
            Variable::Property(object, reference) => {
                let width = self.declarations.width(reference).ok_or(FaultCode::BadReference)?;
                let actor = self.object(object, frame, world)?;
                Ok(width.stored(world.property(actor, reference, &mut self.state)))
            }
        }
    }

    /// Changes a variable.
    #[inline]
    pub(super) fn assign(
        &mut self,
        variable: Variable,
        value: i32,
        frame: Frame<'_>,
        world: &mut dyn World,
    ) -> Result<(), FaultCode> {
        match variable {
            Variable::Flag(number) => {
                let flag = self.state.flags.get_mut(usize::from(number));
                flag.ok_or(FaultCode::BadFlagIndex)?.value = value;
            }
            Variable::Local(number) => {
                let actor = self.state.actors.get_mut(frame.actor);
                let local = actor.and_then(|it| it.locals.get_mut(usize::from(number)));
                *local.ok_or(FaultCode::BadVariableIndex)? = value;
            }
            Variable::Property(object, reference) => {
                let width = self.declarations.width(reference).ok_or(FaultCode::BadReference)?;
                let actor = self.object(object, frame, world)?;
                world.set_property(actor, reference, width.stored(value), &mut self.state);
            }
        }
        Ok(())
    }

    /// Increments or decrements a variable and returns the new value.
    pub(super) fn step(
        &mut self,
        variable: Variable,
        change: Change,
        frame: Frame<'_>,
        world: &mut dyn World,
    ) -> Result<i32, FaultCode> {
        let by = if change == Change::Increment { 1 } else { -1 };
        let value = self.read(variable, frame, world)?.wrapping_add(by);
        self.assign(variable, value, frame, world)?;
        Ok(value)
    }

    fn object_call(
        &mut self,
        object: Object,
        call: &Call,
        frame: Frame<'_>,
        world: &mut dyn World,
    ) -> Result<i32, FaultCode> {
        let named = self.named(object, frame)?;
        let actor = self.object(object, frame, world)?;
        self.call(call, actor, named, CallKind::Function, frame, world)
    }

    /// Calls a function once on an object.
    pub(super) fn call(
        &mut self,
        call: &Call,
        actor: usize,
        object: ObjectName<'_>,
        kind: CallKind,
        frame: Frame<'_>,
        world: &mut dyn World,
    ) -> Result<i32, FaultCode> {
        let elapsed = matches!(kind, CallKind::Task | CallKind::Multitask).then_some(0);
        self.invoke(call, actor, object, kind, frame, (elapsed, [0; 4]), world).map(|(result, _)| result)
    }

    /// Calls a function with the words of a task. The arguments are evaluated from last to first, for the called object.
    #[expect(clippy::too_many_arguments, reason = "all that a call consists of")]
    pub(super) fn invoke(
        &mut self,
        call: &Call,
        actor: usize,
        object: ObjectName<'_>,
        kind: CallKind,
        frame: Frame<'_>,
        (elapsed, scratch): (Option<i32>, [i32; 4]),
        world: &mut dyn World,
    ) -> Result<(i32, [i32; 4]), FaultCode> {
        let mut parameters = std::mem::take(&mut self.arguments);
        parameters.clear();
        parameters.resize(call.arguments.len(), 0);
        let receiver_frame = Frame { actor, ..frame };
        for (parameter, argument) in parameters.iter_mut().zip(&call.arguments).rev() {
            *parameter = self.value(argument, receiver_frame, Mode::Argument, world)?;
        }
        let mut invocation = Invocation {
            caller: frame.caller,
            actor,
            object,
            function: call.function,
            kind,
            stage: frame.stage,
            at: frame.at,
            parameters: &parameters,
            elapsed,
            scratch,
        };
        let answer = world.call(&mut invocation, &mut self.state, &self.declarations)?;
        let native = self.declarations.natives.get(usize::from(call.function)).copied().flatten();
        let result = match (answer, native) {
            (Some(answer), _) => answer,
            (None, Some(native)) => native.run(&invocation, &mut self.state)?,
            (None, None) if call.function == 0 => 0,
            (None, None) => world.fallback(&invocation, &mut self.state),
        };
        self.trace.record(self.state.update, &invocation, result);
        let scratch = invocation.scratch;
        self.arguments = parameters;
        Ok((result, scratch))
    }
}

/// Returns a text as a number, or a fault if it does not exist. In arguments, only the low byte is used.
fn text_number(number: u32, frame: Frame<'_>, mode: Mode) -> Result<i32, FaultCode> {
    let number = if mode == Mode::Argument { number & 0xff } else { number };
    frame.texts.get(number)?;
    i32::try_from(number).map_err(|_| FaultCode::BadStringIndex)
}

#[inline]
const fn compare(comparison: Comparison, left: i32, right: i32) -> bool {
    match comparison {
        Comparison::Equal => left == right,
        Comparison::NotEqual => left != right,
        Comparison::Less => left < right,
        Comparison::Greater => left > right,
        Comparison::LessOrEqual => left <= right,
        Comparison::GreaterOrEqual => left >= right,
    }
}

/// Applies an operator to 32-bit numbers with wrapping. Division is unsigned, and a shift to the right is arithmetic.
#[inline]
fn apply(operator: Operator, left: i32, right: i32) -> Result<i32, FaultCode> {
    Ok(match operator {
        Operator::Add => left.wrapping_add(right),
        Operator::Subtract => left.wrapping_sub(right),
        Operator::Multiply => left.wrapping_mul(right),
        Operator::Divide => {
            let quotient = left.cast_unsigned().checked_div(right.cast_unsigned());
            quotient.ok_or(FaultCode::DivByZero)?.cast_signed()
        }
        Operator::ShiftLeft => left.wrapping_shl(right.cast_unsigned()),
        Operator::ShiftRight => left.wrapping_shr(right.cast_unsigned()),
        Operator::And => left & right,
        Operator::Or => left | right,
        Operator::Xor => left ^ right,
    })
}
