// A loaded scene and its operations, independent of the controls.

import { type Atmosphere, atmosphereOf } from './atmosphere';
import { Billboards } from './billboards';
import { Boxes } from './boxes';
import { Rig } from './camera';
import { Player } from './clips';
import { sceneBox } from './framing';
import { Glyphs } from './glyphs';
import { Grid } from './grid';
import { GEOMETRY, isMarkerLayer, SKY } from './layer-names';
import { Layers } from './layers';
import { Lighting } from './light';
import type { LoadedScene } from './load';
import { colorsToDisplay } from './materials/display';
import { isBrightness, isShading, MaterialLibrary, type Role, type Shading } from './materials/library';
import { Measure } from './measure';
import { findMorphs, type Morph } from './morph';
import { fieldOf, type Item, SceneIndex } from './objects';
import { HOVERED, Outline } from './outline';
import { type Picked, Picking } from './picking';
import { isPixels, PixelFilter, type Pixels } from './pixels';
import { type PointerTrack, readPointerTracks } from './pointer-tracks';
import { Rays } from './rays';
import { release } from './release';
import { Screens } from './screens';
import { Selection } from './selection';
import { SkyDome } from './sky';
import type { ViewState } from './state';
import { TextureAnimations } from './texture-animations';
import type { Theme } from './types';
import { unitsPerMeter } from './units';
import type { Viewer } from './viewer';
import { shownParts, Viewpoint } from './viewpoint';

/** Maximum number of items to highlight on hover; larger groups are nearly the entire scene. */
const MAX_HOVERED = 400;

export interface ViewEvents {
  /** Called with the clicked item, or null. */
  picked(item: Item | null, field: string | null): void;
  measured(text: string): void;
  /** Called when the clip or its time has changed. */
  played(): void;
}

export class SceneView {
  readonly index: SceneIndex;
  readonly morphs: readonly Morph[];
  readonly player: Player;
  readonly layers: Layers;
  readonly rig: Rig;
  readonly viewpoint: Viewpoint;
  readonly selection: Selection;
  readonly picking: Picking;
  readonly measure: Measure;
  readonly grid: Grid;
  readonly lighting: Lighting;
  readonly textureAnimations: TextureAnimations;
  readonly units: number | null;
  shading: Shading = 'game';
  /** Whether fog and sky are shown. */
  isAtmosphereShown = false;
  private readonly atmosphere: Atmosphere | null;
  private readonly dome: SkyDome | null;
  private readonly library: MaterialLibrary;
  private readonly pixels: PixelFilter;
  private readonly boxes: Boxes;
  private readonly outline: Outline;
  private readonly hoverOutline: Outline;
  private readonly glyphs: Glyphs;
  private readonly screens: Screens;

  static async of(
    viewer: Viewer,
    loaded: LoadedScene,
    acceptsKeys: (target: EventTarget | null) => boolean,
    state: ViewState,
    theme: Theme,
    events: ViewEvents,
    signal: AbortSignal,
  ): Promise<SceneView> {
    return new SceneView(viewer, loaded, acceptsKeys, state, theme, events, signal, await readPointerTracks(loaded));
  }

