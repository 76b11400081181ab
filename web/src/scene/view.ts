// A loaded scene with everything that one can do to it. It knows nothing of buttons.

import { Vector3, type Box3, type Object3D, type Texture } from 'three';
import { Billboards } from './billboards';
import { Boxes } from './boxes';
import { isCameraMode, Rig, type CameraMode } from './camera';
import { Player } from './clips';
import { firstView, kindOf, sceneBox } from './framing';
import { MovingTextures } from './frames';
import { Glyphs } from './glyphs';
import { Grid } from './grid';
import { tripleOf } from './json';
import { GEOMETRY } from './layer-names';
import { Layers } from './layers';
import { Lighting } from './light';
import type { LoadedScene } from './load';
import { colorsToDisplay } from './materials/display';
import { isShading, MaterialLibrary, type Shading } from './materials/library';
import { Measure } from './measure';
import { findMorphs, type Morph } from './morph';
import { fieldOf, isShown, SceneIndex, type Item, type Part } from './objects';
import { Outline } from './outline';
import { Picking, type Picked } from './picking';
import { isPixels, PixelFilter, type Pixels } from './pixels';
import { readPointerTracks, type PointerTrack } from './pointer';
import { Rays } from './rays';
import { Screens } from './screens';
import { Selection } from './selection';
import type { ViewState } from './state';
import type { Theme } from './types';
import { unitsPerMeter } from './units';
import type { Viewer } from './viewer';

/** How many poses of a clip are looked at to frame it, and for how many parts at most. */
const POSES = 8;
const MANY_PARTS = 120;

export interface ViewEvents {
  /** Something was clicked; null for nothing. */
  picked(item: Item | null, field: string | null): void;
  measured(text: string): void;
  /** The clip has moved, or another is shown. */
  played(): void;
}

export class SceneView {
  readonly index: SceneIndex;
  readonly morphs: readonly Morph[];
  readonly player: Player;
  readonly layers: Layers;
  readonly rig: Rig;
  readonly selection: Selection;
  readonly picking: Picking;
  readonly measure: Measure;
  readonly grid: Grid;
  readonly lighting: Lighting;
  readonly moving: MovingTextures;
  readonly units: number | null;
  readonly box: Box3;
  shading: Shading = 'game';
  /** Whether the reader has moved the camera. */
  private hasOwnView = false;
  private readonly library: MaterialLibrary;
  private readonly pixels: PixelFilter;
  private readonly boxes: Boxes;
  private readonly outline: Outline;
  private readonly glyphs: Glyphs;
  private readonly screens: Screens;

  static async of(
    viewer: Viewer,
    loaded: LoadedScene,
    surface: HTMLElement,
    state: ViewState,
    theme: Theme,
    events: ViewEvents,
    signal: AbortSignal,
  ): Promise<SceneView> {
    return new SceneView(viewer, loaded, surface, state, theme, events, signal, await readPointerTracks(loaded));
  }

  private constructor(
    private readonly viewer: Viewer,
    private readonly loaded: LoadedScene,
    surface: HTMLElement,
    private readonly state: ViewState,
    theme: Theme,
    private readonly events: ViewEvents,
    signal: AbortSignal,
    pointers: PointerTrack[][],
  ) {
    const { root } = loaded;
    const { scene, camera } = viewer;
    const request = (): void => viewer.request();
    scene.add(root);
    this.index = new SceneIndex(loaded);
    this.morphs = findMorphs(root);
    this.library = new MaterialLibrary(edgeColor(theme));
    const pixels = state.get('pixels');
    this.pixels = new PixelFilter(
      loaded.surfaces,
      viewer.renderer.capabilities.getMaxAnisotropy(),
      isPixels(pixels) ? pixels : 'file',
    );
    this.prepareMeshes();
    this.player = new Player(root, loaded.clips, pointers, this.morphs, this.library, () => {
      this.boxes?.measure();
      events.played();
      request();
    });
    scene.updateMatrixWorld(true);
    this.units = unitsPerMeter(this.index);
    this.glyphs = new Glyphs(scene, this.index, this.units);
    this.screens = new Screens(scene, loaded, this.index, request);
    this.layers = new Layers(this.index, this.glyphs, this.screens, state.get('layers'));
    this.box = sceneBox(this.shownParts());
    const rays = new Rays(this.index);
    this.rig = new Rig(viewer, surface, rays, this.box, signal, () => this.keepCamera());
    this.outline = new Outline(viewer);
    this.selection = new Selection(scene, this.index, this.outline);
    this.picking = new Picking(viewer, rays, this.glyphs, signal, (picked) => this.click(picked));
    this.measure = new Measure(scene, this.units);
    this.boxes = new Boxes(scene, this.index.parts);
    this.grid = new Grid(scene, 0);
    this.lighting = new Lighting(scene, root, camera);
    this.moving = new MovingTextures(loaded, this.library, request, (textures) => this.pixels.add(textures));
    const billboards = new Billboards(this.index);
    viewer.onTick((seconds) => this.player.tick(seconds));
    viewer.onTick(() => {
      const { target } = this.rig;
      billboards.update(camera);
      this.lighting.update(target);
      this.grid.update(target, camera.position.distanceTo(target));
      return false;
    });
    this.setTheme(theme);
    const shade = state.get('shade');
    this.shade(isShading(shade) ? shade : 'game');
  }

