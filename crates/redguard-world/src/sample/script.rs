//! Scripts of the island's objects.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use record::{Error, Result};
use soup::text::SourceContext;
use soup::{Definitions, Lexicon, Script};

use super::settings;

/// The keeper greets the player once when he comes near, and walks his rounds. Where the keeper rests, the player can talk to him.
const KEEPER: &str = "
if Asked_Once = 0 and PlayerDistance() < 20000 {
    SetGlobalFlag(#Asked_Once)
    gosub greets
}
var0 = var0 + 1
if var0 > 2 {
    var0 = 0
}
MoveToLocation(var0, 40)
var1 = 20
end rests

rests:
if ACTIVATE('kpnm') = 1 {
    gosub answers
}
var1 = var1 - 1
if var1 > 0 {
    end rests
}
end

greets:
RotateToAxis(1, 128, 8)
RTX('well')
if \"lamp\".PlayerDistance() > 8000 {
    RTX('tide')
}
Wait(20)
return

answers:
Talking = 1
menuNew()
menuAddItem('ask1', 1, 0)
menuAddItem('ask2', 2, 0)
menuProc()
if menuSelection() = 1 {
    RTX('keep')
    SetGlobalFlag(#FixBell)
}
Talking = 0
return
";

/// The lamp is lit once its flag is set.
const LAMP: &str = "
if TestGlobalFlag(#Asked_Once) = 0 {
    end
}
LightFlicker(30, 4)
var0 = 1
end burns

burns:
if Me.active = 0 {
    LightFlickerOff()
    end
}
end burns
";

/// A barrel bobs up and down.
const BARREL: &str = "
Me.pos.vy++
Wait(4)
Me.pos.vy--
Wait(4)
end
";

/// Wind and gusts.
const FLAG: &str = "
PushAnimation(1, 25)
PushAnimation(10, 1)
PushAnimation(1, 3)
PushAnimation(10, 2)
end
";

/// A script that does nothing.
const IDLE: &str = "end\n";

/// Returns the script of an object; `texts` are the texts that it refers to.
pub(super) fn script_of(object: &str, texts: &[String]) -> Result<Vec<u8>> {
    static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| {
        let definitions = Definitions::read(settings::definitions().lines());
        Lexicon::new(&definitions, &BTreeMap::new(), &BTreeMap::new())
    });
    let text = match object {
        "KEEPER" => KEEPER,
        "LAMP" => LAMP,
        "BARREL" => BARREL,
        "FLAG2" => FLAG,
        _ => IDLE,
    };
    let surroundings =
        SourceContext { lexicon: &LEXICON, actor: object, index: 0, texts, spoken: &|_: &str| None };
    let parsed = Script::parse(text, &surroundings).map_err(|problems| {
        let first = problems
            .first()
            .map_or_else(String::new, |problem| format!("line {}: {}", problem.line, problem.message));
        Error::malformed(format!("the script of {object}: {first}"))
    })?;
    Ok(parsed.script.write())
}
