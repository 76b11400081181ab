//! The names used in maps: worlds, actors, models, images, dialogue labels.

use std::fmt::Arguments;

use asset::{Context, NameKind, NameVisitor, Named};

use super::layout::{Map, Section};
use super::surroundings::Surroundings;
use redguard_files::picture::texbsi::ImageKey;
use redguard_files::settings::def::GameNames;

/// The number of characters of a dialogue label.
const LABEL: usize = 4;

/// Visits all names: first the worlds of the map, and those in scripts last.
pub(crate) fn visit(map: &Map, context: &Context<'_>, take: NameVisitor<'_>) {
    if let Some(registration) = Surroundings::new(context).registration() {
        registration.visit_names(take);
    }
    outside_of_scripts(map, context, take);
    flats(map, take);
    if let Some(section) = map.sections.iter().position(|it| matches!(it, Section::Objects(_))) {
        super::script::visit_names(map, context, section, take);
    }
}

fn outside_of_scripts(map: &Map, context: &Context<'_>, take: NameVisitor<'_>) {
    let mut visit = |kind: NameKind, text: &str, path: Arguments<'_>| {
        if !text.is_empty() {
            take(Named::new(kind, text, path));
        }
    };
    for (index, section) in map.sections.iter().enumerate() {
        match section {
            Section::Objects(_) => objects(map, index, context, &mut visit),
            Section::Placements(it) => {
                for (number, it) in it.records.iter().enumerate() {
                    let record = format!("sections[{index}].records[{number}]");
                    visit(NameKind::Actor, &it.object.text(), format_args!("{record}.object"));
                    visit(NameKind::Model, &it.model.text(), format_args!("{record}.model"));
                }
            }
            Section::Statics(it) => {
                for (number, it) in it.records.iter().enumerate() {
                    let path = format_args!("sections[{index}].records[{number}].model");
                    visit(NameKind::Model, &it.model.text(), path);
                }
            }
            Section::Ropes(it) => {
                for (number, it) in it.records.iter().enumerate() {
                    let record = format!("sections[{index}].records[{number}]");
                    visit(NameKind::Model, &it.link_model.text(), format_args!("{record}.link_model"));
                    visit(NameKind::Model, &it.end_model.text(), format_args!("{record}.end_model"));
                }
            }
            _ => {}
        }
    }
}

fn flats(map: &Map, take: NameVisitor<'_>) {
    for (index, section) in map.sections.iter().enumerate() {
        let Section::Flats(flats) = section else { continue };
        for (number, it) in flats.records.iter().enumerate() {
            let (bank, image) = (it.texture >> 7, it.texture & 0x7f);
            let path = format_args!("sections[{index}].records[{number}].texture");
            ImageKey { bank, image }.visit_names(path, take);
        }
    }
}

fn objects(
    map: &Map,
    section: usize,
    context: &Context<'_>,
    visit: &mut dyn FnMut(NameKind, &str, Arguments<'_>),
) {
    let (names, parts) = (GameNames::of_game(context), map.object_sections());
    for (number, object) in map.objects().iter().enumerate() {
        let record = format!("sections[{section}].records[{number}]");
        visit(NameKind::Actor, &object.name.text(), format_args!("{record}.name"));
        if let Some(alias) = parts.alias(object) {
            visit(NameKind::Actor, &alias, format_args!("{record}.alias"));
        }
        for (number, model) in parts.models(object).unwrap_or_default().iter().enumerate() {
            visit(NameKind::Model, &model.path, format_args!("{record}.models[{number}].path"));
        }
        for (number, text) in parts.texts(object).unwrap_or_default().iter().enumerate() {
            let is_label = text.len() == LABEL && !text.contains(' ');
            let kind = if is_label { NameKind::Label } else { NameKind::Text };
            visit(kind, text, format_args!("{record}.texts[{number}]"));
        }
        if let Some(Some(hook)) = parts.hook(object)
            && let Some(function) = names.names.function(hook.function)
        {
            visit(NameKind::Function, &function.name, format_args!("{record}.hook.function"));
        }
        let block = parts.attributes(object).map(|block| block.as_slice()).unwrap_or_default();
        for (number, _) in block.iter().enumerate().filter(|(_, value)| **value != 0) {
            if let Some(name) = names.names.attribute(number) {
                visit(NameKind::Attribute, name, format_args!("{record}.attributes.{name}"));
            }
        }
    }
}