  setShading(shading: Shading): void {
    this.shade(shading);
    this.state.set('shade', shading);
    this.viewer.request();
  }

  private shade(shading: Shading): void {
    this.shading = shading;
    for (const { mesh, surface } of this.index.parts) {
      if (this.layers.fixed.has(mesh)) continue;
      mesh.material = this.library.get(surface, mesh, mesh.geometry, shading);
    }
  }

  setPixels(pixels: Pixels): void {
    this.pixels.set(pixels);
    this.state.set('pixels', pixels);
    this.viewer.request();
  }

  setCamera(mode: CameraMode): void {
    this.rig.setMode(mode);
    this.state.set('camera', mode);
    this.keepCamera();
  }

  setLayer(name: string, on: boolean): void {
    this.layers.show(name, on);
    this.boxes.measure();
    this.state.set('layers', this.layers.changes());
    this.viewer.request();
  }

  showGrid(on: boolean): void {
    this.grid.visible = on;
    this.state.set('grid', on);
    this.viewer.request();
  }

  showBoxes(on: boolean): void {
    this.boxes.show(on);
    this.state.set('boxes', on);
    this.viewer.request();
  }

  moveTextures(on: boolean): void {
    this.state.set('moving', on);
    void this.moving.turn(on);
  }

  frameAll(how: 'at once' | 'travel' = 'travel'): void {
    const shown = this.shownParts();
    this.rig.goTo(firstView(shown, sceneBox(shown), this.viewer.camera), how);
  }

  /** Frames everything again if the reader has not chosen a view: poses of a clip may stand elsewhere than the one without. */
  followPose(): void {
    if (this.hasOwnView) return;
    this.viewer.scene.updateMatrixWorld();
    const shown = this.shownParts();
    const box = this.boxOfClip(shown);
    this.rig.goTo(firstView(shown, box, this.viewer.camera, this.player.current >= 0), 'at once');
    this.grid.ground = groundOf(box, kindOf(shown, box));
  }

  frameSelection(): void {
    const box = this.selection.box();
    if (box) this.rig.frame(box.expandByScalar(box.min.distanceTo(box.max) * 0.3));
    else this.frameAll();
  }

  /** Selects items, or nothing. */
  choose(items: readonly Item[]): void {
    this.selection.show(items);
    this.state.set('select', items[0]?.field ?? '');
    this.viewer.request();
  }

  /** Highlights and frames what stands for a field. True if there is something. */
  select(field: string | null): boolean {
    const items = field === null ? [] : this.selection.find(field);
    this.choose(items);
    if (items.length > 0) this.frameSelection();
    return items.length > 0;
  }

  setTheme(theme: Theme): void {
    this.viewer.setTheme(theme);
    this.grid.setTheme(theme);
    this.library.setEdgeColor(edgeColor(theme));
  }

  dispose(): void {
    this.moving.dispose();
    this.player.dispose();
    for (const it of [this.layers, this.glyphs, this.screens, this.measure, this.boxes, this.grid, this.selection, this.outline, this.rig, this.library]) {
      it.dispose();
    }
    free(this.loaded);
  }

