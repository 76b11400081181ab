//! Maps as a format.

use asset::typed_view::UnitField;
use asset::{
    Asset, Context, Counts, Description, Detail, Format, NameKind, Names, Offered, Parts, Probe,
    ProductContext, ProductKind, Products, Report, ScenePart, Score, Target, counted,
};
use json::{Document, Node};
use record::{Record, Result, Source};

use super::{scene, unit, unseen};
use crate::map::Surroundings;
use crate::map::{CODES, Map, Section, check, name, script, sheet, span, unpack};
use redguard_files::settings::def::GameNames;

/// The map format.
pub static FORMAT: Format = Format::new("redguard.rgm", "Redguard map", open)
    .game("redguard")
    .extensions(&["rgm"])
    .probe(probe)
    .pack(unpack::pack)
    .products(&[
        Offered {
            kind: ProductKind::Scene,
            about: "the complete map, or one actor (`--actor`), with animations",
        },
        Offered {
            kind: ProductKind::Data,
            about: "objects with all their data, placements with their models, lights, ropes, \
                    walk maps",
        },
    ])
    .folder_outputs(&["json"])
    .schema(Map::schema)
    .spans(|asset, source, visitor| match asset.typed::<Map>() {
        Some(map) => span::spans(map, source, visitor),
        None => Ok(()),
    })
    .options(scene::SceneOptions::DECLARED)
    .names(Names::of_file(NameKind::Map).reported(|asset, context, take| {
        asset.typed::<Map>().into_iter().for_each(|map| name::visit(map, context, take));
        Ok(())
    }))
    .codes(CODES);

fn open(source: &Source, _report: &mut Report) -> Result<Box<dyn Asset>> {
    check_first_tag(source)?;
    Ok(Box::new(Map::read(&source.read_all()?)?))
}

fn probe(file: &Probe<'_>) -> Option<Score> {
    file.starts_with(b"RAHD").then_some(Score::CERTAIN)
}

/// Rejects a large file that is not a map before reading it completely.
fn check_first_tag(source: &Source) -> Result<()> {
    /// Files up to this size are read regardless of their first bytes: the resulting error has more detail.
    const SMALL: u64 = 1 << 20;
    let is_printable = |byte: &u8| byte.is_ascii_graphic() || *byte == b' ';
    if source.len() > SMALL && !source.head(4)?.iter().all(is_printable) {
        return Err(record::Error::malformed(
            "found no section tag, expected four printable ASCII characters",
        )
        .at(0));
    }
    Ok(())
}

impl Asset for Map {
    fn scene_memory(&self) -> u64 {
        crate::SCENE_MEMORY
    }

    fn describe(&self, detail: Detail) -> Description {
        let lists = [
            ("object", "objects", self.objects().len()),
            ("placement", "placements", self.placements().len()),
            ("static", "statics", self.statics().len()),
            ("rope", "ropes", self.ropes().len()),
            ("flat", "flats", self.flats().len()),
            ("light", "lights", self.lights().len()),
            ("marker", "markers", self.markers().len()),
            ("walk map", "walk maps", self.walk_maps().len()),
        ];
        let summary: Vec<_> = lists
            .iter()
            .filter(|(.., count)| *count > 0)
            .take(4)
            .map(|(one, many, count)| counted(*count, one, many))
            .collect();
        let counts = lists.iter().fold(Counts::new(), |counts, (_, many, count)| counts.with(*many, *count));
        Description {
            summary: format!(
                "map with {}",
                if summary.is_empty() { "nothing".to_owned() } else { summary.join(", ") }
            ),
            counts,
            fields: match detail {
                Detail::Full => {
                    let (install, options) = (asset::Install::empty(), asset::Options::default());
                    self.fields(&Context { install: &install, location: None, options: &options })
                }
                Detail::Brief => {
                    let names = self.objects().iter().map(|object| object.name.text());
                    Document::object(|out| {
                        out.list("objects", names);
                    })
                }
            },
            derived: &["resolved"],
            ..Description::default()
        }
    }

    fn describe_in_game(&self, context: &Context<'_>, description: &mut Description) {
        if description.fields.root().get("resolved").is_some() {
            description.fields = Document::default();
            description.fields = self.fields(context);
            return;
        }
        let around = Surroundings::new(context);
        if around.registration().is_some() {
            // Only an object takes another member.
            let _ = description.fields.put_last(&[], "world", &around.world());
        }
    }

    fn check(&self, context: &Context<'_>, report: &mut Report) {
        check::check(self, &GameNames::of_game(context), &Surroundings::new(context), report);
        script::check(self, context, report);
        unseen::check(self, context, report);
    }

    fn products<'a>(&'a self, context: &Context<'a>, target: Target<'a>) -> Result<Products<'a>> {
        let (around, game) = (context.clone(), context.clone());
        let make = move |making: &mut ProductContext<'_>| scene::scene(self, &around, &target, making.report);
        Ok(Products::new(context, target).with_scene(make).with_data(move || self.resolved(&game)))
    }

    fn origin(&self, part: ScenePart<'_>) -> Option<String> {
        // Collision shapes of statics contain the layer of their record.
        let layer = part.text("of").or_else(|| part.text("layer"))?;
        let holds = |section: &Section| match section {
            Section::Placements(_) => matches!(layer, "objects" | "collision"),
            Section::Statics(_) => layer == "statics",
            Section::Ropes(_) => layer == "ropes",
            Section::Flats(_) => layer == "flats",
            Section::Lights(_) => layer == "lights",
            Section::Markers(_) => layer == "markers",
            Section::WalkMaps(_) => layer == "walk",
            _ => false,
        };
        let section = self.sections.iter().position(holds)?;
        Some(format!("sections[{section}].records[{}]", part.number("index")?))
    }

    fn field_alias(&self, record: Node<'_>, path: &str) -> Option<String> {
        let end = path.find(['.', '[']).unwrap_or(path.len());
        let (name, rest) = path.split_at_checked(end)?;
        Some(sheet::list_path(record, name)? + rest)
    }

    fn unit_fields(&self) -> &'static [UnitField] {
        &unit::FIELDS
    }

    fn unpack(&self, context: &Context<'_>, parts: &mut Parts<'_>, _report: &mut Report) -> Result<()> {
        unpack::unpack(self, context, parts)
    }
}
