//! Names that files contain, for finding where a name is used in a game.

use std::fmt;

use json::{Content, Node, push_member};
use record::Error;
use serde::Serialize;

use crate::asset::{Asset, Detail};
use crate::context::Context;

/// The kind of object that a name refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum NameKind {
    /// An object controlled by scripts: a person, a door.
    Actor,
    /// A property of actors.
    Attribute,
    /// A global flag of the game.
    Flag,
    /// A function that scripts call.
    Function,
    /// An item that the player can carry.
    Item,
    /// The label of a line of dialogue.
    Label,
    /// A map or a terrain.
    Map,
    /// A surface with its textures.
    Material,
    /// A 3D model.
    Model,
    /// A part of a model or a scene.
    Node,
    /// A palette.
    Palette,
    /// A room of a map.
    Room,
    /// A sound or a piece of music.
    Sound,
    /// Text that is displayed or spoken.
    Text,
    /// An image, either on a model or separate.
    Texture,
    /// A track of a music CD, by its number.
    Track,
    /// A world of the game, by its number. Several worlds may share a map.
    World,
}

impl NameKind {
    /// All kinds, in the order of their names.
    pub const ALL: [Self; 17] = [
        Self::Actor,
        Self::Attribute,
        Self::Flag,
        Self::Function,
        Self::Item,
        Self::Label,
        Self::Map,
        Self::Material,
        Self::Model,
        Self::Node,
        Self::Palette,
        Self::Room,
        Self::Sound,
        Self::Text,
        Self::Texture,
        Self::Track,
        Self::World,
    ];

    /// The kind as a word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Actor => "actor",
            Self::Attribute => "attribute",
            Self::Flag => "flag",
            Self::Function => "function",
            Self::Item => "item",
            Self::Label => "label",
            Self::Map => "map",
            Self::Material => "material",
            Self::Model => "model",
            Self::Node => "node",
            Self::Palette => "palette",
            Self::Room => "room",
            Self::Sound => "sound",
            Self::Text => "text",
            Self::Texture => "texture",
            Self::Track => "track",
            Self::World => "world",
        }
    }

    /// Returns the kind of a media file that belongs to no game by its extension: an image or a sound.
    #[must_use]
    pub fn of_media(name: &str) -> Option<Self> {
        let (_, extension) = name.rsplit_once('.')?;
        let is_one_of = |known: &[&str]| known.iter().any(|known| known.eq_ignore_ascii_case(extension));
        if is_one_of(&IMAGES) {
            return Some(Self::Texture);
        }
        is_one_of(&SOUNDS).then_some(Self::Sound)
    }
}

/// Extensions of common image and video files.
const IMAGES: [&str; 10] = ["anm", "bmp", "dds", "jpeg", "jpg", "lbm", "pcx", "png", "smk", "tga"];

/// Extensions of common sound files.
const SOUNDS: [&str; 3] = ["mp3", "ogg", "wav"];

impl fmt::Display for NameKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name in a file.
#[derive(Debug, Clone, Copy)]
pub struct Named<'a> {
    /// The kind of object it refers to.
    pub kind: NameKind,
    /// The name as stored in the file. A path includes its folders and extension.
    pub text: &'a str,
    /// An additional name of the object; empty if it has only one.
    pub also: &'a str,
    /// Path of the field that contains the name.
    pub path: fmt::Arguments<'a>,
}

impl<'a> Named<'a> {
    /// Creates a name in a field.
    #[must_use]
    pub const fn new(kind: NameKind, text: &'a str, path: fmt::Arguments<'a>) -> Self {
        Self { kind, text, also: "", path }
    }
}

/// A callback that receives the names of a file.
pub type NameVisitor<'a> = &'a mut dyn FnMut(Named<'_>);

/// Visits every name in a file.
pub type VisitNames = fn(&dyn Asset, &Context<'_>, NameVisitor<'_>) -> Result<(), Error>;

/// The names that the files of a format contain.
#[derive(Debug, Clone, Copy, Default)]
pub struct Names {
    /// The kind of a file's own name in references: `LANTERN.3D` is the model LANTERN.
    pub file: Option<NameKind>,
    /// Fields that contain names, by the last members of their paths: `texture.name` matches every string at or below such a
    /// path. The first match applies.
    pub fields: &'static [(&'static str, NameKind)],
    /// Visits the names of a file that cannot be found by looking at its fields.
    pub visit: Option<VisitNames>,
}

