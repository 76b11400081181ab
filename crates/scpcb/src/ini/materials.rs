//! `Data/materials.ini`: bump maps and step sounds, by the file name of the texture.

use asset::{
    Asset, Code, Context, Counts, Description, Detail, FieldChange, Format, NameKind, Names, Offered, Probe,
    ProductKind, Products, RecordChange, Report, Score, Severity, Target,
};
use json::{Document, Map, Node, Step, Value};
use record::{Error, Result, Source};

use media::ini::{Ini, Section};

use super::{of_install, pack, read};

/// The table of materials.
pub static FORMAT: Format = Format::new("scpcb.materials", "SCP – Containment Breach material table", open)
    .game("scpcb")
    .probe(probe)
    .pack(pack)
    .products(&[Offered { kind: ProductKind::Data, about: "the materials with all their settings" }])
    .spans(|asset, _, visitor| {
        asset.typed::<Materials>().into_iter().for_each(|table| table.0.trace(visitor));
        Ok(())
    })
    .names(Names::NONE.reported(|asset, _, take| {
        asset.typed::<Materials>().into_iter().for_each(|table| {
            table.0.visit_names(NameKind::Material, &|name| crate::GAME.kind_of_file(name), take);
        });
        Ok(())
    }))
    .codes(&[BUMP_MISSING]);

fn open(source: &Source, _report: &mut Report) -> Result<Box<dyn Asset>> {
    Ok(Box::new(Materials(read(source)?)))
}

static BUMP_MISSING: Code = Code {
    id: "MATERIALS-W001",
    severity: Severity::Warning,
    title: "missing bump map",
    about: "A bump map was not found; the game draws the texture without it. Example: `[vent.jpg] bump map \"GFX\\map\\ventbump.jpg\" was not \
            found`.",
};

fn probe(file: &Probe<'_>) -> Option<Score> {
    let named = file.name == "materials.ini";
    named.then_some(Score::LIKELY).or(Some(Score::NEVER))
}

/// The table of materials.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Materials(Ini);

/// Returns the entry of a texture in the material table of the game: bump map, step sound; `None` if there is none.
pub(crate) fn of_texture(context: &Context<'_>, name: &str) -> Option<Map<String, Value>> {
    let bare = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let table = of_install(context, "Data/materials.ini")?;
    let section = table.section(bare)?;
    Some(section.to_json())
}

/// Returns the path of a texture's bump map, relative to the game folder; `None` if there is none.
pub(crate) fn bump_of(context: &Context<'_>, name: &str) -> Option<String> {
    let entry = of_texture(context, name)?;
    let path = entry.get("bump").and_then(Value::as_str)?;
    (!path.is_empty()).then(|| path.to_owned())
}

impl Materials {
    fn to_json(&self) -> Value {
        let named = |section: &Section<'_>| (section.name.to_string(), Value::Object(section.to_json()));
        Value::Object(self.0.sections().iter().map(named).collect())
    }
}

impl Asset for Materials {
    fn field_view(&self, record: Node<'_>) -> Option<Document> {
        self.0.field_view(record)
    }

    fn record_change(
        &self,
        record: Node<'_>,
        path: &[Step<'_>],
        change: FieldChange<'_>,
    ) -> Result<Option<Vec<RecordChange>>> {
        self.0.record_change(record, path, change)
    }

    fn describe(&self, detail: Detail) -> Description {
        let sections = self.0.sections();
        let bumps = sections.iter().filter(|section| section.get("bump").is_some()).count();
        let (noun, maps) = (
            if sections.len() == 1 { "material" } else { "materials" },
            if bumps == 1 { "bump map" } else { "bump maps" },
        );
        let fields = match detail {
            Detail::Full => self.to_json().into(),
            Detail::Brief => Document::list(sections.iter().map(|section| &section.name)),
        };
        Description {
            summary: format!("table of {} {noun}, {bumps} {maps}", sections.len()),
            counts: Counts::new().with("materials", sections.len()).with("bump maps", bumps),
            fields,
            ..Description::default()
        }
    }

    fn check(&self, context: &Context<'_>, report: &mut Report) {
        for section in self.0.sections() {
            let Some(bump) = section.entry("bump").filter(|bump| !bump.value.is_empty()) else { continue };
            if context.install.find(&bump.value).found().is_none() {
                let message = format!("[{}] bump map \"{}\" was not found", section.name, bump.value);
                report.warn(&BUMP_MISSING, message).at(bump.offset);
            }
        }
    }

    fn products<'a>(&'a self, context: &Context<'a>, target: Target<'a>) -> Result<Products<'a>, Error> {
        Ok(Products::new(context, target).with_data(|| self.to_json()))
    }

    fn unpack(
        &self,
        _context: &Context<'_>,
        parts: &mut asset::Parts<'_>,
        _report: &mut Report,
    ) -> Result<(), Error> {
        parts.typed(&self.0)
    }
}
