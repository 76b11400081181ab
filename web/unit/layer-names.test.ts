import { describe, expect, it } from 'vitest';
import { layerOf } from '../src/scene/layer-names';

describe('the layer of a node', () => {
  it('is that of its extras or of its parent', () => {
    expect(layerOf('C_ROCK-colonly', { layer: 'collision' }, {}, null)).toBe('collision');
    expect(layerOf('collision_0-colonly', { collision: 0 }, {}, null)).toBe('collision');
    expect(layerOf('C_ROCK_0-colonly', {}, {}, null)).toBe('collision');
    expect(layerOf('leaf', {}, {}, 'props')).toBe('props');
    expect(layerOf('ROCK', {}, {}, null)).toBe('geometry');
  });

  it('is geometry for a model of an archive, whatever its collision flags', () => {
    expect(layerOf('ROCK', { segment: 'ROCK', collision: 0 }, {}, null)).toBe('geometry');
  });
});
