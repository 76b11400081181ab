use proptest::prelude::*;

use super::*;

fn read(bytes: &[u8]) -> Script {
    Script::read(bytes, 0, Operands::Engine)
}

fn listing(script: &Script) -> String {
    json::Value::from(script.listing().collect::<Vec<_>>()).to_string()
}

#[test]
fn round_trips_each_statement() {
    let table: &[(&[u8], &str)] = &[
        (&[0x00, 5, 0, 1, 7, 3, 0, 0, 0], r#"[[0,0,[5,[["num",3]]]]]"#),
        (&[0x02, 0, 0], "[[0,2,[0,[]]]]"),
        (&[0x02, 85, 0, 1, 0x16, 9, 0, 1, 0], r#"[[0,2,[85,[["numalt",65545]]]]]"#),
        (&[0x01, 5, 0, 2, 6, 1, 0, 0, 0, 0x0a, 2, 0, 0, 0], r#"[[0,1,[5,[["flag",1],["var",2]]]]]"#),
        (
            &[0x03, 6, 1, 0, 10, 2, 0x14, 0, 0, 9, 1, 0, 0, 17, 0, 0, 0],
            r#"[[0,3,[[[["flag",1,10],2,["objdot",["me"],265,0],0]],17]]]"#,
        ),
        (&[0x04, 0, 0, 0, 0], "[[0,4,[0]]]"),
        (&[0x0a, 1, 7, 255, 255, 255, 255, 4, 0x0a, 2, 0], r#"[[0,10,[1,[[["num",-1],4],[["var",2],0]]]]]"#),
        (&[0x0a, 1, 7, 1, 0, 0, 0, 10, 0], r#"[[0,10,[1,[[["num",1],10]]]]]"#),
        (&[0x0f, 4, 3, 1, 0], r#"[[0,15,[["str",3],1]]]"#),
        (&[0x12, 0x13, 0x18], "[[0,18,[]],[1,19,[]],[2,24,[]]]"),
        (&[0x17, 7], "[[0,23,[7]]]"),
        (&[0x19, 0x0a, 2, 1, 0, 0], r#"[[0,25,[["var",2],1,0,[]]]]"#),
        (&[0x1a, 1, 6, 2, 0, 0], r#"[[0,26,[["player",6],2,0,[]]]]"#),
        (&[0x1e, 3, 0x11, 0, 0, 0, 0], "[[0,30,[3]],[2,17,[0]]]"),
    ];
    for (bytes, expected) in table {
        let script = read(bytes);
        assert_eq!(listing(&script), *expected);
        assert_eq!(script.write(), *bytes);
        let entries: Vec<_> = script.listing().collect();
        let again = Script::from_listing(&entries, script.encoding, 0).unwrap();
        assert_eq!(again, script);
    }
}

#[test]
fn keeps_the_five_bytes_of_a_return_after_scriptrv() {
    let script = read(&[0x1e, 1, 0x12, 9, 8, 7, 6, 0x18]);
    assert_eq!(listing(&script), r#"[[0,30,[1]],[2,null,"1209080706"],[7,24,[]]]"#);
}

#[test]
fn unreadable_bytes_end_at_a_jump_target() {
    let script = read(&[0x04, 7, 0, 0, 0, 0xff, 0xff, 0x18]);
    assert_eq!(listing(&script), r#"[[0,4,[7]],[5,null,"ffff"],[7,24,[]]]"#);
}

#[test]
fn detects_right_properties_without_byte_by_condition_targets() {
    let with = [0x03, 0x0a, 0, 0, 0, 0x14, 0, 0, 25, 0, 0, 0, 16, 0, 0, 0];
    let without = [0x03, 0x0a, 0, 0, 0, 0x14, 0, 0, 25, 0, 0, 15, 0, 0, 0];
    assert_eq!(read(&with).right_property(), Some(RightProperty::UpdateByte));
    assert_eq!(read(&without).right_property(), Some(RightProperty::Nothing));
    assert_eq!(read(&without).write(), without);
    assert_eq!(read(&[0x18]).right_property(), None);
}

#[test]
fn reads_operands_of_redguard_mod_manager_on_request() {
    let bytes = [0x03, 0x0a, 0, 10, 0, 0, 7, 1, 0, 0, 0, 0, 16, 0, 0, 0];
    let script = Script::read(&bytes, 0, Operands::ModManager);
    assert_eq!(listing(&script), r#"[[0,3,[[[["var",0,10],0,["num",1],0]],16]]]"#);
    assert_eq!(script.write(), bytes);
}

#[test]
fn keeps_too_deeply_nested_calls_as_bytes() {
    let bytes: Vec<u8> = std::iter::repeat_n([0x02, 1, 0, 1], 5000).flatten().collect();
    assert!(matches!(read(&bytes).statements[0].statement, Statement::Unreadable(_)));
}

#[test]
fn handles_malicious_jumps_into_long_statements_quickly() {
    // Gotos to the starts of conditions, each of which continues to the end.
    let count = 4000_u32;
    let mut bytes: Vec<u8> =
        (0..count).flat_map(|it| [&[4][..], &(count * 5 + it * 6).to_le_bytes()].concat()).collect();
    bytes.extend((0..count).flat_map(|_| [3, 7, 3, 7, 1, 1]));
    let script = read(&bytes);
    assert_eq!(script.write(), bytes);
}

fn any_object() -> impl Strategy<Value = Object> {
    prop_oneof![
        any::<u8>().prop_map(Object::Me),
        any::<u8>().prop_map(Object::Player),
        any::<u8>().prop_map(Object::Camera),
        any::<u8>().prop_map(Object::Named),
        any::<u8>().prop_map(Object::Local),
    ]
}

fn any_variable() -> impl Strategy<Value = Variable> {
    prop_oneof![
        any::<u16>().prop_map(Variable::Flag),
        any::<u8>().prop_map(Variable::Local),
        (any_object(), any::<u16>()).prop_map(|(object, reference)| Variable::Property(object, reference)),
    ]
}

fn any_change() -> impl Strategy<Value = Option<Change>> {
    prop::sample::select(vec![None, Some(Change::Increment), Some(Change::Decrement)])
}

fn any_opcode() -> impl Strategy<Value = ObjectOpcode> {
    prop::sample::select(vec![ObjectOpcode::Task, ObjectOpcode::Function])
}

/// An argument that may contain calls.
fn any_argument() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any::<i32>().prop_map(Value::Number),
        any::<i32>().prop_map(Value::Alternate),
        any::<u32>().prop_map(Value::Text),
        (any_variable(), any::<u32>()).prop_map(|(variable, padding)| {
            let padding = match variable {
                Variable::Flag(_) => padding & 0xffff,
                Variable::Local(_) => padding & 0xff_ffff,
                Variable::Property(..) => 0,
            };
            Value::Variable { variable, update: None, padding }
        }),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        let call = call_of(inner);
        prop_oneof![
            call.clone().prop_map(Value::Call),
            (any_opcode(), any_object(), call)
                .prop_map(|(opcode, object, call)| Value::ObjectCall(opcode, object, call)),
        ]
    })
}

fn call_of(argument: impl Strategy<Value = Value> + Clone) -> impl Strategy<Value = Call> + Clone {
    (any::<u16>(), prop::collection::vec(argument, 0..4)).prop_map(|(function, arguments)| Call {
        function,
        arguments: if function == 0 { Vec::new() } else { arguments },
    })
}

/// A value in a formula or a comparison.
fn any_value() -> impl Strategy<Value = Value> {
    prop_oneof![
        any_argument().prop_filter("variables follow", |it| !matches!(it, Value::Variable { .. })),
        any_variable().prop_map(Variable::value),
    ]
}

fn compared() -> impl Strategy<Value = Value> {
    (any_value(), any_change()).prop_map(|(mut value, change)| {
        if let Value::Variable { update, .. } = &mut value {
            *update = change;
        }
        value
    })
}

fn any_statement() -> impl Strategy<Value = Statement> {
    let call = || call_of(any_argument().boxed());
    let dispatch = || prop::sample::select(Dispatch::ALL.to_vec());
    let conjunction = prop::sample::select(vec![Conjunction::And, Conjunction::Or]);
    let comparison = prop::sample::select(Comparison::ALL.to_vec());
    let conditions = prop::collection::vec((compared(), comparison, compared(), conjunction), 1..4);
    let formula = (
        any_value(),
        prop::collection::vec((prop::sample::select(Operator::ALL.to_vec()), any_value()), 0..4),
        any_change(),
    );
    prop_oneof![
        (dispatch(), call()).prop_map(|(dispatch, call)| Statement::Call(dispatch, call)),
        (any_opcode(), any_object(), dispatch(), call()).prop_map(|(opcode, object, dispatch, call)| {
            Statement::ObjectCall(opcode, object, dispatch, call)
        }),
        conditions.prop_map(|all| {
            let count = all.len();
            let conditions = all.into_iter().enumerate().map(|(index, (left, comparison, right, next))| {
                let next = (index.saturating_add(1) < count).then_some(next);
                Condition { left, comparison, right, next }
            });
            Statement::If { conditions: conditions.collect(), otherwise: 0 }
        }),
        (prop::sample::select(Jump::ALL.to_vec()), any::<u32>())
            .prop_map(|(jump, target)| Statement::Jump(jump, target)),
        (any_variable(), formula).prop_map(|(variable, (first, rest, end))| Statement::Assign(
            variable,
            Formula { first, rest, end }
        )),
        (any_object(), any::<u16>()).prop_map(|(object, it)| Statement::Step(Change::Decrement, object, it)),
        Just(Statement::Return),
        Just(Statement::EndInterrupt),
        Just(Statement::Yield),
        any::<u8>().prop_map(Statement::Anchor),
        any::<u8>().prop_map(Statement::ScriptResult),
    ]
}

/// Creates a script of these statements. Conditions lead to its end, and no return follows a `scriptrv`, because the reader would change
/// the rest.
fn script_of(mut statements: Vec<Statement>, encoding: Encoding, start: u32) -> Script {
    let is_guard = |it: &Statement| matches!(it, Statement::ScriptResult(_));
    for index in 1..statements.len() {
        if is_guard(&statements[index.saturating_sub(1)]) && statements[index] == Statement::Return {
            statements[index] = Statement::Yield;
        }
    }
    let length: usize = statements.iter().map(|it| it.size(encoding)).sum();
    let length = u32::try_from(length).unwrap();
    let mut at = 0_u32;
    let placed = statements.into_iter().map(|mut statement| {
        if let Statement::If { otherwise, conditions } = &mut statement {
            *otherwise = length;
            for it in conditions.iter_mut().filter(|_| encoding.right_property == RightProperty::Nothing) {
                if let Value::Variable { variable: Variable::Property(..), update, .. } = &mut it.right {
                    *update = None;
                }
            }
        }
        let offset = at;
        at = at.saturating_add(u32::try_from(statement.size(encoding)).unwrap());
        Placed { at: offset, statement }
    });
    Script { statements: placed.collect(), encoding, start, length }
}

proptest! {
    #[test]
    fn round_trips_any_script(
        statements in prop::collection::vec(any_statement(), 0..12),
        start in any::<u32>(),
        is_mm in any::<bool>(),
    ) {
        let encoding = if is_mm {
            Encoding { right_property: RightProperty::Nothing, operands: Operands::ModManager }
        } else {
            Encoding::default()
        };
        let script = script_of(statements, encoding, start);
        prop_assert_eq!(Script::read(&script.write(), start, encoding.operands), script);
    }

    #[test]
    fn round_trips_any_bytes(bytes in prop::collection::vec(prop_oneof![0_u8..0x20, any::<u8>()], 0..300), start in 0_u32..300) {
        for operands in [Operands::Engine, Operands::ModManager] {
            let script = Script::read(&bytes, start, operands);
            prop_assert_eq!(script.write(), bytes.clone());
            let entries: Vec<_> = script.listing().collect();
            let again = Script::from_listing(&entries, script.encoding, start).unwrap();
            prop_assert_eq!(again.write(), bytes.clone());
        }
    }
}
