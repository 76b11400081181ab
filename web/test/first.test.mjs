// The first minutes with a game: what one sees, finds, walks through and hears without being told how.

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

describe('the first minutes', { skip, timeout: 900_000 }, () => {
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
      assert.deepEqual(explorer.complaints, []);
    } finally {
      await explorer.close();
    }
  }

  /** The picture of a scene, once it is there. */
  async function pictureOf(page) {
    const picture = page.getByRole('img', { name: /^Scene: / });
    await picture.waitFor();
    return picture;
  }

  /** A triple of the address. */
  function triple(state, name) {
    return new RegExp(`s\\.${name}=([^&]+)`).exec(state)?.[1].split(',').map(Number) ?? null;
  }

  const away = (a, b) => Math.hypot(...a.map((value, axis) => value - b[axis]));

  describe('walking', () => {
    it('begins at the player start of a room, and W moves at once', () =>
      at(ROOM, async (page, explorer) => {
        await pictureOf(page);
        await page.getByRole('button', { name: 'Walk', exact: true }).click();
        const start = triple(await explorer.state(), 'eye');
        // The player start is at (-2.5, 0.44, 3.125), and the eyes are above it.
        assert.ok(Math.abs(start[0] + 2.5) < 0.01 && Math.abs(start[2] - 3.125) < 0.01, String(start));
        await page.waitForFunction(() => document.pointerLockElement instanceof HTMLCanvasElement);
        await page.keyboard.down('w');
        await page.waitForTimeout(600);
        await page.keyboard.up('w');
        const moved = triple(await explorer.state(), 'eye');
        assert.ok(away(start, moved) > 0.1, `${start} became ${moved}`);
        assert.ok(Math.abs(start[1] - moved[1]) < 0.3, 'walking stays on the ground');
        const before = triple(await explorer.state(), 'look');
        await page.mouse.move(640, 300);
        await page.mouse.move(760, 320);
        assert.ok(away(before, triple(await explorer.state(), 'look')) > 0.05, 'the captured mouse looks around');
        await page.keyboard.press('Escape');
        await page.waitForFunction(() => document.pointerLockElement === null);
      }));

    it('begins at a marker of a map, by keys alone', () =>
      at(MAP, async (page, explorer) => {
        await pictureOf(page);
        await page.keyboard.press('3');
        const start = triple(await explorer.state(), 'eye');
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
        assert.ok(away(start, triple(await explorer.state(), 'eye')) > 0.1);
      }));

    it('has buttons to move on a phone', () =>
      at(
        ROOM,
        async (page, explorer) => {
          await pictureOf(page);
          const pad = page.getByRole('group', { name: 'Move' });
          assert.equal(await pad.isVisible(), false);
          await page.getByRole('button', { name: 'Walk', exact: true }).tap();
          await pad.waitFor();
          const start = triple(await explorer.state(), 'eye');
          const { x, y, width, height } = await pad.getByRole('button', { name: 'Forward' }).boundingBox();
          assert.ok(width >= 44 && height >= 44);
          const session = await page.context().newCDPSession(page);
          await session.send('Input.dispatchTouchEvent', {
            type: 'touchStart',
            touchPoints: [{ x: x + width / 2, y: y + height / 2 }],
          });
          await page.waitForTimeout(600);
          await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
          assert.ok(away(start, triple(await explorer.state(), 'eye')) > 0.1);
        },
        { size: PHONE, isTouch: true },
      ));
  });

  describe('the start page', () => {
    it('shows what a game has, with counts and pictures', () =>
      at('redguard', async page => {
        for (const kind of [
          'Maps 3',
          'Characters 2',
          'Models 3',
          'Images 1\\d',
          'Sounds 1',
          'Scripts 1',
          'Texts 1',
          'Fonts 1',
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

    it('shows all games at once', () =>
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

  describe('one search', () => {
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
        // Both are there: the letters of the sound are nearer, and the room comes first.
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
        'a thing in its picture',
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
      it(`has most of the window: ${path}`, () =>
        at(
          path,
          async page => {
            const { width, height } = await (await pictureOf(page)).boundingBox();
            assert.ok(width * height >= 0.6 * 1280 * 720, `${width} x ${height}`);
            await page.setViewportSize(PHONE);
            await page.waitForTimeout(300);
            const phone = await (await pictureOf(page)).boundingBox();
            assert.ok(phone.width * phone.height >= 0.6 * 390 * 844, `${phone.width} x ${phone.height}`);
          },
          { size: SMALL },
        ));
    }

    it('has most of the window as an image', () =>
      at(
        'redguard/fxart/SKY001.BSI',
        async page => {
          const { width, height } = await page.getByRole('region', { name: 'Picture' }).boundingBox();
          assert.ok(width * height >= 0.6 * 1280 * 720, `${width} x ${height}`);
        },
        { size: SMALL },
      ));

    it('folds its panels, and shows them when asked', () =>
      at(
        ROOM,
        async page => {
          await pictureOf(page);
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

    it('has one quiet bar, with the rest behind a button', () =>
      at(ROOM, async page => {
        await pictureOf(page);
        const bar = page.getByRole('toolbar', { name: 'Scene' });
        assert.ok((await bar.boundingBox()).height < 60);
        assert.equal(await page.getByRole('combobox', { name: 'Shading' }).count(), 0);
        const more = page.getByRole('button', { name: 'More view options' });
        await more.focus();
        await page.keyboard.press('Enter');
        await page.getByRole('combobox', { name: 'Shading' }).waitFor();
        for (const name of ['Grid', 'Boxes', 'Measure', 'GIF', 'Film', 'Frame selection'])
          await page.getByRole('button', { name, exact: true }).waitFor();
        await page.keyboard.press('Escape');
        assert.equal(await page.getByRole('combobox', { name: 'Shading' }).count(), 0);
        assert.equal(await more.evaluate(button => button === document.activeElement), true);
      }));

    it('plays the first clip', () =>
      at(MODEL, async page => {
        await pictureOf(page);
        await page.getByRole('group', { name: 'Clip' }).getByRole('button', { name: 'Pause' }).waitFor();
        const time = () => page.getByRole('slider', { name: 'Time in the clip' }).inputValue();
        const first = await time();
        await page.waitForFunction(
          before => document.querySelector('[aria-label="Time in the clip"]').value !== before,
          first,
        );
        await page.keyboard.press(' ');
        await page.getByRole('group', { name: 'Clip' }).getByRole('button', { name: 'Play' }).waitFor();
      }));

    it('opens a map where its things are, and comes back there', () =>
      at(`${MAP}?s.clip=none&s.moving=off`, async (page, explorer) => {
        const picture = await pictureOf(page);
        const first = await settled(picture);
        await page.keyboard.press('ArrowRight');
        const state = await explorer.state();
        // The island is more than four kilometers wide; its hut and palms are around (-2713, 2, -1638).
        assert.ok(away(triple(state, 'eye'), [-2713, 2, -1638]) < 150, state);
        await changed(picture, first);
        await page.getByRole('button', { name: 'Reset view' }).click();
        await page.waitForTimeout(500);
        await page.mouse.move(5, 5);
        // The hint over the picture has gone meanwhile.
        assert.ok((await explorer.difference(await settled(picture), first)) < 0.02);
        assert.doesNotMatch(await explorer.state(), /s\.eye/);
      }));

    it('comes back from a link that is taken right after a flick of the mouse', () =>
      at(ROOM, async (page, explorer) => {
        const picture = await pictureOf(page);
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
          assert.ok((await explorer.difference(await settled(await pictureOf(other)), seen)) < 0.002);
        });
        assert.equal(decodeURIComponent(link), await explorer.state());
      }));
  });

  describe('actors, props and sounds', () => {
    it('links an actor with its script, lines, clips and attributes', () =>
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
        await card.getByRole('button', { name: 'Show text here' }).click();
        // The map and the script are seen together.
        await card.getByRole('region', { name: 'Script of KEEPER' }).getByText('MoveToLocation').waitFor();
        assert.ok((await (await pictureOf(page)).boundingBox()).width > 400);
        await card.getByRole('link', { name: 'Open script' }).press('Enter');
        await page.getByRole('region', { name: 'Script of KEEPER' }).getByText('MoveToLocation').waitFor();
        await page.getByRole('button', { name: 'Show in scene' }).click();
        await pictureOf(page);
        assert.match(await explorer.state(), /at=sections\[13\]\.records\[0\]/);
      }));

    it('reads the scripts of a map one after the other, by keys', () =>
      at(`${MAP}?view=script`, async page => {
        const list = page.getByRole('listbox', { name: /^Scripts, 6/ });
        await list.press('End');
        await page.getByRole('region', { name: 'Script of FLAG2' }).getByText('actor').waitFor();
        await list.press('Home');
        await page.getByRole('region', { name: 'Script of CYRUS' }).getByText('end').waitFor();
      }));

    it('links a prop with its file', () =>
      at(`${ROOM}?at=entities[10]`, async page => {
        await page
          .getByRole('list', { name: 'Files of the selection' })
          .getByRole('link', { name: /lampshade\.x/ })
          .click();
        await page.getByRole('heading', { name: 'lampshade.x' }).waitFor();
      }));

    it('finds the model of a map that is in a library of models', () =>
      at(`${MAP}?s.clip=none&at=sections[15].records[5]`, async page => {
        await page
          .getByRole('list', { name: 'Files of the selection' })
          .getByRole('link', { name: /LANTRN01.*ISLAND\.ROB/ })
          .click();
        await page.getByRole('heading', { name: 'ISLAND.ROB' }).waitFor();
        await pictureOf(page);
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
    it('gives no letter two meanings', () =>
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

    it('keeps the keys of the page in a scene', () =>
      at(MODEL, async page => {
        await pictureOf(page);
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
      it(`gives the focus back after ${button}`, () =>
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

    it('gives the focus back after a search', () =>
      at('redguard/fxart', async page => {
        const gallery = page.getByRole('button', { name: 'Gallery' });
        await gallery.focus();
        await page.keyboard.press('Control+k');
        await page.keyboard.type('wal');
        await page.keyboard.press('Escape');
        assert.equal(await gallery.evaluate(it => it === document.activeElement), true);
      }));
  });

  describe('files of all sorts', () => {
    it('shows the defaults that a preset changes', () =>
      at(ROOM, async page => {
        await page.getByText('Options', { exact: true }).click();
        const lightmaps = page.getByRole('combobox', { name: 'lightmaps' });
        const usual = await lightmaps.inputValue();
        const presets = await page.getByRole('combobox', { name: 'preset' }).locator('option').allTextContents();
        const seen = new Set([usual]);
        for (const preset of presets) {
          await page.getByRole('combobox', { name: 'preset' }).selectOption(preset);
          await page.waitForTimeout(100);
          for (const text of await page.getByText(/The preset chooses/).allTextContents()) seen.add(text);
        }
        assert.ok(seen.size > 1, 'a preset changes a default, and the page says so');
      }));

    it('shows pictures of common kinds with uncommon names', () =>
      at('harm/odd', async page => {
        const entries = page.getByRole('listbox', { name: 'Entries of this folder' });
        for (const name of [/173h\.pt/, /FACE\.AIJ/])
          await entries.getByRole('option', { name }).locator('img').waitFor();
      }));

    it('reads texts in another code page, and lets one choose it', () =>
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

    it('opens every file without an error on the console', async () => {
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
          assert.deepEqual(explorer.complaints, [], path);
        }
      } finally {
        await explorer.close();
      }
    });
  });
});
