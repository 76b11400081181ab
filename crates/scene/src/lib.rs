//! Game-neutral scenes, meshes, materials and images, and the files they become.
