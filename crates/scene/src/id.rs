//! Typed indices into the lists of a scene: one type per list, so that a mesh cannot be mistaken for a material.

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident)*) => { $(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub usize);
    )* };
}

ids! {
    /// Index into [`Scene::nodes`](crate::Scene::nodes).
    NodeId
    /// Index into [`Scene::meshes`](crate::Scene::meshes).
    MeshId
    /// Index into [`Scene::materials`](crate::Scene::materials).
    MaterialId
    /// Index into [`Scene::textures`](crate::Scene::textures).
    TextureId
    /// Index into [`Scene::images`](crate::Scene::images).
    ImageId
    /// Index into [`Scene::lights`](crate::Scene::lights).
    LightId
    /// Index into [`Scene::skins`](crate::Scene::skins).
    SkinId
}
