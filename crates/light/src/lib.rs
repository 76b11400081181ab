//! Lightmaps for scenes of triangles.
//!
//! - [`unwrap()`] spreads triangles out in pages of texels, or whoever calls has done so before;
//! - [`Lit`] knows what each texel shows;
//! - [`World`] has the triangles and the [`Lamp`]s: [`World::direct`] is the light of the lamps, with soft shadows, [`World::bounced`] the light that
//!   comes from lit surfaces;
//! - [`fill`] gives texels that show nothing the light of their neighbors, so that no seams appear;
//! - [`Rays`] finds what a ray meets.
//!
//! Light is in numbers that add up; what they mean on a screen is for others to say. Nothing here depends on the number of threads: the same scene
//! gives the same light.
//!
//! | word | meaning |
//! | --- | --- |
//! | texel | a pixel of a lightmap |
//! | chart | connected triangles that lie next to each other in a lightmap |
//! | page | one picture of a lightmap |
//! | albedo | the share of light that a surface gives back |
//! | body | triangles that belong together, like those of a prop |
//! | buried | inside of something solid: never seen, and never lit |

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]
#![cfg_attr(
    test,
    allow(clippy::as_conversions, clippy::arithmetic_side_effects, reason = "numbers in tests are small")
)]

mod fill;
mod lamp;
pub mod parallel;
mod pattern;
mod rays;
mod texel;
mod unwrap;
mod world;

pub use fill::fill;
pub use lamp::{Cone, Lamp};
pub use rays::{Crossing, Face, Hit, Rays, Side};
pub use texel::{Lit, Spot};
pub use unwrap::{Facet, Layout, PADDING, PageSize, Place, Unwrapped, unwrap};
pub use world::{Quality, Triangle, World};
