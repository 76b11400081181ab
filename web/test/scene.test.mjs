// Tests of the scene view and its tools.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { changed, Explorer, screenshotOf, settled, setUp, skip } from './explorer.mjs';

const ROOM = 'scpcb/GFX/map/hall_opt.rmesh';
// Without a playing clip.
const MODEL = 'redguard/fxart/WALKER01.3DC?s.clip=none';
// Also without animated water.
const MAP = 'redguard/maps/ISLAND.RGM?s.clip=none&s.moving=off';
const SKINNED = 'scpcb/GFX/map/Props/plant.b3d?s.clip=none';

describe('the scene view', { skip, timeout: 600_000 }, () => {
  const run = setUp({ before, after });

  /** Opens a scene, runs a test on it, and fails on any console message. */
  async function at(path, act, options = {}) {
    const explorer = await Explorer.open(run.browser, run.program.address, { path, ...options });
    try {
      const picture = explorer.page.getByRole('img', { name: /^Scene: / });
      await picture.waitFor();
      await settled(picture);
      await act(explorer.page, picture, explorer);
      assert.deepEqual(explorer.consoleMessages, []);
    } finally {
      await explorer.close();
    }
  }

  /** Opens the toolbar's menu, unless it is open. */
  async function openMenu(page) {
    const more = page.getByRole('button', { name: 'More view options' });
    if ((await more.getAttribute('aria-expanded')) === 'false') await more.click();
  }

  it('shows a room that is not blank', () =>
    at(ROOM, async (_page, picture, explorer) => {
      assert.ok((await explorer.colors(picture)) > 500);
      assert.match(await picture.getAttribute('aria-label'), /\d+ objects, [\d,]+ triangles/);
    }));

  for (const [what, path] of [
    ['morph targets', MODEL],
    ['bones', SKINNED],
  ]) {
    it(`plays and stops a clip with ${what}`, () =>
      at(path, async (page, picture) => {
        const before = await screenshotOf(picture);
        await page.getByRole('combobox', { name: 'Clip' }).selectOption({ index: 1 });
        await page.waitForTimeout(400);
        const during = await screenshotOf(picture);
        assert.notEqual(during, before);
        await page.waitForTimeout(500);
        assert.notEqual(await screenshotOf(picture), during);
        await page.getByRole('button', { name: 'Pause' }).click();
        const stopped = await settled(picture);
        // The clip was stopped at an unknown time, so at most one of these poses can be equal.
        const time = page.getByRole('slider', { name: 'Clip time' });
        await time.press('Home');
        const first = await settled(picture);
        await time.press('End');
        await time.press('PageDown');
        assert.ok([first, await settled(picture)].some(pose => pose !== stopped));
        await page.getByRole('combobox', { name: 'Clip' }).selectOption({ label: 'No clip' });
        await settled(picture);
      }));
  }

  for (const [path, field] of [
    [MODEL, /at=faces\[\d+\]/],
    [SKINNED, /at=chunks\[\d+\]/],
    ['scpcb/GFX/map/Props/lampshade.x', /at=(?:frames|meshes)\[\d+\]/],
  ]) {
    it(`shows the source field of a part of ${path.split('?')[0].split('/').pop()}`, () =>
      at(path, async (page, _picture, explorer) => {
        await page.getByRole('listbox', { name: 'Nodes' }).getByRole('option').last().click();
        await page.getByRole('region', { name: 'Selected field' }).waitFor();
        assert.match(await explorer.state(), field);
      }));
  }

  it('shows a map with fog and sky', () =>
    at(MAP, async (page, picture, explorer) => {
      const air = page.getByRole('button', { name: 'Fog and sky' });
      assert.equal(await air.getAttribute('aria-pressed'), 'false');
      const clear = await settled(picture);
      await air.click();
      await changed(picture, clear);
      assert.match(await explorer.state(), /s\.air=on/);
      await page.goto(`${run.program.address}#/`);
      await page.goto(`${run.program.address}#/${MAP}&s.camera=fly`);
      await air.and(page.locator('[aria-pressed=true]')).waitFor();
    }));

  it('shows the name of the hovered object without selecting it', () =>
    at(ROOM, async (page, picture, explorer) => {
      await picture.hover();
      const name = page.getByRole('tooltip');
      await name.waitFor();
      assert.notEqual(await name.textContent(), '');
      assert.doesNotMatch(await explorer.state(), /at=/);
      await page.getByRole('heading', { level: 1 }).hover();
      await name.waitFor({ state: 'hidden' });
    }));

  it('shows the textures of a model with another palette', () =>
    at(MODEL, async (page, picture, explorer) => {
      const before = await settled(picture);
      const palette = page.getByRole('main').getByRole('combobox', { name: 'Palette', exact: true });
      await palette.locator('option', { hasText: 'NEGATIVE.COL' }).waitFor({ state: 'attached' });
      await palette.selectOption({ label: 'NEGATIVE.COL – fxart' });
      assert.match(await explorer.state(), /o\.palette=redguard\/fxart\/NEGATIVE\.COL/);
      await picture.waitFor();
      await changed(picture, before);
    }));

  it('sets the weight of a morph target', () =>
    at(MODEL, async (page, picture) => {
      const before = await screenshotOf(picture);
      await page.getByText(/^Morph targets/).click();
      await page
        .getByRole('slider', { name: /^Morph target/ })
        .nth(4)
        .press('End');
      await changed(picture, before);
    }));

  it('hides and shows layers, and stores that in the URL', () =>
    at(ROOM, async (page, picture, explorer) => {
      const all = await screenshotOf(picture);
      await page.getByRole('checkbox', { name: 'Props' }).uncheck();
      const without = await changed(picture, all);
      assert.match(await explorer.state(), /s\.layers=-props/);
      await page.getByRole('checkbox', { name: 'Lights' }).check();
      await changed(picture, without);
      await page.reload();
      await picture.waitFor();
      assert.equal(await page.getByRole('checkbox', { name: 'Props' }).isChecked(), false);
    }));

  it('selects the clicked object, and shows it in the list', () =>
    at(ROOM, async (page, picture, explorer) => {
      const before = await screenshotOf(picture);
      await picture.click();
      const row = page.getByRole('listbox', { name: 'Nodes' }).getByRole('option', { selected: true });
      await row.waitFor();
      const name = (await row.textContent()) ?? '';
      assert.ok(name.length > 0);
      await changed(picture, before);
      // The URL contains the field of the surface, and clearing the selection restores the same view.
      assert.match(await explorer.state(), /at=surfaces\[\d+\]/);
      await page.keyboard.press('Escape');
      await row.waitFor({ state: 'detached' });
      assert.equal(await settled(picture), before);
    }));

  it('frames a node selected in the list', () =>
    at(ROOM, async (page, picture, explorer) => {
      const before = await screenshotOf(picture);
      await page.getByRole('searchbox', { name: 'Filter nodes' }).fill('model_');
      const list = page.getByRole('listbox', { name: 'Nodes' });
      await list.focus();
      await page.keyboard.press('ArrowDown');
      assert.match((await list.getByRole('option', { selected: true }).textContent()) ?? '', /^model_/);
      await changed(picture, before);
      assert.match(await explorer.state(), /s\.eye=/);
    }));

  it('renders in every shading mode', () =>
    at(ROOM, async (page, picture, explorer) => {
      await openMenu(page);
      const seen = new Set([await screenshotOf(picture)]);
      const shading = page.getByRole('combobox', { name: 'Shading' });
      for (const label of ['Lit', 'Unlit', 'Light only', 'Wireframe', 'Normals', 'UV checker', 'Vertex colors']) {
        await shading.selectOption({ label });
        seen.add(await settled(picture));
        assert.ok((await explorer.colors(picture)) > 2, label);
      }
      assert.equal(seen.size, 8);
    }));

  it('changes the brightness', () =>
    at(ROOM, async (page, picture, explorer) => {
      await openMenu(page);
      const before = await screenshotOf(picture);
      await page.getByRole('combobox', { name: 'Brightness' }).selectOption({ label: '2× brightness' });
      await changed(picture, before);
      assert.match(await explorer.state(), /s\.bright=2/);
    }));

  it('saves a PNG screenshot', () =>
    at(ROOM, async page => {
      const waiting = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Screenshot' }).click();
      const file = await waiting;
      assert.equal(file.suggestedFilename(), 'hall_opt.rmesh.png');
      const bytes = await readFile(await file.path());
      assert.deepEqual([...bytes.subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
      assert.ok(bytes.length > 10_000);
    }));

  it('saves a turntable as GIF', () =>
    at(MODEL, async (page, picture) => {
      const waiting = page.waitForEvent('download', { timeout: 120_000 });
      await openMenu(page);
      await page.getByRole('button', { name: 'GIF' }).click();
      const bytes = await readFile(await (await waiting).path());
      assert.equal(bytes.subarray(0, 6).toString('latin1'), 'GIF89a');
      await page.getByText('Saved', { exact: true }).first().waitFor();
      // The camera returns to its position.
      await settled(picture);
      assert.equal(bytes.subarray(-1)[0], 0x3b);
    }));

  it('measures the distance between two clicks', () =>
    at(ROOM, async (page, picture) => {
      await openMenu(page);
      await page.getByRole('button', { name: 'Measure' }).click();
      const box = await picture.boundingBox();
      await page.mouse.click(box.x + box.width * 0.5, box.y + box.height * 0.5);
      await page.mouse.click(box.x + box.width * 0.45, box.y + box.height * 0.6);
      await page
        .getByText(/^[\d.]+ (m|cm) \([\d.]+ game units\); X /)
        .first()
        .waitFor();
    }));

  it('orbits, zooms, flies and walks with the keyboard alone', () =>
    at(ROOM, async (page, picture) => {
      await page.getByRole('group', { name: /^3D view/ }).focus();
      let before = await screenshotOf(picture);
      for (const keys of [['ArrowRight'], ['+'], ['2', 'w'], ['3', 'w'], ['1'], ['f']]) {
        for (const key of keys) await page.keyboard.press(key, { delay: 250 });
        const now = await settled(picture);
        if (keys[0] !== '1') assert.notEqual(now, before, keys.join(' '));
        before = now;
      }
      assert.equal(await page.getByRole('button', { name: 'Orbit' }).getAttribute('aria-pressed'), 'true');
    }));

  for (const theme of ['dark', 'light']) {
    it(`has no accessibility violations in the ${theme} theme`, () =>
      at(
        ROOM,
        async (page, _picture, explorer) => {
          await page.getByText(/^Materials \(/).click();
          assert.deepEqual(await explorer.violations(), []);
        },
        { theme },
      ));
  }

  it('fits on a phone', () =>
    at(MODEL, async (page, picture, explorer) => {
      await page.setViewportSize({ width: 390, height: 844 });
      await settled(picture);
      const box = await picture.boundingBox();
      assert.ok(box.width * box.height > 0.6 * 390 * 844, JSON.stringify(box));
      assert.ok((await explorer.colors(picture)) > 20);
    }));

  it('reports the error of a truncated file', async () => {
    const explorer = await Explorer.open(run.browser, run.program.address, { path: 'harm/CUT.3DC?view=scene' });
    try {
      await explorer.page
        .getByText(/CUT\.3DC|damaged|bytes/)
        .first()
        .waitFor();
    } finally {
      await explorer.close();
    }
  });
});