  private constructor(
    private readonly viewer: Viewer,
    private readonly loaded: LoadedScene,
    acceptsKeys: (target: EventTarget | null) => boolean,
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
    this.atmosphere = atmosphereOf(this.index.extras);
    this.library = new MaterialLibrary(edgeColor(theme), this.atmosphere);
    if (isBrightness(state.get('bright'))) this.library.setBrightness(state.number('bright', 1));
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
    this.dome = this.atmosphere ? new SkyDome(this.index, this.atmosphere, request) : null;
    this.glyphs = new Glyphs(scene, this.index, this.units);
    this.screens = new Screens(scene, loaded, this.index, request);
    this.layers = new Layers(
      this.index,
      this.glyphs,
      this.screens,
      state.get('layers'),
      this.dome?.exists ? SKY : null,
    );
    const box = sceneBox(shownParts(this.index));
    const rays = new Rays(this.index);
    this.rig = new Rig(viewer, acceptsKeys, rays, box, signal, how => this.viewpoint.save(how));
    this.outline = new Outline(viewer);
    this.selection = new Selection(scene, this.index, this.outline);
    this.hoverOutline = new Outline(viewer, HOVERED);
    this.picking = new Picking(viewer, rays, this.glyphs, signal, picked => this.click(picked));
    this.measure = new Measure(scene, this.units);
    this.boxes = new Boxes(scene, this.index.parts);
    this.grid = new Grid(scene, 0);
    this.viewpoint = new Viewpoint(viewer, this.index, this.rig, this.player, this.selection, this.grid, state);
    this.lighting = new Lighting(scene, root, camera, this.atmosphere?.daylight ?? null);
    this.textureAnimations = new TextureAnimations(loaded, this.library, request, textures =>
      this.pixels.add(textures),
    );
    const billboards = new Billboards(this.index);
    viewer.onTick(seconds => this.player.tick(seconds));
    viewer.onTick(() => {
      const { target } = this.rig;
      billboards.update(camera);
      if (this.isAtmosphereShown) this.dome?.update(camera);
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
    for (const { mesh, surface, item } of this.index.parts) {
      if (this.layers.fixed.has(mesh)) continue;
      mesh.material = this.library.get(surface, mesh, mesh.geometry, shading, roleOf(item));
    }
    this.updateAtmosphere();
  }

  /** Whether the scene has fog or sky. */
  get hasAtmosphere(): boolean {
    return this.atmosphere?.fog != null || this.dome?.exists === true;
  }

  /** Shows or hides fog and sky; `auto` shows them while flying or walking. */
  setAtmosphere(mode: 'auto' | 'on' | 'off'): void {
    this.state.set('air', mode);
    this.updateAtmosphere();
  }

  /** Updates fog and sky for the current setting and camera mode. */
  updateAtmosphere(): void {
    if (!this.hasAtmosphere) return;
    const setting = this.state.get('air');
    const isRequested = setting === 'on' || (setting !== 'off' && this.rig.mode !== 'orbit');
    this.isAtmosphereShown = isRequested && this.shading === 'game';
    this.library.setFog(this.isAtmosphereShown);
    this.viewer.setBackdrop(this.isAtmosphereShown ? (this.atmosphere?.fog?.color ?? null) : null);
    this.layers.show(SKY, this.isAtmosphereShown);
    this.dome?.setScrolling(this.isAtmosphereShown && this.state.isOn('moving'));
    this.viewer.request();
  }

  setBrightness(factor: string): void {
    this.library.setBrightness(Number(factor));
    this.state.set('bright', factor);
    this.viewer.request();
  }

  setPixels(pixels: Pixels): void {
    this.pixels.set(pixels);
    this.state.set('pixels', pixels);
    this.viewer.request();
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

  setTextureAnimations(on: boolean): void {
    this.state.set('moving', on);
    void this.textureAnimations.setPlaying(on);
    this.updateAtmosphere();
  }

  /** Selects items; an empty list clears the selection. */
  choose(items: readonly Item[]): void {
    this.selection.show(items);
    this.viewer.request();
  }

  /** Highlights the hovered items that are not selected. */
  hover(items: readonly Item[]): void {
    const parts =
      items.length > MAX_HOVERED
        ? []
        : this.selection.partsOf(items.filter(item => !this.selection.items.includes(item)));
    this.hoverOutline.show(parts.map(part => part.mesh));
  }

  /** Highlights the items of a field. */
  hoverField(field: string | null): void {
    this.hover(field === null ? [] : this.selection.find(field));
  }

  /** Selects the items of a field and optionally frames them. Returns whether there are any. */
  select(field: string | null, how: 'select and frame' | 'select'): boolean {
    const items = field === null ? [] : this.selection.find(field);
    this.choose(items);
    if (items.length > 0 && how === 'select and frame') this.viewpoint.frameSelection();
    return items.length > 0;
  }

  setTheme(theme: Theme): void {
    this.viewer.setTheme(theme);
    this.grid.setTheme(theme);
    this.library.setEdgeColor(edgeColor(theme));
  }

  dispose(): void {
    this.textureAnimations.dispose();
    this.dome?.dispose();
    this.player.dispose();
    for (const it of [
      this.layers,
      this.glyphs,
      this.screens,
      this.measure,
      this.boxes,
      this.grid,
      this.selection,
      this.outline,
      this.hoverOutline,
      this.rig,
      this.library,
    ]) {
      it.dispose();
    }
    release(this.loaded);
  }

  private prepareMeshes(): void {
    for (const { mesh } of this.index.parts) {
      colorsToDisplay(mesh.geometry);
      // Bounds are only valid for one pose; other poses would be culled at the edges of the view.
      if ('isSkinnedMesh' in mesh) mesh.frustumCulled = false;
    }
  }

  /** Restores the state from the URL. Call it after the canvas has its size. */
  restore(): void {
    const { state } = this;
    this.grid.visible = state.isOn('grid');
    this.boxes.show(state.isOn('boxes'));
    this.viewpoint.restore();
    this.updateAtmosphere();
    const prefersReducedMotion = matchMedia('(prefers-reduced-motion: reduce)').matches;
    void this.textureAnimations.setPlaying(state.isOn('moving') && !prefersReducedMotion);
  }

  private click({ item, hit }: Picked): void {
    if (this.measure.isOn) {
      if (hit) this.events.measured(this.measure.add(hit.point));
      this.viewer.request();
      return;
    }
    const selectionTarget = item ? this.selectionTarget(item) : null;
    this.choose(selectionTarget ? [selectionTarget] : []);
    this.events.picked(selectionTarget, selectionTarget ? fieldOf(this.index, selectionTarget) : null);
  }

  /** The item that a click on a part selects: first the node, then the part itself. Parts of the scene's geometry are selected directly. */
  selectionTarget(item: Item): Item {
    const { parent } = item;
    if (item.kind === 'node' || !parent || item.field !== null || item.layer === GEOMETRY) return item;
    return this.selection.items[0] === parent || this.selection.items[0]?.parent === parent ? item : parent;
  }
}

/** The role of an item: part of the world, sky, sun or helper. */
function roleOf({ layer, extras, parent }: Item): Role {
  if (layer === SKY) return extras.billboard === true || parent?.extras.billboard === true ? 'sun' : 'sky';
  return isMarkerLayer(layer) ? 'helper' : 'world';
}

function edgeColor(theme: Theme): number {
  return theme === 'dark' ? 0xc9d3de : 0x2b3440;
}
