//! All that the scripts of a map name.

use record::Result;
use soup::bytecode::Script;
use soup::find::{Mention, Named};

use super::{OPERANDS, ScriptContext};
use redguard_world::map::Map;
use redguard_world::map::script::Scripts;

/// A statement that names something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// Whose script it stands in.
    pub actor: String,
    /// The label of the routine it stands in; none in the one that the script begins with.
    pub routine: Option<String>,
    /// Its offset in the script.
    pub at: u32,
    /// Its line in the text, from 1 on.
    pub line: Option<usize>,
    /// How it names it, in one word: it reads, sets, calls or says it.
    pub how: &'static str,
    /// What is named.
    pub target: Target,
}

/// What a script names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    /// A routine of an actor of the same file; none for the one that its script begins with.
    Routine(String, Option<String>),
    /// Something of the whole game: its kind in one word, its name, and what is spoken with it.
    Shared(&'static str, String, Option<String>),
    /// A text of the actor.
    Text(String),
}

/// The kinds of [`Target::Shared`].
pub const KINDS: [&str; 8] =
    ["flag", "function", "property", "attribute", "animation", "item", "map", "line"];

/// What is named, in one word.
const fn kind_of(named: Named) -> &'static str {
    match named {
        Named::Flag(_) => "flag",
        Named::Function(_) => "function",
        Named::Property(_) => "property",
        Named::Text(_) => "text",
        Named::Attribute(_) => "attribute",
        Named::AnimationGroup(_) => "animation",
        Named::Item(_) => "item",
        Named::Map(_) => "map",
        Named::Label(_) => "line",
    }
}

/// All that the scripts of a map name, and which of their routines call which.
///
/// # Errors
/// When the definitions cannot be read, or the scripts are too long.
pub fn references(map: &Map, around: &ScriptContext<'_>) -> Result<Vec<Reference>> {
    let scripts = Scripts::of_game(map, &around.context, around.definitions)?;
    scripts.refuse_too_much(None)?;
    let mut out = Vec::new();
    for (index, object) in map.objects().iter().enumerate() {
        let actor = object.name.text();
        if let Some(hook) = scripts.sections.hook(object).flatten() {
            let name = name_of(&scripts, Named::Function(hook.function), &[]);
            let how = Mention::Hook.name();
            let target = Target::Shared("function", name, None);
            out.push(Reference { actor: actor.clone(), routine: None, at: 0, line: None, how, target });
        }
        let Some(bytes) = scripts.sections.script(object) else { continue };
        let script = Script::read(bytes, object.script_start, around.context.options.choice(&OPERANDS));
        let (texts, routines) = (scripts.texts(object), script.routines());
        let lines = scripts.with_surroundings(index, object, |around| script.text(around)).lines;
        let label = |routine: usize| {
            let first = routines.first.get(routine).filter(|_| routine > 0)?;
            script.statements.get(*first).map(|it| soup::text::place_label(it.at))
        };
        let reference = |statement: usize, how: &'static str, target: Target| Reference {
            actor: actor.clone(),
            routine: routines.of_statement.get(statement).and_then(|it| label(*it)),
            at: script.statements.get(statement).map_or(0, |it| it.at),
            line: lines.get(statement).copied(),
            how,
            target,
        };
        for (statement, routine, is_called) in &routines.entered {
            let how = if *is_called { "gosub" } else { "goes_on" };
            out.push(reference(*statement, how, Target::Routine(actor.clone(), label(*routine))));
        }
        for (statement, how, named) in script.mentions(&scripts.lexicon) {
            let name = name_of(&scripts, named, &texts);
            let target = match named {
                Named::Text(_) => match scripts.by_name(&name) {
                    Some(index) => {
                        let actor = map.objects().get(index).map_or(name, |object| object.name.text());
                        Target::Routine(actor, None)
                    }
                    None => Target::Text(name),
                },
                Named::Label(_) => {
                    let spoken = scripts.spoken.as_ref().and_then(|spoken| spoken.get(&name)).cloned();
                    Target::Shared(kind_of(named), name, spoken)
                }
                _ => Target::Shared(kind_of(named), name, None),
            };
            let how = if matches!(target, Target::Routine(..)) { "names" } else { how.name() };
            out.push(reference(statement, how, target));
        }
    }
    Ok(out)
}

/// The name of something, or its number.
fn name_of(scripts: &Scripts<'_>, named: Named, texts: &[String]) -> String {
    named.name(&scripts.lexicon, texts).unwrap_or_else(|| match named {
        Named::Flag(it) | Named::Function(it) | Named::Property(it) => format!("#{it}"),
        Named::Text(it) => format!("#{it}"),
        Named::Attribute(it)
        | Named::AnimationGroup(it)
        | Named::Item(it)
        | Named::Map(it)
        | Named::Label(it) => format!("#{it}"),
    })
}
