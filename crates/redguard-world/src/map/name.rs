//! What maps name: actors, models, pictures, labels of dialogue.

use std::fmt::Arguments;

use asset::{Context, NameKind, Named, TakeName};

use super::layout::{Map, Section};
use redguard_files::picture::texbsi::ImageKey;
use redguard_files::settings::def::GameNames;

/// How many letters the label of a line of dialogue has.
const LABEL: usize = 4;

/// Tells of all names, those in scripts last.
pub(crate) fn tell(map: &Map, context: &Context<'_>, take: TakeName<'_>) {
    outside_of_scripts(map, context, take);
    flats(map, take);
    if let Some(section) = map.sections.iter().position(|it| matches!(it, Section::Objects(_))) {
        super::script::tell_names(map, context, section, take);
    }
}

fn outside_of_scripts(map: &Map, context: &Context<'_>, take: TakeName<'_>) {
    let mut tell = |kind: NameKind, text: &str, path: Arguments<'_>| {
        if !text.is_empty() {
            take(Named::new(kind, text, path));
        }
    };
    for (index, section) in map.sections.iter().enumerate() {
        match section {
            Section::Objects(_) => objects(map, index, context, &mut tell),
            Section::Placements(it) => {
                for (number, it) in it.records.iter().enumerate() {
                    let record = format!("sections[{index}].records[{number}]");
                    tell(NameKind::Actor, &it.object.text(), format_args!("{record}.object"));
                    tell(NameKind::Model, &it.model.text(), format_args!("{record}.model"));
                }
            }
            Section::Statics(it) => {
                for (number, it) in it.records.iter().enumerate() {
                    let path = format_args!("sections[{index}].records[{number}].model");
                    tell(NameKind::Model, &it.model.text(), path);
                }
            }
            Section::Ropes(it) => {
                for (number, it) in it.records.iter().enumerate() {
                    let record = format!("sections[{index}].records[{number}]");
                    tell(NameKind::Model, &it.link_model.text(), format_args!("{record}.link_model"));
                    tell(NameKind::Model, &it.end_model.text(), format_args!("{record}.end_model"));
                }
            }
            _ => {}
        }
    }
}

fn flats(map: &Map, take: TakeName<'_>) {
    for (index, section) in map.sections.iter().enumerate() {
        let Section::Flats(flats) = section else { continue };
        for (number, it) in flats.records.iter().enumerate() {
            let (bank, image) = (it.texture >> 7, it.texture & 0x7f);
            let path = format_args!("sections[{index}].records[{number}].texture");
            ImageKey { bank, image }.tell(path, take);
        }
    }
}

fn objects(
    map: &Map,
    section: usize,
    context: &Context<'_>,
    tell: &mut dyn FnMut(NameKind, &str, Arguments<'_>),
) {
    let (names, parts) = (GameNames::of_game(context), map.object_sections());
    for (number, object) in map.objects().iter().enumerate() {
        let record = format!("sections[{section}].records[{number}]");
        tell(NameKind::Actor, &object.name.text(), format_args!("{record}.name"));
        if let Some(alias) = parts.alias(object) {
            tell(NameKind::Actor, &alias, format_args!("{record}.alias"));
        }
        for (number, model) in parts.models(object).unwrap_or_default().iter().enumerate() {
            tell(NameKind::Model, &model.path, format_args!("{record}.models[{number}].path"));
        }
        for (number, text) in parts.texts(object).unwrap_or_default().iter().enumerate() {
            let is_label = text.len() == LABEL && !text.contains(' ');
            let kind = if is_label { NameKind::Label } else { NameKind::Text };
            tell(kind, text, format_args!("{record}.texts[{number}]"));
        }
        if let Some(Some(hook)) = parts.hook(object)
            && let Some(function) = names.names.function(hook.function)
        {
            tell(NameKind::Function, &function.name, format_args!("{record}.hook.function"));
        }
        let block = parts.attributes(object).map(|block| block.as_slice()).unwrap_or_default();
        for (number, _) in block.iter().enumerate().filter(|(_, value)| **value != 0) {
            if let Some(name) = names.names.attribute(number) {
                tell(NameKind::Attribute, name, format_args!("{record}.attributes.{name}"));
            }
        }
    }
}
