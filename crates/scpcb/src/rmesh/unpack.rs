//! A room as a folder to edit, and back: a record of all fields, and a view of the entire room as a scene for Blender.

use ::scene::Scene;
use asset::{Context, Options, Parts, Report, Target, Unpacked, ViewSource};
use record::{Error, Kind, Result};

use super::{FORMAT, RMesh, dialect, import, scene, warning};

/// File name of the view, without its extension.
const VIEW: &str = "room";

/// Writes the record and the view of the room.
pub(super) fn unpack(
    room: &RMesh,
    context: &Context<'_>,
    parts: &mut Parts<'_>,
    report: &mut Report,
) -> Result<()> {
    parts.typed(room)?;
    if !parts.wants_views() {
        return Ok(());
    }
    match view(room, context, report) {
        Ok(scene) => match parts.view(VIEW, scene, &[ViewSource::Record("")]) {
            Err(error) if !matches!(error.kind(), Kind::Io | Kind::Usage) => without_view(&error, report),
            written => written.map(drop)?,
        },
        Err(error) => without_view(&error, report),
    }
    Ok(())
}

fn without_view(error: &Error, report: &mut Report) {
    report.warn(&warning::NO_VIEW, format!("the room cannot be shown as a scene: {}", error.message()));
}

/// The room as a scene with textures, collision and trigger boxes. Reports only problems that would lose data when the scene is edited,
/// not missing images.
fn view(room: &RMesh, context: &Context<'_>, report: &mut Report) -> Result<Scene> {
    let given = [("with", "collision,triggers"), ("lightmaps", "layers")];
    let given = given.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let options = Options::parse(FORMAT.options, &given)?;
    let context = Context { options: &options, ..context.clone() };
    let mut found = Report::new();
    let scene = scene::to_scene(room, &context, &Target::new("room", 1.0), &mut found);
    for lost in
        found.iter().filter(|lost| [warning::BAD_INDEX.id, warning::NOT_FINITE.id].contains(&lost.code.id))
    {
        report
            .warn(lost.code, format!("in the view of the room, {}", lost.message))
            .in_field(lost.path.as_str());
    }
    Ok(scene)
}

/// Writes the room from the record, or from the scene if it was edited.
pub(super) fn pack(folder: &Unpacked, report: &mut Report) -> Result<Vec<u8>> {
    if let Some(bytes) = dialect::pack(folder)? {
        return Ok(bytes);
    }
    let mut room: RMesh = folder.typed()?;
    for view in folder.edited_views()?.iter().filter(|view| view.stem() == VIEW) {
        room = import::from_view(&view.scene()?, &room, folder.options(), report)
            .map_err(|error| error.in_file(view.path()))?;
    }
    room.write()
}
