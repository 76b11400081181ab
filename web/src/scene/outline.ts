// An outline around objects: they are drawn into a mask, and the edges of the mask are drawn over the scene.

import {
  Color,
  Mesh,
  MeshBasicMaterial,
  NormalBlending,
  type Object3D,
  OrthographicCamera,
  PlaneGeometry,
  Scene,
  ShaderMaterial,
  Vector2,
  WebGLRenderTarget,
} from 'three';
import type { Viewer } from './viewer';

/** Purposes of an outline: the three.js layer that only the mask draws, and the color. */
export const SELECTED = { layer: 30, color: 0xffb020 } as const;
export const HOVERED = { layer: 29, color: 0x7ab0ff } as const;

/** Half the line width, in screen pixels. */
const WIDTH = 1.6;

const VERTEX = 'varying vec2 at; void main() { at = uv; gl_Position = vec4( position.xy, 0.0, 1.0 ); }';

const FRAGMENT = `
uniform sampler2D mask;
uniform vec2 texel;
uniform vec3 color;
varying vec2 at;
void main() {
  float inside = texture2D( mask, at ).r;
  float most = 0.0;
  float least = 1.0;
  for ( int i = 0; i < 8; i ++ ) {
    float angle = float( i ) * 0.7853981;
    float there = texture2D( mask, at + texel * vec2( cos( angle ), sin( angle ) ) ).r;
    most = max( most, there );
    least = min( least, there );
  }
  float edge = most - least;
  float alpha = max( edge, inside * 0.06 );
  if ( alpha < 0.01 ) discard;
  gl_FragColor = vec4( color, alpha );
}`;

export class Outline {
  private selected: readonly Object3D[] = [];
  private readonly target = new WebGLRenderTarget(1, 1, { samples: 4 });
  private readonly white = new MeshBasicMaterial({ color: 0xffffff, side: 2 });
  private readonly quad: Mesh<PlaneGeometry, ShaderMaterial>;
  private readonly overlay = new Scene();
  private readonly flat = new OrthographicCamera(-1, 1, 1, -1, 0, 1);
  private readonly size = new Vector2();
  private readonly black = new Color(0);

  constructor(
    private readonly viewer: Viewer,
    private readonly purpose: typeof SELECTED | typeof HOVERED = SELECTED,
  ) {
    const material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: {
        mask: { value: this.target.texture },
        texel: { value: new Vector2() },
        color: { value: new Color(purpose.color) },
      },
      transparent: true,
      blending: NormalBlending,
      depthTest: false,
      depthWrite: false,
      toneMapped: false,
    });
    this.quad = new Mesh(new PlaneGeometry(2, 2), material);
    this.quad.frustumCulled = false;
    this.overlay.add(this.quad);
    viewer.onDrawn(() => this.draw());
  }

  show(objects: readonly Object3D[]): void {
    for (const it of this.selected) it.layers.disable(this.purpose.layer);
    this.selected = objects;
    for (const it of objects) it.layers.enable(this.purpose.layer);
    this.viewer.request();
  }

  setColor(color: string): void {
    this.uniform<Color>('color').set(color);
  }

  private uniform<T>(name: string): T {
    return this.quad.material.uniforms[name]?.value as T;
  }

  dispose(): void {
    this.target.dispose();
    this.white.dispose();
    this.quad.geometry.dispose();
    this.quad.material.dispose();
  }

  private draw(): void {
    if (this.selected.length === 0) return;
    const { renderer, scene, camera } = this.viewer;
    renderer.getDrawingBufferSize(this.size);
    if (this.size.x !== this.target.width || this.size.y !== this.target.height) {
      this.target.setSize(this.size.x, this.size.y);
    }
    const width = WIDTH * renderer.getPixelRatio();
    this.uniform<Vector2>('texel').set(width / this.size.x, width / this.size.y);
    const { background } = scene;
    const layers = camera.layers.mask;
    scene.background = this.black;
    scene.overrideMaterial = this.white;
    camera.layers.set(this.purpose.layer);
    renderer.setRenderTarget(this.target);
    renderer.render(scene, camera);
    renderer.setRenderTarget(null);
    camera.layers.mask = layers;
    scene.overrideMaterial = null;
    scene.background = background;
    renderer.autoClear = false;
    renderer.render(this.overlay, this.flat);
    renderer.autoClear = true;
  }
}
