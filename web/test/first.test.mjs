// First-use scenarios: browsing, searching, walking and listening without instructions.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { changed, Explorer, settled, setUp, skip } from './explorer.mjs';

const ROOM = 'scpcb/GFX/map/hall_opt.rmesh';
const MAP = 'redguard/maps/ISLAND.RGM';
const MODEL = 'redguard/fxart/WALKER01.3DC';
const KEEPER = 'sections[13].records[0]';
const SMALL = { width: 1280, height: 720 };
const PHONE = { width: 390, height: 844 };

describe('first use', { skip, timeout: 900_000 }, () => {
  const run = setUp({ before, after }, games => {
    const harm = games.folders[games.folders.length - 1];
    const picture = readFileSync(join(dirname(harm), 'demo/scpcb/GFX/map/tiles.png'));
    mkdirSync(join(harm, 'odd'));
    for (const name of ['173h.pt', 'FACE.AIJ']) writeFileSync(join(harm, 'odd', name), picture);
    // "Дверь заперта. Нужен ключ." in windows-1251.
    const cyrillic = [...'Дверь заперта. Нужен ключ.'].map(letter =>
      letter < '\u0400' ? letter.charCodeAt(0) : letter.charCodeAt(0) - 0x410 + 0xc0,
    );
    writeFileSync(join(harm, 'russian.txt'), Buffer.from(cyrillic));
  });

  async function at(path, act, options = {}) {
    const explorer = await Explorer.open(run.browser, run.program.address, { path, ...options });
    try {
      await act(explorer.page, explorer);
      assert.deepEqual(explorer.consoleMessages, []);
    } finally {
      await explorer.close();
    }
  }

  /** Waits for the canvas of a scene. */
  async function canvasOf(page) {
    const picture = page.getByRole('img', { name: /^Scene: / });
    await picture.waitFor();
    return picture;
  }

  /** A vector from the URL. */
  function vectorOf(state, name) {
    return new RegExp(`s\\.${name}=([^&]+)`).exec(state)?.[1].split(',').map(Number) ?? null;
  }

  const distance = (a, b) => Math.hypot(...a.map((value, axis) => value - b[axis]));

  describe('walking', () => {
    it('starts at the player start of a room, and W moves immediately', () =>
      at(ROOM, async (page, explorer) => {
        await canvasOf(page);
        await page.getByRole('button', { name: 'Walk', exact: true }).click();
        const start = vectorOf(await explorer.state(), 'eye');
        // The player start is at (-2.5, 0.44, 3.125), below the eyes.
        assert.ok(Math.abs(start[0] + 2.5) < 0.01 && Math.abs(start[2] - 3.125) < 0.01, String(start));
        await page.waitForFunction(() => document.pointerLockElement instanceof HTMLCanvasElement);
        await page.keyboard.down('w');
        await page.waitForTimeout(600);
        await page.keyboard.up('w');
        const moved = vectorOf(await explorer.state(), 'eye');
        assert.ok(distance(start, moved) > 0.1, `${start} became ${moved}`);
        assert.ok(Math.abs(start[1] - moved[1]) < 0.3, 'walking stays on the ground');
        const before = vectorOf(await explorer.state(), 'look');
        await page.mouse.move(640, 300);
        await page.mouse.move(760, 320);
        assert.ok(distance(before, vectorOf(await explorer.state(), 'look')) > 0.05, 'the captured mouse looks around');
        await page.keyboard.press('Escape');
        await page.waitForFunction(() => document.pointerLockElement === null);
      }));

    it('starts at a marker of a map, using only the keyboard', () =>
      at(MAP, async (page, explorer) => {
        await canvasOf(page);
        await page.keyboard.press('3');
        const start = vectorOf(await explorer.state(), 'eye');
        const markers = [
          [-2713.6, -1653.4],
          [-2713.6, -1623.4],
        ];
        assert.ok(
          markers.some(([x, z]) => Math.abs(start[0] - x) < 0.1 && Math.abs(start[2] - z) < 0.1),
          String(start),
        );
        await page.keyboard.down('w');
        await page.waitForTimeout(600);
        await page.keyboard.up('w');
        assert.ok(distance(start, vectorOf(await explorer.state(), 'eye')) > 0.1);
      }));

    it('shows movement buttons on a phone', () =>
      at(
        ROOM,
        async (page, explorer) => {
          await canvasOf(page);
          const pad = page.getByRole('group', { name: 'Move' });
          assert.equal(await pad.isVisible(), false);
          await page.getByRole('button', { name: 'Walk', exact: true }).tap();
          await pad.waitFor();
          const start = vectorOf(await explorer.state(), 'eye');
          const { x, y, width, height } = await pad.getByRole('button', { name: 'Forward' }).boundingBox();
          assert.ok(width >= 44 && height >= 44);
          const session = await page.context().newCDPSession(page);
          await session.send('Input.dispatchTouchEvent', {
            type: 'touchStart',
            touchPoints: [{ x: x + width / 2, y: y + height / 2 }],
          });
          await page.waitForTimeout(600);
          await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
          assert.ok(distance(start, vectorOf(await explorer.state(), 'eye')) > 0.1);
        },
        { size: PHONE, isTouch: true },
      ));
  });

  describe('the start page', () => {
    it('shows the contents of a game, with counts and thumbnails', () =>
      at('redguard', async page => {
        for (const kind of [
          'Maps 3',
          'Characters 2',
          'Models 3',
          'Images \\d\\d',
          'Sounds 1',
          'Scripts 1',
          'Texts 1',
          'Fonts 4',
        ]) {
          await page
            .getByRole('main')
            .getByRole('link', { name: new RegExp(kind) })
            .waitFor();
        }
        await page.locator('.kind-card.is-models img').first().waitFor();
        assert.equal(await page.getByRole('listbox', { name: 'Entries of this folder' }).count(), 0);
        await page.getByRole('link', { name: /Models/ }).focus();
        await page.keyboard.press('Enter');
        const entries = page.getByRole('listbox', { name: 'Entries of this folder' });
        await entries.getByRole('option', { name: /ISLAND\.ROB/ }).waitFor();
        assert.equal(await entries.getByRole('option').count(), 3);
      }));

    it('shows all games', () =>
      at('', async page => {
        for (const name of ['redguard', 'scpcb', 'ragnarok'])
          await page.getByRole('region', { name, exact: true }).getByRole('link', { name: /\d/ }).first().waitFor();
        await page
          .getByRole('region', { name: 'scpcb', exact: true })
          .getByRole('link', { name: /Rooms 1/ })
          .click();
        await page.getByRole('option', { name: /hall_opt/ }).click();
        await page.getByRole('heading', { name: 'hall_opt.rmesh' }).waitFor();
      }));

    it('opens a script of a map from the list of scripts', () =>
      at('redguard?kind=scripts', async page => {
        await page.getByRole('option', { name: /ISLAND\.RGM/ }).click();
        await page.getByRole('tab', { name: 'Scripts', selected: true }).waitFor();
      }));

    it('filters a folder by kind', () =>
      at('redguard/fxart', async (page, explorer) => {
        const kinds = page.getByRole('group', { name: 'Kind' });
        await kinds.getByRole('button', { name: /Characters/ }).click();
        const entries = page.getByRole('listbox', { name: 'Entries of this folder' });
        await entries.getByRole('option', { name: /WALKER01/ }).waitFor();
        assert.equal(await entries.getByRole('option').count(), 2);
        assert.match(await explorer.state(), /kind=characters/);
        await kinds.getByRole('button', { name: 'All' }).press('Enter');
        await entries.getByRole('option', { name: /FOG\.INI/ }).waitFor();
      }));
  });

  describe('the search', () => {
    const option = (page, name) => page.getByRole('listbox', { name: 'Results' }).getByRole('option', { name });

    it('finds names and contents together', () =>
      at('', async page => {
        await page.keyboard.press('/');
        await page.keyboard.type('barrel');
        await option(page, /BARREL01\.3D.*fxart/)
          .first()
          .waitFor();
        await option(page, /BARREL.*ISLAND\.RGM/)
          .first()
          .waitFor();
      }));

    it('finds rooms before sounds', () =>
      at('', async page => {
        await page.keyboard.press('/');
        // Both match: the sound matches more closely, but the room is listed first.
        await page.keyboard.type('am');
        await option(page, /hum\.wav/)
          .first()
          .waitFor();
        const all = await page.getByRole('listbox', { name: 'Results' }).getByRole('option').allTextContents();
        const [map, sound] = [
          all.findIndex(text => text.includes('halls.cbmap2') || text.includes('SAMPLE.')),
          all.findIndex(text => text.startsWith('hum.wav')),
        ];
        assert.ok(map >= 0 && map < sound, JSON.stringify(all));
      }));

    for (const [what, query, hit, check] of [
      [
        'a line of dialogue in its row',
        'comes in faster',
        /Mind the tide.*ENGLISH\.RTX/,
        page => page.getByRole('row', { selected: true, name: /Mind the tide/ }).waitFor(),
      ],
      [
        'a line of a script',
        'no mood for guests',
        /no mood.*ISLAND\.RGM/,
        page => page.locator('[aria-current=true]', { hasText: 'no mood for guests' }).waitFor(),
      ],
      [
        'an object in its scene',
        'LANTRN01',
        /LANTRN01.*ISLAND\.RGM/,
        page => page.getByRole('region', { name: 'Selected field' }).getByText('S005_LANTRN01').waitFor(),
      ],
      [
        'a setting in its line',
        'how the keeper fights',
        /keeper fights.*COMBAT\.INI/,
        page => page.locator('[aria-current=true]', { hasText: 'keeper fights' }).waitFor(),
      ],
    ]) {
      it(`opens ${what}`, () =>
        at('', async page => {
          await page.keyboard.press('Control+k');
          await page.keyboard.type(query);
          await option(page, hit).first().click();
          await check(page);
        }));
    }
  });

  describe('the picture', () => {
    for (const path of [ROOM, MAP, MODEL]) {
      it(`fills most of the window: ${path}`, () =>
        at(
          path,
          async page => {
            const { width, height } = await (await canvasOf(page)).boundingBox();
            assert.ok(width * height >= 0.6 * 1280 * 720, `${width} x ${height}`);
            await page.setViewportSize(PHONE);
            await page.waitForTimeout(300);
            const phone = await (await canvasOf(page)).boundingBox();
            assert.ok(phone.width * phone.height >= 0.6 * 390 * 844, `${phone.width} x ${phone.height}`);
          },
          { size: SMALL },
        ));
    }

    it('fills most of the window with an image', () =>
      at(
        'redguard/fxart/SKY001.BSI',
        async page => {
          const { width, height } = await page.getByRole('region', { name: 'Image' }).boundingBox();
          assert.ok(width * height >= 0.6 * 1280 * 720, `${width} x ${height}`);
        },
        { size: SMALL },
      ));

    it('hides its panels, and shows them on request', () =>
      at(
        ROOM,
        async page => {
          await canvasOf(page);
          const props = page.getByRole('checkbox', { name: 'Props' });
          assert.equal(await props.count(), 0);
          await page.getByRole('button', { name: 'About this file' }).click();
          await props.waitFor();
          await page.getByRole('button', { name: 'Close details' }).click();
          await props.waitFor({ state: 'detached' });
          await page.keyboard.press('i');
          await props.waitFor();
        },
        { size: SMALL },
      ));

    it('has one small toolbar, with other controls in a menu', () =>
      at(ROOM, async page => {
        await canvasOf(page);
        const bar = page.getByRole('toolbar', { name: 'Scene' });
        assert.ok((await bar.boundingBox()).height < 60);
        assert.equal(await page.getByRole('combobox', { name: 'Shading' }).count(), 0);
        const more = page.getByRole('button', { name: 'More view options' });
        await more.focus();
        await page.keyboard.press('Enter');
        await page.getByRole('combobox', { name: 'Shading' }).waitFor();
        for (const name of ['Grid', 'Boxes', 'Measure', 'GIF', 'Video', 'Frame selection'])
          await page.getByRole('button', { name, exact: true }).waitFor();
        await page.keyboard.press('Escape');
        assert.equal(await page.getByRole('combobox', { name: 'Shading' }).count(), 0);
        assert.equal(await more.evaluate(button => button === document.activeElement), true);
      }));

    it('plays the first clip', () =>
      at(MODEL, async page => {
        await canvasOf(page);
        await page.getByRole('group', { name: 'Clip' }).getByRole('button', { name: 'Pause' }).waitFor();
        const time = () => page.getByRole('slider', { name: 'Clip time' }).inputValue();
        const first = await time();
        await page.waitForFunction(
          before => document.querySelector('[aria-label="Clip time"]').value !== before,
          first,
        );
        await page.keyboard.press(' ');
        await page.getByRole('group', { name: 'Clip' }).getByRole('button', { name: 'Play' }).waitFor();
      }));

    it('opens a map at its main group of objects, and returns there', () =>
      at(`${MAP}?s.clip=none&s.moving=off`, async (page, explorer) => {
        const picture = await canvasOf(page);
        const first = await settled(picture);
        await page.keyboard.press('ArrowRight');
        const state = await explorer.state();
        // The island is more than four kilometers wide; its hut and palms are around (-2713, 2, -1638).
        assert.ok(distance(vectorOf(state, 'eye'), [-2713, 2, -1638]) < 150, state);
        await changed(picture, first);
        await page.getByRole('button', { name: 'Reset view' }).click();
        await page.waitForTimeout(500);
        await page.mouse.move(5, 5);
        // The hint over the canvas has faded out by now.
        assert.ok((await explorer.difference(await settled(picture), first)) < 0.02);
        assert.doesNotMatch(await explorer.state(), /s\.eye/);
      }));

    it('restores the view from a link copied right after a quick drag', () =>
      at(ROOM, async (page, explorer) => {
        const picture = await canvasOf(page);
        await settled(picture);
        const { x, y, width, height } = await picture.boundingBox();
        await page.mouse.move(x + width / 2, y + height / 2);
        await page.mouse.down();
        await page.mouse.move(x + width / 2 + 180, y + height / 2 + 30, { steps: 3 });
        await page.mouse.up();
        const link = await page.evaluate(() => location.hash.slice(2));
        await page.mouse.move(5, 5);
        const seen = await settled(picture);
        await at(link, async other => {
          assert.ok((await explorer.difference(await settled(await canvasOf(other)), seen)) < 0.002);
        });
        assert.equal(decodeURIComponent(link), await explorer.state());
      }));
  });

  describe('actors, props and sounds', () => {
    it('links an actor to its script, lines, clips and attributes', () =>
      at(`${MAP}?s.clip=none&at=${KEEPER}`, async (page, explorer) => {
        const card = page.getByRole('region', { name: 'Selected field' });
        await card.getByText('health').waitFor();
        await card.getByRole('link', { name: /WALKER01\.3DC/ }).waitFor();
        const play = card.getByRole('button', { name: /^Play Mind the tide/ });
        await play.click();
        await card.getByRole('button', { name: /^Pause Mind the tide/ }).waitFor();
        await card.getByRole('button', { name: 'anim_idle1' }).click();
        assert.equal(
          await page
            .getByRole('combobox', { name: 'Clip' })
            .evaluate(select => select.selectedOptions[0].text.startsWith('KEEPER: anim_idle1')),
          true,
        );
        await card.getByRole('button', { name: 'Show text' }).click();
        // The map and the script are visible together.
        await card.getByRole('region', { name: 'Script of KEEPER' }).getByText('MoveToLocation').waitFor();
        assert.ok((await (await canvasOf(page)).boundingBox()).width > 400);
        await card.getByRole('link', { name: 'Open script' }).press('Enter');
        await page.getByRole('region', { name: 'Script of KEEPER' }).getByText('MoveToLocation').waitFor();
        await page.getByRole('button', { name: 'Show in scene' }).click();
        await canvasOf(page);
        assert.match(await explorer.state(), /at=sections\[13\]\.records\[0\]/);
      }));

    it('steps through the scripts of a map with the keyboard', () =>
      at(`${MAP}?view=script`, async page => {
        const list = page.getByRole('listbox', { name: /^Scripts, 6/ });
        await list.press('End');
        await page.getByRole('region', { name: 'Script of FLAG2' }).getByText('actor').waitFor();
        await list.press('Home');
        await page.getByRole('region', { name: 'Script of CYRUS' }).getByText('end').waitFor();
      }));

    it('links a prop to its file', () =>
      at(`${ROOM}?at=entities[10]`, async page => {
        await page
          .getByRole('list', { name: 'Files of the selection' })
          .getByRole('link', { name: /lampshade\.x/ })
          .click();
        await page.getByRole('heading', { name: 'lampshade.x' }).waitFor();
      }));

    it('finds a map object in a model library', () =>
      at(`${MAP}?s.clip=none&at=sections[15].records[5]`, async page => {
        await page
          .getByRole('list', { name: 'Files of the selection' })
          .getByRole('link', { name: /LANTRN01.*ISLAND\.ROB/ })
          .click();
        await page.getByRole('heading', { name: 'ISLAND.ROB' }).waitFor();
        await canvasOf(page);
      }));

    it('searches for the worlds with the music of a world', () =>
      at('redguard/WORLD.INI?at=world["world_redbook[1]"]', async page => {
        const numbers = page.getByRole('list', { name: 'Numbers of the selection' });
        await numbers.getByRole('button', { name: 'Find CD track 5' }).click();
        assert.equal(await page.getByRole('combobox', { name: 'Search' }).inputValue(), 'track:5');
        await page.getByRole('option', { name: /WORLD\.INI/ }).waitFor();
      }));

    it('plays a selected sound', () =>
      at(`${ROOM}?at=entities[9]`, async page => {
        const files = page.getByRole('list', { name: 'Files of the selection' });
        await files.getByRole('link', { name: /hum\.wav/ }).waitFor();
        await files.getByRole('button', { name: 'Play hum.wav' }).press('Enter');
        await files.getByRole('button', { name: 'Pause hum.wav' }).waitFor();
      }));
  });

  describe('keys and focus', () => {
    it('assigns each letter to one shortcut', () =>
      at('', async page => {
        await page.keyboard.press('?');
        const keys = await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).locator('dt').allTextContents();
        assert.ok(keys.length > 30);
        const single = keys
          .flatMap(text => text.split(/[\s,]+|…| and | or /))
          .filter(key => /^(?:[^\s]|Space|Comma)$/.test(key) && !'←→↑↓'.includes(key));
        const twice = single.filter((key, at) => single.indexOf(key) !== at);
        assert.deepEqual(twice, []);
      }));

    it('keeps the shortcuts of the page in a scene', () =>
      at(MODEL, async page => {
        await canvasOf(page);
        await page.getByRole('group', { name: /^3D view/ }).focus();
        await page.keyboard.press('t');
        await page.waitForFunction(() => document.documentElement.dataset.theme === 'light');
        await page.keyboard.press('[');
        await page.getByRole('heading', { name: 'TEXBSI.352' }).waitFor();
      }));

    for (const [button, dialog, path, focused] of [
      ['Keyboard shortcuts', 'Keyboard shortcuts', '', 'All shortcuts'],
      ['Compare with…', /^Compare TEXBSI/, 'redguard/fxart/TEXBSI.210', 'Name of the other file'],
    ]) {
      it(`returns the focus after ${button}`, () =>
        at(path, async page => {
          const opener = page.getByRole('button', { name: button });
          for (const way of ['Enter', 'mouse']) {
            if (way === 'mouse') await opener.click();
            else await opener.press(way);
            await page.getByRole('dialog', { name: dialog }).waitFor();
            assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('aria-label')), focused);
            await page.keyboard.press('Escape');
            await page.getByRole('dialog').waitFor({ state: 'detached' });
            assert.equal(await opener.evaluate(it => it === document.activeElement), true);
          }
        }));
    }

    it('returns the focus after a search', () =>
      at('redguard/fxart', async page => {
        const gallery = page.getByRole('button', { name: 'Gallery' });
        await gallery.focus();
        await page.keyboard.press('Control+k');
        await page.keyboard.type('wal');
        await page.keyboard.press('Escape');
        assert.equal(await gallery.evaluate(it => it === document.activeElement), true);
      }));
  });

  describe('all kinds of files', () => {
    it('shows the defaults of a preset', () =>
      at(ROOM, async page => {
        await page.getByText('Options', { exact: true }).click();
        const lightmaps = page.getByRole('combobox', { name: 'lightmaps' });
        const usual = await lightmaps.inputValue();
        const presets = await page.getByRole('combobox', { name: 'preset' }).locator('option').allTextContents();
        const seen = new Set([usual]);
        for (const preset of presets) {
          await page.getByRole('combobox', { name: 'preset' }).selectOption(preset);
          await page.waitForTimeout(100);
          for (const text of await page.getByText(/Preset default:/).allTextContents()) seen.add(text);
        }
        assert.ok(seen.size > 1, 'the page shows a default changed by a preset');
      }));

    it('shows thumbnails of common images with unusual extensions', () =>
      at('harm/odd', async page => {
        const entries = page.getByRole('listbox', { name: 'Entries of this folder' });
        for (const name of [/173h\.pt/, /FACE\.AIJ/])
          await entries.getByRole('option', { name }).locator('img').waitFor();
      }));

    it('detects the code page of a text, and allows selecting another', () =>
      at('harm/russian.txt', async (page, explorer) => {
        const text = page.getByRole('region', { name: 'Text', exact: true });
        await text.getByText('Дверь заперта. Нужен ключ.').waitFor();
        const encoding = page.getByRole('combobox', { name: 'Encoding' });
        await encoding.selectOption('cp437');
        await text.getByText('Дверь').waitFor({ state: 'detached' });
        assert.match(await explorer.state(), /charset=cp437/);
        await encoding.selectOption('windows-1251');
        await text.getByText('Дверь').waitFor();
      }));

    it('opens every file without console errors', async () => {
      const { folders } = await (await fetch(`${run.program.address}api/names`)).json();
      const paths = folders
        .flatMap(({ path, names }) => names.map(name => `${path}/${name}`))
        .filter(path => !path.startsWith('harm/') && !path.endsWith('.dds'));
      assert.ok(paths.length > 50);
      const explorer = await Explorer.open(run.browser, run.program.address, { path: '', size: SMALL });
      try {
        for (const path of paths) {
          await explorer.page.goto(`${run.program.address}#/${path.split('/').map(encodeURIComponent).join('/')}`);
          await explorer.page.getByRole('tabpanel').waitFor();
          await explorer.page.waitForLoadState('networkidle');
          assert.deepEqual(explorer.consoleMessages, [], path);
        }
      } finally {
        await explorer.close();
      }
    });
  });
});
