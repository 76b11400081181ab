// Tests of touch input on a phone.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Explorer, setUp, skip } from './explorer.mjs';

const PHONE = { width: 390, height: 844 };

describe('touch input', { skip, timeout: 300_000 }, () => {
  const run = setUp({ before, after });

  async function at(path, act) {
    const explorer = await Explorer.open(run.browser, run.program.address, { path, size: PHONE, isTouch: true });
    try {
      await act(explorer.page, explorer, await touchMover(explorer.page));
      assert.deepEqual(explorer.consoleMessages, []);
      const overflow = await explorer.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(overflow <= 0, `the page is ${overflow} pixels too wide`);
    } finally {
      await explorer.close();
    }
  }

  /** Returns a function that moves fingers, each from one point to another, using touch events. */
  async function touchMover(page) {
    const session = await page.context().newCDPSession(page);
    return async (...paths) => {
      const points = part =>
        paths.map(([from, to], id) => ({
          x: from[0] + (to[0] - from[0]) * part,
          y: from[1] + (to[1] - from[1]) * part,
          id,
        }));
      await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: points(0) });
      for (let step = 1; step <= 8; step++) {
        await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: points(step / 8) });
        await page.waitForTimeout(20);
      }
      await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    };
  }

  async function centerOf(locator) {
    const { x, y, width, height } = await locator.boundingBox();
    return [x + width / 2, y + height / 2];
  }

  /** The camera in the URL: its position and its distance to the target. */
  function cameraOf(state) {
    const triple = name => new RegExp(`s\\.${name}=([^&]+)`).exec(state)?.[1].split(',').map(Number);
    const [eye, look] = [triple('eye'), triple('look')];
    return eye && look ? { eye, distance: Math.hypot(...eye.map((it, axis) => it - look[axis])) } : null;
  }

  it('orbits a scene with one finger and zooms in with two', () =>
    at('redguard/fxart/WALKER01.3DC?s.clip=none', async (page, explorer, move) => {
      const picture = page.getByRole('img', { name: /^Scene: / });
      await picture.waitFor();
      await page.waitForTimeout(800);
      const [x, y] = await centerOf(picture);
      await move([
        [x, y],
        [x + 90, y],
      ]);
      await page.waitForTimeout(600);
      const turned = cameraOf(await explorer.state());
      assert.ok(turned, 'the camera has not moved');
      await move(
        [
          [x - 20, y],
          [x - 90, y],
        ],
        [
          [x + 20, y],
          [x + 90, y],
        ],
      );
      await page.waitForTimeout(600);
      const near = cameraOf(await explorer.state());
      assert.ok(near.distance < turned.distance * 0.8, `${turned.distance} became ${near.distance}`);
    }));

  it('selects an object with a tap', () =>
    at('scpcb/GFX/map/hall_opt.rmesh', async (page, explorer) => {
      const picture = page.getByRole('img', { name: /^Scene: / });
      await picture.waitFor();
      await page.waitForTimeout(800);
      await page.touchscreen.tap(...(await centerOf(picture)));
      assert.match(await explorer.state(), /at=/);
    }));

  it('zooms in on an image with two fingers', () =>
    at('redguard/fxart/SUN001.BSI', async (page, _explorer, move) => {
      const picture = page.getByRole('img', { name: /pixels/ });
      await picture.waitFor();
      const zoom = () =>
        page
          .getByLabel('Zoom level')
          .textContent()
          .then(text => parseInt(text, 10));
      const before = await zoom();
      const [x, y] = await centerOf(picture);
      await move(
        [
          [x - 20, y],
          [x - 60, y],
        ],
        [
          [x + 20, y],
          [x + 60, y],
        ],
      );
      assert.ok((await zoom()) > before * 1.5, `${before} % became ${await zoom()} %`);
    }));

  it('scrolls a long text without a gap', () =>
    at('harm/long.txt', async (page, _explorer, move) => {
      const text = page.getByRole('region', { name: 'Text', exact: true });
      await text.getByText('line 1', { exact: true }).waitFor();
      const [x, y] = await centerOf(text);
      for (let times = 0; times < 4; times++)
        await move([
          [x, y + 150],
          [x, y - 150],
        ]);
      await text.getByText('line 1', { exact: true }).waitFor({ state: 'detached' });
      const { shown, height } = await text.evaluate(region => {
        const box = region.getBoundingClientRect();
        const middle = document
          .elementsFromPoint(box.left + 60, box.top + box.height / 2)
          .some(it => /line \d+/.test(it.textContent ?? ''));
        return { shown: middle, height: box.height };
      });
      assert.ok(shown && height > 200);
    }));

  it('selects bytes with a tap, but not while scrolling', () =>
    at('harm/large.bin?view=bytes', async (page, explorer, move) => {
      const bytes = page.getByRole('grid', { name: /^Bytes/ });
      await bytes.getByRole('rowheader').nth(3).waitFor();
      const [x, y] = await centerOf(bytes);
      await move([
        [x, y + 60],
        [x, y - 60],
      ]);
      assert.doesNotMatch(await explorer.state(), /offset=/);
      await bytes.getByRole('gridcell').nth(40).tap();
      assert.match(await explorer.state(), /offset=/);
    }));

  it('opens a file from the gallery', () =>
    at('redguard/fxart', async page => {
      await page
        .getByRole('listbox', { name: 'Entries of this folder' })
        .getByRole('option', { name: /SKY001\.BSI/ })
        .tap();
      await page.getByRole('heading', { name: 'SKY001.BSI' }).waitFor();
    }));
});
