// Which layer a node belongs to. Layers are named by the file: by the extras of nodes, or by what a node is.

import { type Json, objectOf, textOf } from './json';

/** The layer of what is drawn and has no other. */
export const GEOMETRY = 'geometry';

/** The layer of the ground of a world. */
export const TERRAIN = 'terrain';

/** The layer of what stands behind everything and goes with the camera. */
export const SKY = 'sky';

/** Classes of entities whose layer has another name than the class. */
const OF_CLASS: Record<string, string> = {
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

/** Layers that the game never shows; they are off until one asks for them. */
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

/** What a layer is called on the page, where its own name says too little. */
const LABELS: Record<string, string> = {
  starts: 'player starts',
  walk: 'walk maps',
  shapeless: 'without a model',
};

/** The layer of nodes that draw nothing, in layers that otherwise do. */
export const SHAPELESS = 'shapeless';

export function labelOf(layer: string): string {
  const label = LABELS[layer] ?? layer;
  return label.charAt(0).toUpperCase() + label.slice(1);
}

/** Whether nodes of this layer are markers rather than things. */
export function isMarkerLayer(layer: string): boolean {
  return HIDDEN.has(layer);
}

/** Ends the names of nodes that only stop the player, by the convention of Godot. */
const COLLISION_SUFFIX = '-colonly';

export function layerOf(name: string, extras: Json, node: Json, parent: string | null): string {
  const named = textOf(extras.layer);
  if (named !== null) return named;
  if (extras.trigger !== undefined) return 'triggers';
  if (extras.collision !== undefined || name.endsWith(COLLISION_SUFFIX)) return 'collision';
  const entity = textOf(objectOf(extras.entity).class);
  if (entity !== null) return OF_CLASS[entity] ?? entity;
  if (node.mesh === undefined && objectOf(node.extensions).KHR_lights_punctual !== undefined) return 'lights';
  return parent ?? GEOMETRY;
}

export function isShownAtFirst(layer: string): boolean {
  return !HIDDEN.has(layer);
}
