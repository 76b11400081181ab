#![cfg_attr(docsrs, feature(doc_cfg))]
//! Lightmaps for scenes of triangles.
//!
//! - [`unwrap()`] arranges triangles on pages of texels, unless the caller already has such an arrangement;
//! - [`TexelMap`] contains the points of the surface that each texel shows;
//! - [`World`] contains the triangles and the [`Lamp`]s: [`World::direct`] computes the direct light with soft
//!   shadows, [`World::bounced`] the light reflected by lit surfaces;
//! - [`fill`] extrapolates light to texels that show nothing, so that no seams appear;
//! - [`RayCaster`] finds the triangles that a ray intersects.
//!
//! Light is measured in additive units whose meaning on a display is up to the caller. Results do not depend on the
//! number of threads: the same scene always gets the same light.
//!
//! | term | meaning |
//! | --- | --- |
//! | texel | a pixel of a lightmap |
//! | chart | connected triangles that are adjacent in a lightmap |
//! | page | one image of a lightmap |
//! | albedo | the fraction of light that a surface reflects |
//! | body | triangles that belong together, such as those of a prop |
//! | buried | inside of a solid object: never visible, and never lit |

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
pub use rays::{Crossing, Face, Hit, RayCaster, Side};
pub use texel::{SurfacePoint, TexelMap};
pub use unwrap::{Facet, Layout, PADDING, PageSize, Placement, Unwrapped, unwrap};
pub use world::{Quality, Triangle, World};
