//! What is named in files: how one finds where in a game something occurs.

use std::fmt;

use json::{Content, Node, push_member};
use record::Error;
use serde::Serialize;

use crate::asset::{Asset, Detail};
use crate::context::Context;

/// What a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum NameKind {
    /// Something that scripts control: a person, a door.
    Actor,
    /// A property of actors.
    Attribute,
    /// A flag of the whole game.
    Flag,
    /// A function that scripts call.
    Function,
    /// Something that one carries.
    Item,
    /// What a line of dialogue is called by.
    Label,
    /// A map or a terrain.
    Map,
    /// A surface with its textures.
    Material,
    /// A model.
    Model,
    /// A part of a model or a scene.
    Node,
    /// A palette.
    Palette,
    /// A room of a map.
    Room,
    /// A sound, or music.
    Sound,
    /// What is shown or said.
    Text,
    /// A picture, whether on a model or by itself.
    Texture,
}

impl NameKind {
    /// All kinds, by their names.
    pub const ALL: [Self; 15] = [
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
    ];

    /// What it is called.
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
        }
    }

    /// The kind of a media file that belongs to no game, by its extension: an image or a sound.
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

/// The extensions of images and videos that many programs know.
const IMAGES: [&str; 10] = ["anm", "bmp", "dds", "jpeg", "jpg", "lbm", "pcx", "png", "smk", "tga"];

/// The extensions of sounds that many programs know.
const SOUNDS: [&str; 3] = ["mp3", "ogg", "wav"];

impl fmt::Display for NameKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name in a file.
#[derive(Debug, Clone, Copy)]
pub struct Named<'a> {
    /// What it stands for.
    pub kind: NameKind,
    /// The name, as the file has it: with folders and extension where it is a path.
    pub text: &'a str,
    /// What it is called as well; empty where it has one name.
    pub also: &'a str,
    /// The field that holds it.
    pub path: fmt::Arguments<'a>,
}

impl<'a> Named<'a> {
    /// A name in a field.
    #[must_use]
    pub const fn new(kind: NameKind, text: &'a str, path: fmt::Arguments<'a>) -> Self {
        Self { kind, text, also: "", path }
    }
}

/// Takes the names of a file.
pub type TakeName<'a> = &'a mut dyn FnMut(Named<'_>);

/// Tells of every name in a file.
pub type TellNames = fn(&dyn Asset, &Context<'_>, TakeName<'_>) -> Result<(), Error>;

/// What the files of a format name.
#[derive(Debug, Clone, Copy, Default)]
pub struct Names {
    /// What others name a file as: `LANTERN.3D` is the model LANTERN.
    pub file: Option<NameKind>,
    /// The fields that hold names, by the last members of their paths: each text in `texture.name` and below. The first that fits counts.
    pub fields: &'static [(&'static str, NameKind)],
    /// Tells of what is named in a file, where that takes more than to look at its fields.
    pub tell: Option<TellNames>,
}

impl Names {
    /// Nothing has a name.
    pub const NONE: Self = Self { file: None, fields: &[], tell: None };

    /// Only the file itself has a name.
    #[must_use]
    pub const fn of_file(kind: NameKind) -> Self {
        Self { file: Some(kind), ..Self::NONE }
    }

    /// Fields of these names hold names.
    #[must_use]
    pub const fn in_fields(self, fields: &'static [(&'static str, NameKind)]) -> Self {
        Self { fields, ..self }
    }

    /// There is more to be told.
    #[must_use]
    pub const fn told(self, tell: TellNames) -> Self {
        Self { tell: Some(tell), ..self }
    }

    /// Whether files must be read to learn what is named in them.
    #[must_use]
    pub const fn are_inside(&self) -> bool {
        !self.fields.is_empty() || self.tell.is_some()
    }

    /// Tells of every name in a file.
    ///
    /// # Errors
    /// When the file cannot be read any further.
    pub fn tell(&self, asset: &dyn Asset, context: &Context<'_>, take: TakeName<'_>) -> Result<(), Error> {
        if !self.fields.is_empty() {
            let fields = asset.describe(Detail::Full).fields;
            // As paths name them.
            let is_laid_out = asset.unit_fields().is_empty();
            let view = is_laid_out.then(|| asset.field_view(fields.root())).flatten();
            let fields = view.unwrap_or(fields);
            let (path, members) = (String::new(), Vec::new());
            Fields { fields: self.fields, path, members, take }.walk(fields.root());
        }
        match self.tell {
            Some(tell) => tell(asset, context, take),
            None => Ok(()),
        }
    }
}

/// Looks for the texts in some fields.
struct Fields<'d, 't> {
    fields: &'static [(&'static str, NameKind)],
    /// Where it stands.
    path: String,
    /// The members on the way there, and the forms that values have there.
    members: Vec<Member<'d>>,
    take: TakeName<'t>,
}

/// A member of an object, or the form that a value has.
#[derive(Clone, Copy)]
struct Member<'d> {
    name: &'d str,
    is_form: bool,
}

impl<'d> Fields<'d, '_> {
    fn walk(&mut self, node: Node<'d>) {
        if let Some((name, value)) = node.variant() {
            self.members.push(Member { name, is_form: true });
            self.walk(value);
            self.members.pop();
            return;
        }
        let end = self.path.len();
        match node.content() {
            Content::Object(members) => {
                for (name, value) in members.iter() {
                    push_member(&mut self.path, name);
                    self.members.push(Member { name, is_form: false });
                    self.walk(value);
                    self.members.pop();
                    self.path.truncate(end);
                }
            }
            Content::List(items) => {
                for (index, item) in items.iter().enumerate() {
                    // A list of numbers may be very long.
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
                    (self.take)(Named::new(*kind, text, format_args!("{}", self.path)));
                }
            }
            _ => {}
        }
    }
}

/// Whether members end as a path does. The forms of values may be part of the path, as in `model.file` of an entity that is a model.
fn ends_with(members: &[Member<'_>], ending: &str) -> bool {
    let mut members = members.iter().rev();
    ending.rsplit('.').all(|wanted| {
        let fits = |member: &&Member<'_>| member.name == wanted || !member.is_form;
        members.find(fits).is_some_and(|member| member.name == wanted)
    })
}
