//! Checks of the scripts of a map.

use std::collections::BTreeMap;

use asset::{Code, Context, Report};
use soup::bytecode::{Operands, Script};

use super::Scripts;
use crate::map::assembled::PartLayout;
use crate::map::layout::{Map, Section};
use crate::map::warning;

/// The maximum number of reported findings of one kind.
const MAX_FINDINGS: usize = 50;

/// Returns the warning code for a defect of a script.
fn code_of(defect: &str) -> &'static Code {
    match defect {
        "pc_out_of_range" | "jump_into_statement" => &warning::JUMP,
        "bad_function" | "wrong_parameter_count" => &warning::CALL,
        "bad_flag_index" | "bad_string_index" | "bad_variable_index" | "bad_reference" | "bad_location" => {
            &warning::NUMBER
        }
        "unknown_label" => &warning::UNKNOWN_LABEL,
        "unknown_object" => &warning::NO_NAMED_OBJECT,
        "text_as_number" => &warning::TEXT_AS_NUMBER,
        "division_by_zero" => &warning::DIVISION,
        "bad_operator" => &warning::OPERATOR,
        "nested_call" => &warning::NESTED,
        "label_without_task" => &warning::LABEL,
        "gosub_left_by_end" | "second_gosub" => &warning::SUBROUTINE,
        "unreachable" => &warning::UNREACHED,
        "endless_loop" => &warning::ENDLESS,
        "right_property" | "mod_manager_operands" => &warning::OPERANDS,
        "scriptrv_return" | "scriptrv_guard" => &warning::GUARD,
        _ => &warning::UNREADABLE,
    }
}

/// Returns the index of the script section, and the offset of its bytes.
fn code_section(map: &Map) -> Option<(usize, u64)> {
    let mut at = 0_u64;
    for (index, section) in map.sections.iter().enumerate() {
        let (tag, length) = section.tag_and_length();
        at = at.saturating_add(8);
        if tag == *b"RASC" {
            return Some((index, at));
        }
        at = at.saturating_add(u64::try_from(length).unwrap_or(u64::MAX));
    }
    None
}

/// Checks all scripts of a map.
pub(crate) fn check(map: &Map, context: &Context<'_>, report: &mut Report) {
    let Some(section) = map.sections.iter().position(|it| matches!(it, Section::Objects(_))) else { return };
    let scripts = Scripts::of_game(map, context, None);
    let scripts = scripts.and_then(|it| it.check_limits(None).map(|()| it));
    let scripts = match scripts {
        Ok(scripts) => scripts,
        Err(error) => {
            report.warn(&warning::SCRIPTS, error.to_string()).in_field(format!("sections[{section}]"));
            return;
        }
    };
    let code = code_section(map);
    // Overlapping scripts remain bytes of their section.
    let has_parts = PartLayout::of(map).tilings.contains_key(b"RASC");
    let mut reported: BTreeMap<&str, usize> = BTreeMap::new();
    for (number, object) in map.objects().iter().enumerate() {
        let Some(bytes) = scripts.sections.script(object) else { continue };
        let script = Script::read(bytes, object.script_start, Operands::Engine);
        for it in scripts.diagnose(object, &script) {
            let count = reported.entry(it.code).or_default();
            *count = count.saturating_add(1);
            if *count > MAX_FINDINGS {
                continue;
            }
            let message = format!("{} at 0x{:x} of its script: {}", object.name, it.at, it.message);
            let field = match code {
                Some((section, _)) if !has_parts => format!("sections[{section}]"),
                _ => format!("sections[{section}].records[{number}].script"),
            };
            let finding = report.warn(code_of(it.code), message).in_field(field);
            let start = code.and_then(|(_, at)| at.checked_add(u64::from(object.script_offset)));
            if let Some(at) = start.and_then(|start| start.checked_add(u64::from(it.at))) {
                finding.at(at);
            }
        }
    }
}
