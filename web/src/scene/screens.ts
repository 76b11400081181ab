// Images attached to nodes without a mesh, by the image index in their extras. They are shown above the marker.

import { LinearFilter, NoColorSpace, type Scene, Sprite, SpriteMaterial, type Texture } from 'three';
import { numberOf } from './json';
import type { LoadedScene } from './load';
import type { SceneIndex } from './objects';

/** Height in meters. */
const HEIGHT = 0.45;

export class Screens {
  private readonly sprites: Sprite[] = [];
  private isOn = false;
  private isLoaded = false;

  constructor(
    private readonly scene: Scene,
    private readonly loaded: LoadedScene,
    private readonly index: SceneIndex,
    private readonly changed: () => void,
  ) {}

  show(on: boolean): void {
    this.isOn = on;
    for (const it of this.sprites) it.visible = on;
    if (on && !this.isLoaded) {
      this.isLoaded = true;
      void this.load();
    }
  }

  dispose(): void {
    for (const { material } of this.sprites) {
      material.map?.dispose();
      material.dispose();
    }
  }

  private async load(): Promise<void> {
    for (const item of this.index.items) {
      const image = numberOf(item.extras.image);
      if (image === null || item.layer !== 'screens') continue;
      const texture = await this.loaded.textures.image(image);
      this.add(texture, item.object.getWorldPosition(item.object.position.clone()));
    }
    this.changed();
  }

  private add(texture: Texture, at: { x: number; y: number; z: number }): void {
    texture.colorSpace = NoColorSpace;
    texture.minFilter = LinearFilter;
    texture.generateMipmaps = false;
    const { width = 1, height = 1 } = texture.image as { width?: number; height?: number };
    const sprite = new Sprite(new SpriteMaterial({ map: texture }));
    // glTF images start at the top row, sprites at the bottom row.
    sprite.scale.set((HEIGHT * width) / Math.max(1, height), -HEIGHT, 1);
    sprite.position.set(at.x, at.y + HEIGHT, at.z);
    sprite.visible = this.isOn;
    this.sprites.push(sprite);
    this.scene.add(sprite);
  }
}
