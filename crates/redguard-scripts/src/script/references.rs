//! References from the scripts of a map.

use record::Result;
use soup::bytecode::Script;
use soup::find::{Mention, Named};

use super::{OPERANDS, ScriptContext};
use redguard_world::map::Map;
use redguard_world::map::script::Scripts;

/// A statement that refers to something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// The name of the actor whose script contains the statement.
    pub actor: String,
    /// The label of the routine that contains the statement; `None` for the routine at the start of the script.
    pub routine: Option<String>,
    /// The offset of the statement in the script.
    pub at: u32,
    /// The one-based line of the statement in the text.
    pub line: Option<usize>,
    /// The kind of reference, in one word: the statement reads, sets, calls or says the target.
    pub kind: &'static str,
    /// The target of the reference.
    pub target: Target,
}

/// The target of a reference.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    /// A routine of an actor in the same file; `None` for the routine at the start of its script.
    Routine(String, Option<String>),
    /// A name shared by the entire game: its kind in one word, the name, and the spoken text if it is a dialogue label.
    Shared(&'static str, String, Option<String>),
    /// A text of the actor.
    Text(String),
}

/// The kinds of [`Target::Shared`].
pub const KINDS: [&str; 8] =
    ["flag", "function", "property", "attribute", "animation", "item", "map", "line"];

/// Returns the kind of a name, in one word.
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

/// Returns all references from the scripts of a map, including calls between routines.
///
/// # Errors
/// Returns an error if the definitions cannot be read, or the scripts are too long.
pub fn references(map: &Map, script_context: &ScriptContext<'_>) -> Result<Vec<Reference>> {
    let scripts = Scripts::of_game(map, &script_context.context, script_context.definitions)?;
    scripts.check_limits(None)?;
    let mut out = Vec::new();
    for (index, object) in map.objects().iter().enumerate() {
        let actor = object.name.text();
        if let Some(hook) = scripts.sections.hook(object).flatten() {
            let name = name_of(&scripts, Named::Function(hook.function), &[]);
            let kind = Mention::Hook.name();
            let target = Target::Shared("function", name, None);
            out.push(Reference { actor: actor.clone(), routine: None, at: 0, line: None, kind, target });
        }
        let Some(bytes) = scripts.sections.script(object) else { continue };
        let script =
            Script::read(bytes, object.script_start, script_context.context.options.choice(&OPERANDS));
        let (texts, routines) = (scripts.texts(object), script.routines());
        let lines = scripts.with_surroundings(index, object, |surroundings| script.text(surroundings)).lines;
        let label = |routine: usize| {
            let first = routines.first.get(routine).filter(|_| routine > 0)?;
            script.statements.get(*first).map(|it| soup::text::label_at(it.at))
        };
        let reference = |statement: usize, kind: &'static str, target: Target| Reference {
            actor: actor.clone(),
            routine: routines.of_statement.get(statement).and_then(|it| label(*it)),
            at: script.statements.get(statement).map_or(0, |it| it.at),
            line: lines.get(statement).copied(),
            kind,
            target,
        };
        for (statement, routine, is_called) in &routines.entered {
            let kind = if *is_called { "gosub" } else { "goes_on" };
            out.push(reference(*statement, kind, Target::Routine(actor.clone(), label(*routine))));
        }
        for (statement, kind, named) in script.mentions(&scripts.lexicon) {
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
                    let spoken =
                        scripts.spoken.as_ref().and_then(|spoken| spoken.get(&name)).map(str::to_owned);
                    Target::Shared(kind_of(named), name, spoken)
                }
                _ => Target::Shared(kind_of(named), name, None),
            };
            let kind = if matches!(target, Target::Routine(..)) { "names" } else { kind.name() };
            out.push(reference(statement, kind, target));
        }
    }
    Ok(out)
}

/// Returns a name, or its number if it is unknown.
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