  private prepareMeshes(): void {
    for (const { mesh } of this.index.parts) {
      colorsToDisplay(mesh.geometry);
      // Their boxes are those of one pose; others would vanish at the edge of the picture.
      if ('isSkinnedMesh' in mesh) mesh.frustumCulled = false;
    }
  }

  /** Brings back what the address says, once the picture has its size. */
  restore(): void {
    const { state } = this;
    this.grid.visible = state.isOn('grid');
    this.boxes.show(state.isOn('boxes'));
    const [eye = null, look = null] = [state.get('eye'), state.get('look')].map((it) => tripleOf(it.split(',').map(Number)));
    if (eye && look) this.rig.goTo({ eye: new Vector3(...eye), target: new Vector3(...look) }, 'at once');
    else this.followPose();
    this.hasOwnView = eye !== null && look !== null;
    const mode = state.get('camera');
    if (isCameraMode(mode) && mode !== 'orbit') this.rig.setMode(mode);
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    void this.moving.turn(state.isOn('moving') && !calm);
    const field = state.get('select');
    if (field !== '') this.selection.show(this.selection.find(field));
  }

  /** The box around all poses of the clip, where that does not take long; else around what is seen now. */
  private boxOfClip(parts: readonly Part[]): Box3 {
    const box = sceneBox(parts);
    const { player } = this;
    if (player.current < 0 || parts.length > MANY_PARTS) return box;
    const { time } = player;
    for (let i = 0; i < POSES; i++) {
      player.seek((player.seconds * i) / POSES);
      this.viewer.scene.updateMatrixWorld();
      box.union(sceneBox(parts));
    }
    player.seek(time);
    return box;
  }

  private shownParts(): readonly Part[] {
    const { parts } = this.index;
    const shown = parts.filter((part) => isShown(part.mesh));
    return shown.length > 0 ? shown : parts;
  }

  private keepCamera(): void {
    this.hasOwnView = true;
    const write = ({ x, y, z }: { x: number; y: number; z: number }): string =>
      [x, y, z].map((it) => Number(it.toFixed(3))).join(',');
    this.state.set('eye', write(this.viewer.camera.position));
    this.state.set('look', write(this.rig.target));
  }

  private click({ item, hit }: Picked): void {
    if (this.measure.isOn) {
      if (hit) this.events.measured(this.measure.add(hit.point));
      this.viewer.request();
      return;
    }
    const meant = item ? this.meant(item) : null;
    this.choose(meant ? [meant] : []);
    this.events.picked(meant, meant ? fieldOf(this.index, meant) : null);
  }

  /** A click on a thing of many parts means the thing, and a second one the part. The parts of the scene's own geometry are meant at once. */
  private meant(item: Item): Item {
    const { parent } = item;
    if (item.kind === 'node' || !parent || item.field !== null || item.layer === GEOMETRY) return item;
    return this.selection.items[0] === parent || this.selection.items[0]?.parent === parent ? item : parent;
  }
}

/** The ground: the floor of the world where it runs through a room or lies below a model, else the lowest point. */
function groundOf(box: Box3, kind: 'room' | 'model'): number {
  if (box.isEmpty()) return 0;
  const { x, y, z } = box.getSize(new Vector3());
  const isWide = Math.max(x, z) > 3 * y;
  const isNear = Math.abs(box.min.y) < 0.05 * y;
  return isNear || ((kind === 'room' || isWide) && box.min.y < 0 && box.max.y > 0) ? 0 : box.min.y;
}

function edgeColor(theme: Theme): number {
  return theme === 'dark' ? 0xc9d3de : 0x2b3440;
}

/** Gives back what the graphics card holds. */
function free({ root, surfaces }: LoadedScene): void {
  root.traverse((it: Object3D) => {
    if ('geometry' in it) (it.geometry as { dispose(): void }).dispose();
    if ('skeleton' in it) (it.skeleton as { dispose(): void }).dispose();
  });
  const textures = surfaces.flatMap((it) => [it.map, it.emissiveMap, it.lightmap?.texture ?? null]);
  for (const it of textures) closeTexture(it);
}

function closeTexture(texture: Texture | null): void {
  if (!texture) return;
  texture.dispose();
  const image: unknown = texture.image;
  if (typeof ImageBitmap !== 'undefined' && image instanceof ImageBitmap) image.close();
}
