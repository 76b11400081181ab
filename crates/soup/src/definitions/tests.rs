//! Tests of reading names and their numbers.

use super::*;

fn names(list: &[Option<String>]) -> Vec<&str> {
    list.iter().map(|name| name.as_deref().unwrap_or("-")).collect()
}

#[test]
fn reads_the_names_of_the_original_game() {
    let shipped = Definitions::shipped();
    assert_eq!(shipped.problems, []);
    assert_eq!(shipped.functions.len(), 367);
    assert_eq!((shipped.attributes.len(), shipped.animation_groups.len()), (127, 169));
    assert_eq!(shipped.attribute_aliases, [("attr_userflag".to_owned(), 7)]);
    assert_eq!(shipped.flags.len(), 369);
    let of = |kind| shipped.flags.iter().filter(|flag| flag.kind == kind).count();
    assert_eq!((of(FlagKind::Bool), of(FlagKind::FlipFlop), of(FlagKind::Number)), (282, 52, 35));
    assert_eq!(shipped.flags.iter().filter(|flag| flag.default != 0).count(), 6);
    assert_eq!(shipped.attribute(8), Some("attr_forward_speed"));
    assert_eq!(shipped.attribute_number("ATTR_HEALTH"), Some(3));
    assert_eq!(shipped.function(85).map(|it| it.name.as_str()), Some("SetGlobalFlag"));
    assert_eq!(shipped.animation_group(168), Some("anim_misc17"));
}

#[test]
fn values_set_the_next_number_and_names_are_values() {
    let text =
        "[EQUATES]\nouter 17\nnothing\nauto\na\nb = 3 ; three\nc\ntwin = b\nd = c\nE\nendauto\nafter = d";
    let read = Definitions::read(text.lines());
    assert_eq!(read.problems, []);
    let numbers: Vec<_> = read.equates.iter().map(|(name, number)| (name.as_str(), *number)).collect();
    let expected = [
        ("outer", 17),
        ("nothing", 0),
        ("a", 0),
        ("b", 3),
        ("c", 4),
        ("twin", 3),
        ("d", 4),
        ("E", 5),
        ("after", 4),
    ];
    assert_eq!(numbers, expected);
    assert_eq!(names(&read.attributes), ["a", "-", "-", "b", "c", "E"]);
    assert_eq!(read.attribute_aliases, [("twin".to_owned(), 3), ("d".to_owned(), 4)]);
}

#[test]
fn reads_words_in_any_letter_case() {
    let text = "[functions]\nFUNCTION ACTIVATE PARMS 1\nMultiTask x params 2\n[flags]\nflipflop F TRUE ;\nBOOL B false; why";
    let read = Definitions::read(text.lines());
    assert_eq!(read.problems, []);
    assert_eq!(read.functions.iter().map(|it| it.params).collect::<Vec<_>>(), [0, 1, 2]);
    assert_eq!(read.functions[2].kind, FunctionKind::Multitask);
    let flag = |name: &str, kind, default, comment: Option<&str>| Flag {
        name: name.to_owned(),
        kind,
        default,
        comment: comment.map(str::to_owned),
    };
    assert_eq!(
        read.flags,
        [flag("F", FlagKind::FlipFlop, 1, None), flag("B", FlagKind::Bool, 0, Some("why"))]
    );
}

#[test]
fn reports_invalid_lines_with_their_numbers() {
    let text = "x\n[functions]\ntask a\nfunction f parms 0\nfunction F parms 1\n[odd]\nanything\n[equates]\nauto\na = nowhere\n[flags]\nTRIBOOL T 1\nendauto";
    let read = Definitions::read(text.lines());
    let problems: Vec<_> = read.problems.iter().map(|it| (it.line, it.kind.to_string())).collect();
    let expected = [
        (0, "text before the first section"),
        (2, "expected \"function NAME parms COUNT\""),
        (4, "\"F\" is already defined"),
        (5, "unknown section [odd]"),
        (9, "\"nowhere\" is not a number or an earlier name"),
        (8, "auto without endauto"),
        (11, "expected \"BOOL NAME VALUE\""),
        (12, "expected \"BOOL NAME VALUE\""),
    ];
    assert_eq!(problems, expected.map(|(line, text)| (line, text.to_owned())));
}

#[test]
fn allocates_no_memory_for_huge_numbers() {
    let read = Definitions::read(["[equates]", "auto", "a = 9223372036854775807", "b", "c = -5"]);
    assert_eq!(read.attributes.len(), 0);
    assert_eq!(read.equates.len(), 3);
}
