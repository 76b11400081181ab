//! Which thing of a scene is meant: one small type per list, so that a mesh is never taken for a material.

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident)*) => { $(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub usize);
    )* };
}

ids! {
    /// A place in [`Scene::nodes`](crate::Scene::nodes).
    NodeId
    /// A place in [`Scene::meshes`](crate::Scene::meshes).
    MeshId
    /// A place in [`Scene::materials`](crate::Scene::materials).
    MaterialId
    /// A place in [`Scene::textures`](crate::Scene::textures).
    TextureId
    /// A place in [`Scene::images`](crate::Scene::images).
    ImageId
    /// A place in [`Scene::lights`](crate::Scene::lights).
    LightId
    /// A place in [`Scene::skins`](crate::Scene::skins).
    SkinId
}
