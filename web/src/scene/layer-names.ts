// The layer of each node, from its extras or from its kind.

import { type Json, objectOf, textOf } from './json';

/** Default layer of drawn nodes. */
export const GEOMETRY = 'geometry';

/** Layer of the terrain of a world. */
export const TERRAIN = 'terrain';

/** Layer of the sky and sun, which follow the camera. */
export const SKY = 'sky';

/** Layers of entity classes, where the names differ. */
const LAYER_OF_CLASS: Record<string, string> = {
  light: 'lights',
  spotlight: 'lights',
  light_fix: 'lights',
  model: 'props',
  mesh: 'props',
  soundemitter: 'sounds',
  waypoint: 'waypoints',
  screen: 'screens',
  save_screen: 'screens',
  playerstart: 'starts',
};

/** Layers that the game never shows, hidden by default. */
const HIDDEN = new Set([
  'collision',
  'triggers',
  'lights',
  'sounds',
  'waypoints',
  'screens',
  'starts',
  'markers',
  'walk',
  'visibility',
  SKY,
  'shapeless',
]);

/** Labels of layers whose names are unclear. */
const LABELS: Record<string, string> = {
  starts: 'player starts',
  walk: 'walk maps',
  shapeless: 'no model',
};

/** Layer of nodes without geometry, in layers that usually have geometry. */
export const SHAPELESS = 'shapeless';

export function labelOf(layer: string): string {
  const label = LABELS[layer] ?? layer;
  return label.charAt(0).toUpperCase() + label.slice(1);
}

/** Whether the nodes of a layer are markers instead of objects. */
export function isMarkerLayer(layer: string): boolean {
  return HIDDEN.has(layer);
}

/** Suffix of collision-only nodes, a convention of Godot. */
const COLLISION_SUFFIX = '-colonly';

export function layerOf(name: string, extras: Json, node: Json, parent: string | null): string {
  const named = textOf(extras.layer);
  if (named !== null) return named;
  if (extras.trigger !== undefined) return 'triggers';
  // In models of an archive, `collision` are the flags of a visible model.
  const isCollision = extras.collision !== undefined && extras.segment === undefined;
  if (isCollision || name.endsWith(COLLISION_SUFFIX)) return 'collision';
  const entity = textOf(objectOf(extras.entity).class);
  if (entity !== null) return LAYER_OF_CLASS[entity] ?? entity;
  if (node.mesh === undefined && objectOf(node.extensions).KHR_lights_punctual !== undefined) return 'lights';
  return parent ?? GEOMETRY;
}

export function isShownByDefault(layer: string): boolean {
  return !HIDDEN.has(layer);
}
