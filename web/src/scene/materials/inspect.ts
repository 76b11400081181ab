// Materials for inspecting a mesh: normals, texture coordinates, vertex colors and edges.

import {
  CanvasTexture,
  LinearMipmapLinearFilter,
  type Material,
  MeshBasicMaterial,
  MeshNormalMaterial,
  NearestFilter,
  NoColorSpace,
  RepeatWrapping,
  type Texture,
} from 'three';
import type { Surface } from './surface';
import type { Traits } from './traits';

/** World-space normals as colors: X is red, Y is green, Z is blue, and 0 is the medium value. */
export function normals(surface: Surface, traits: Traits): Material {
  const it = new MeshNormalMaterial({ flatShading: traits.isFlat, side: surface.side });
  it.onBeforeCompile = shader => {
    shader.fragmentShader = shader.fragmentShader
      .replace('uniform float opacity;', 'uniform float opacity;\n#include <common>')
      .replace('normalize( normal ) * 0.5', 'inverseTransformDirection( normal, viewMatrix ) * 0.5');
  };
  it.customProgramCacheKey = () => 'scene-normals';
  return it;
}

/** A checkerboard of 8 x 8 cells mapped by the first texture coordinates; gray without any. */
export function texels(surface: Surface, traits: Traits, board: Texture): Material {
  const it = new MeshBasicMaterial({ side: surface.side, map: traits.hasUvs ? board : null });
  it.color.set(traits.hasUvs ? 0xffffff : 0x808080);
  return it;
}

/** The vertex colors alone; gray without any. */
export function colors(surface: Surface, traits: Traits): Material {
  const it = new MeshBasicMaterial({ side: surface.side, vertexColors: traits.hasColors });
  it.color.set(traits.hasColors ? 0xffffff : 0x808080);
  return it;
}

/** The edges of all triangles. */
export function edges(surface: Surface, color: number): Material {
  return new MeshBasicMaterial({ side: surface.side, wireframe: true, color });
}

/** A checkerboard whose colors increase along U (red) and V (green), to reveal mirrored and rotated coordinates. */
export function checkerboard(): Texture {
  const fields = 8;
  const side = 64;
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = fields * side;
  const context = canvas.getContext('2d');
  if (context) {
    context.font = `${side * 0.4}px sans-serif`;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    for (let y = 0; y < fields; y++) {
      for (let x = 0; x < fields; x++) {
        const light = (x + y) % 2 === 0 ? 90 : 20;
        context.fillStyle = `rgb(${light + 20 * x}, ${light + 20 * y}, ${light + 40})`;
        context.fillRect(x * side, y * side, side, side);
        context.fillStyle = '#ffffff';
        context.fillText(`${'ABCDEFGH'.charAt(x)}${y + 1}`, (x + 0.5) * side, (y + 0.5) * side);
      }
    }
  }
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = NoColorSpace;
  texture.flipY = false;
  texture.wrapS = texture.wrapT = RepeatWrapping;
  texture.magFilter = NearestFilter;
  texture.minFilter = LinearMipmapLinearFilter;
  return texture;
}
