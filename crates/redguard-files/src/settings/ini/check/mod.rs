//! Checks settings files.

mod combat;
mod declared;
mod driver;
mod file;
mod fog;
mod item;
mod keys;
mod line;
mod menu;
mod sound;
mod surface;
pub(crate) mod warning;
mod world;

use asset::{Context, Report};

use super::lookup::Lookup;
use super::{Kind, Settings};

pub use warning::CODES;

/// A settings file to check.
pub(super) struct Subject<'a> {
    pub settings: &'a Settings,
    pub kind: Option<Kind>,
    pub lookup: Lookup<'a>,
    pub context: &'a Context<'a>,
}

pub(super) fn check(settings: &Settings, context: &Context<'_>, report: &mut Report) {
    let kind = settings.kind_in(context);
    let subject = Subject { settings, kind, lookup: Lookup::new(settings.ini()), context };
    line::check(&subject, report);
    declared::check(&subject, report);
    match kind {
        Some(Kind::World) => world::check(&subject, report),
        Some(Kind::Combat) => combat::check(&subject, report),
        Some(Kind::Item) => item::check(&subject, report),
        Some(Kind::Menu) => menu::check(&subject, report),
        Some(Kind::Keys) => keys::check(&subject, report),
        Some(Kind::Surface) => surface::check(&subject, report),
        Some(Kind::Fog) => fog::check(&subject, report),
        Some(Kind::Driver) => driver::check(&subject, report),
        Some(Kind::System) if subject.lookup.section("system").is_none() => {
            report.warn(&warning::REQUIRED, "section [system] is missing");
        }
        _ => {}
    }
}