impl Names {
    /// Nothing has a name.
    pub const NONE: Self = Self { file: None, fields: &[], visit: None };

    /// Only the file itself has a name.
    #[must_use]
    pub const fn of_file(kind: NameKind) -> Self {
        Self { file: Some(kind), ..Self::NONE }
    }

    /// Adds the fields that contain names.
    #[must_use]
    pub const fn in_fields(self, fields: &'static [(&'static str, NameKind)]) -> Self {
        Self { fields, ..self }
    }

    /// Sets the function that visits further names.
    #[must_use]
    pub const fn reported(self, visit: VisitNames) -> Self {
        Self { visit: Some(visit), ..self }
    }

    /// Whether files have to be opened to find the names in them.
    #[must_use]
    pub const fn are_inside(&self) -> bool {
        !self.fields.is_empty() || self.visit.is_some()
    }

    /// Visits every name in a file.
    ///
    /// # Errors
    /// When the file cannot be read to its end.
    pub fn visit(
        &self,
        asset: &dyn Asset,
        context: &Context<'_>,
        visitor: NameVisitor<'_>,
    ) -> Result<(), Error> {
        if !self.fields.is_empty() {
            let fields = asset.describe(Detail::Full).fields;
            // The layout that field paths use.
            let has_no_units = asset.unit_fields().is_empty();
            let view = has_no_units.then(|| asset.field_view(fields.root())).flatten();
            let fields = view.unwrap_or(fields);
            let (path, members) = (String::new(), Vec::new());
            Fields { fields: self.fields, path, members, visitor }.walk(fields.root());
        }
        match self.visit {
            Some(visit) => visit(asset, context, visitor),
            None => Ok(()),
        }
    }
}

/// Searches for strings in the given fields.
struct Fields<'d, 't> {
    fields: &'static [(&'static str, NameKind)],
    /// Path of the current field.
    path: String,
    /// Members on the path, including the variant names of values.
    members: Vec<Member<'d>>,
    visitor: NameVisitor<'t>,
}

/// A member of an object, or the variant name of a value.
#[derive(Clone, Copy)]
struct Member<'d> {
    name: &'d str,
    is_variant: bool,
}

impl<'d> Fields<'d, '_> {
    fn walk(&mut self, node: Node<'d>) {
        if let Some((name, value)) = node.variant() {
            self.members.push(Member { name, is_variant: true });
            self.walk(value);
            self.members.pop();
            return;
        }
        let end = self.path.len();
        match node.content() {
            Content::Object(members) => {
                for (name, value) in members.iter() {
                    push_member(&mut self.path, name);
                    self.members.push(Member { name, is_variant: false });
                    self.walk(value);
                    self.members.pop();
                    self.path.truncate(end);
                }
            }
            Content::List(items) => {
                for (index, item) in items.iter().enumerate() {
                    // Long lists of numbers are skipped.
                    if item.is_compound() || matches!(item.content(), Content::Text(_)) {
                        self.path.push_str(&format!("[{index}]"));
                        self.walk(item);
                        self.path.truncate(end);
                    }
                }
            }
            Content::Text(text) if !text.is_empty() => {
                let found = self.fields.iter().find(|(ending, _)| ends_with(&self.members, ending));
                if let Some((_, kind)) = found {
                    (self.visitor)(Named::new(*kind, text, format_args!("{}", self.path)));
                }
            }
            _ => {}
        }
    }
}

/// Whether the members end with a path. Variant names may be part of the path, as in `model.file` of an entity that is a model.
fn ends_with(members: &[Member<'_>], ending: &str) -> bool {
    let mut members = members.iter().rev();
    ending.rsplit('.').all(|wanted| {
        let fits = |member: &&Member<'_>| member.name == wanted || !member.is_variant;
        members.find(fits).is_some_and(|member| member.name == wanted)
    })
}
