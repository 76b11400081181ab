//! A room as a folder to edit, and back: every field in the record, and the whole room as a scene to open in Blender.

use asset::{Context, Options, Parts, Report, Shows, Target, Unpacked};
use record::Result;

use super::{FORMAT, RMesh, dialect, import, scene, warning};

/// The room as a scene.
const VIEW: &str = "room.glb";

/// Writes every field into the record, and the room as a scene with all that it holds.
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
        Ok(glb) => parts.view(VIEW, &glb, &[Shows::Record("")]).map(drop),
        Err(error) => {
            report.warn(&warning::NO_VIEW, format!("there is no views/{VIEW}: {}", error.message()));
            Ok(())
        }
    }
}

/// The room as a GLB with textures, collision and trigger boxes. Of what is amiss only that is told which would be lost with an edit
/// of it; images that are missing are not.
fn view(room: &RMesh, context: &Context<'_>, report: &mut Report) -> Result<Vec<u8>> {
    let given = [("with", "collision,triggers"), ("lightmaps", "split")];
    let given = given.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let options = Options::parse(FORMAT.options, &given)?;
    let context = Context { options: &options, ..context.clone() };
    let mut found = Report::new();
    let scene = scene::to_scene(room, &context, &Target { stem: "room", scale: 1.0 }, &mut found);
    for lost in
        found.iter().filter(|lost| [warning::BAD_INDEX.id, warning::NOT_FINITE.id].contains(&lost.code.id))
    {
        report.warn(lost.code, format!("in views/{VIEW}, {}", lost.message)).in_field(lost.path.as_str());
    }
    ::scene::gltf::write_glb(&scene)
}

/// Writes the room from the record; or from the scene, if that was edited.
pub(super) fn pack(folder: &Unpacked, report: &mut Report) -> Result<Vec<u8>> {
    if let Some(bytes) = dialect::pack(folder)? {
        return Ok(bytes);
    }
    let mut room: RMesh = folder.typed()?;
    for view in folder.edited_views()?.iter().filter(|view| view.name == VIEW) {
        let path = format!("views/{VIEW}");
        let read = ::scene::gltf::read(&view.bytes, &mut |_| None).map_err(|error| error.in_file(&path))?;
        room = import::from_read(&read, Some(&room), report).map_err(|error| error.in_file(&path))?;
    }
    room.write()
}
