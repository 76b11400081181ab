import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Explorer, HOSTILE, setUp, skip } from './explorer.mjs';

describe('the page', { skip, timeout: 600_000 }, () => {
  const run = setUp({ before, after });

  /** Opens a path, runs a test on it, and fails on any console message. */
  async function at(path, act, options = {}) {
    const explorer = await Explorer.open(run.browser, run.program.address, { path, ...options });
    try {
      await act(explorer.page, explorer);
      assert.deepEqual(explorer.consoleMessages, []);
    } finally {
      await explorer.close();
    }
  }

  describe('views', () => {
    it('shows a scene that is not blank', () =>
      at('redguard/fxart/WALKER01.3DC', async (page, explorer) => {
        const scene = page.getByRole('region', { name: /Scene of/ });
        const canvas = scene.locator('canvas').first();
        await canvas.waitFor();
        await page.waitForTimeout(1500);
        assert.ok((await explorer.colors(canvas)) > 50);
      }));

    it('shows an image, its pixels and its palette', () =>
      at('redguard/fxart/SUN001.BSI', async (page, explorer) => {
        const picture = page.getByRole('img', { name: /pixels/ });
        await picture.waitFor();
        assert.ok((await explorer.colors(picture)) > 3);
        const before = await page.getByLabel('Zoom level').textContent();
        await page.getByRole('button', { name: 'Zoom in' }).click();
        assert.notEqual(await page.getByLabel('Zoom level').textContent(), before);
        await page.getByRole('region', { name: 'Image' }).press('ArrowRight');
        await page.getByText(/^0, 0$/).waitFor();
        await page.getByText(/^index \d+$/).waitFor();
        assert.ok(
          (await page
            .getByRole('list', { name: /Palette/ })
            .getByRole('listitem')
            .count()) > 1,
        );
        assert.match(await explorer.state(), /zoom=/);
      }));

    it('plays the frames of an animation', () =>
      at('redguard/system/gui.anm', async page => {
        const frame = page.getByRole('slider', { name: 'Frame' });
        await frame.waitFor();
        await page.getByRole('button', { name: 'Next frame' }).click();
        await page.waitForFunction(() => location.hash.includes('frame=1'));
        await page.getByRole('button', { name: 'Play' }).click();
        await page.waitForFunction(() => !location.hash.includes('frame=1'));
        await page.getByRole('button', { name: 'Pause' }).click();
      }));

    it('plays a sound', () =>
      at('scpcb/SFX/Ambient/hum.wav', async (page, explorer) => {
        const position = page.getByRole('slider', { name: 'Position' });
        assert.ok((await explorer.colors(position)) > 1);
        // Looping, so that it is still playing when checked.
        const loop = page.getByRole('button', { name: 'Loop' });
        if ((await loop.getAttribute('aria-pressed')) === 'false') await loop.click();
        await page.getByRole('button', { name: 'Play' }).click();
        await page.waitForFunction(
          slider => Number(slider.getAttribute('aria-valuenow')) > 0,
          await position.elementHandle(),
        );
      }));

    it('steps through a sound bank with the arrow keys', () =>
      at('redguard/sound/MAIN.SFX', async (page, explorer) => {
        const list = page.getByRole('listbox', { name: /Items/ });
        await list.press('ArrowDown');
        await page.getByRole('option', { selected: true }).waitFor();
        await page.getByRole('button', { name: /Play|Pause/ }).waitFor();
        assert.match(await explorer.state(), /item=1/);
      }));

    it('shows a custom text in a font', () =>
      at('redguard/fonts/SAMPLE.FNT', async (page, explorer) => {
        await page.getByLabel('Sample text').fill('HELLO');
        await page.getByText('HELLO').first().waitFor();
        assert.match(await explorer.state(), /text=HELLO/);
        const family = await page
          .getByText('HELLO')
          .first()
          .evaluate(text => [...document.fonts].some(face => getComputedStyle(text).fontFamily.includes(face.family)));
        assert.ok(family);
      }));

    it('sorts, filters and copies a table', () =>
      at('redguard/ENGLISH.RTX?view=table', async page => {
        const table = page.getByRole('grid', { name: 'Table' });
        await table.getByRole('row').nth(2).waitFor();
        await table.getByRole('columnheader', { name: 'tag' }).getByRole('button').click();
        await table.getByRole('columnheader', { name: 'tag' }).and(page.locator('[aria-sort=ascending]')).waitFor();
        const first = await table.getByRole('gridcell').nth(1).textContent();
        await page.getByRole('searchbox', { name: 'Filter rows' }).fill(first ?? '');
        await page.getByText(/^\d+ rows?$/).waitFor();
        await page.getByRole('button', { name: 'Copy as CSV' }).click();
        await page
          .getByText(/^Copied \d+ rows?/)
          .first()
          .waitFor();
        assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^tag,text/);
      }));

    it('shows a text with line numbers and searches in it', () =>
      at('harm/long.txt', async page => {
        const text = page.getByRole('region', { name: 'Text', exact: true });
        await text.getByText('line 1', { exact: true }).waitFor();
        await page.getByRole('searchbox', { name: 'Find in this text' }).fill('line 19999');
        await page.getByText('1 of 1').waitFor();
        await text.getByText('line 19999').waitFor();
      }));

    it('shows data as a tree and as text', () =>
      at('redguard/KEYS.INI?view=data', async page => {
        await page.getByRole('tree', { name: 'Data' }).getByRole('treeitem').first().waitFor();
        await page.getByRole('button', { name: 'Text', exact: true }).click();
        await page.getByRole('region', { name: 'JSON' }).getByText('{').first().waitFor();
      }));

    it('links the lines of settings to their values', () =>
      at('redguard/KEYS.INI?view=text', async (page, explorer) => {
        const [text, values] = [
          page.getByRole('region', { name: 'Text', exact: true }),
          page.getByRole('region', { name: 'Values' }),
        ];
        await values.getByRole('treeitem').first().waitFor();
        await text.getByText('next_key', { exact: false }).first().click();
        await values.getByRole('treeitem', { name: /next_key/, selected: true }).waitFor();
        assert.match(await explorer.state(), /at=input\.next_key/);
        await values.getByRole('treeitem', { name: /prev_key/ }).click();
        const line = text.locator('[aria-current=true]');
        await line.getByText('prev_key', { exact: false }).first().waitFor();
        assert.equal(await line.count(), 1);
        await text.press('ArrowUp');
        await values.getByRole('treeitem', { name: /next_key/, selected: true }).waitFor();
      }));

    it('shows an image with another palette of the game', () =>
      at('redguard/fxart/TEXBSI.210', async (page, explorer) => {
        const picture = page.getByRole('img', { name: /pixels/ });
        await picture.waitFor();
        const capture = async () => (await picture.screenshot()).toString('base64');
        const before = await capture();
        const palette = page.getByRole('main').getByRole('combobox', { name: 'Palette', exact: true });
        await palette.locator('option', { hasText: 'NEGATIVE.COL' }).waitFor({ state: 'attached' });
        await palette.selectOption({ label: 'NEGATIVE.COL – fxart' });
        assert.match(await explorer.state(), /o\.palette=redguard\/fxart\/NEGATIVE\.COL/);
        for (let tries = 0; (await capture()) === before; tries++) {
          assert.ok(tries < 50, 'the picture does not change');
          await page.waitForTimeout(100);
        }
        await palette.selectOption({ label: 'As in the game' });
        assert.doesNotMatch(await explorer.state(), /palette/);
      }));

    it('highlights the hovered field in the tree and in the bytes', () =>
      at('redguard/maps/ISLAND.RGM?view=both', async page => {
        const fields = page.getByRole('tree', { name: 'Fields' });
        await fields.getByRole('treeitem').first().click();
        await fields.press('ArrowRight');
        await fields.getByRole('treeitem', { name: /^\[0\]/ }).waitFor();
        await page.getByRole('heading', { level: 1 }).hover();
        const bytes = page.getByRole('grid', { name: /^Bytes/ });
        const color = () =>
          bytes
            .getByRole('gridcell')
            .first()
            .evaluate(cell => getComputedStyle(cell).backgroundColor);
        const before = await color();
        await fields.getByRole('treeitem', { name: /^\[0\]/ }).hover();
        assert.notEqual(await color(), before);
        await page.getByRole('heading', { level: 1 }).hover();
        assert.equal(await color(), before);
        await fields.getByRole('treeitem', { name: /^\[0\]/ }).click();
        await fields.press('ArrowRight');
        const tag = fields.getByRole('treeitem', { name: /tag/ }).first();
        await tag.waitFor();
        const background = () => tag.evaluate(item => getComputedStyle(item).backgroundColor);
        const plain = await background();
        await bytes.getByRole('gridcell').nth(1).hover();
        assert.notEqual(await background(), plain);
      }));

    it('links fields and bytes in both directions', () =>
      at('redguard/maps/ISLAND.RGM?view=both', async (page, explorer) => {
        const fields = page.getByRole('tree', { name: 'Fields' });
        const first = fields.getByRole('treeitem').first();
        await first.click();
        await first.press('ArrowRight');
        await fields.getByRole('treeitem', { name: /^\[0\]/ }).click();
        const bytes = page.getByRole('grid', { name: /^Bytes/ });
        await page.waitForFunction(() => location.hash.includes('offset='));
        await bytes.getByRole('gridcell').nth(2).click();
        await page.waitForFunction(() => location.hash.includes('tag'));
        await fields.getByRole('treeitem', { name: /tag/ }).and(page.locator('[aria-selected=true]')).waitFor();
        await bytes.press('ArrowRight');
        assert.match(await explorer.state(), /offset=3/);
        await page.getByRole('region', { name: 'Data inspector' }).getByText('At 0x3').waitFor();
      }));

    it('shows any position of a large file as bytes', () =>
      at('harm/large.bin?view=bytes', async page => {
        await page.getByRole('slider', { name: 'Map of the file' }).waitFor();
        await page.getByLabel('Go to offset').fill('0x17FFFF0');
        await page.getByLabel('Go to offset').press('Enter');
        const bytes = page.getByRole('grid', { name: /^Bytes/ });
        await bytes.getByRole('rowheader', { name: '17FFFF0' }).waitFor();
        await bytes.press('Control+Home');
        await bytes.getByRole('rowheader', { name: '0000000' }).waitFor();
      }));

    it('opens an archive as a folder', () =>
      at('ragnarok/data.grf?view=folder', async page => {
        await page.getByRole('listbox', { name: 'Entries of this folder' }).getByRole('option').first().waitFor();
        await page.getByRole('button', { name: 'List', exact: true }).click();
        await page.getByRole('grid', { name: 'Entries of this folder' }).getByRole('row').nth(1).click();
        await page.waitForFunction(() => location.hash.includes('data.grf/'));
      }));

    it('compares two files', () =>
      at('redguard/fxart/TEXBSI.210?compare=redguard/fxart/TEXBSI.302', async page => {
        await page.getByRole('table', { name: 'Differences' }).getByRole('row').nth(1).waitFor();
        await page.getByRole('tab', { name: 'Images' }).click();
        await page
          .getByRole('img', { name: /TEXBSI/ })
          .nth(1)
          .waitFor();
      }));

    it('selects the file to compare with', () =>
      at('redguard/fxart/TEXBSI.210', async (page, explorer) => {
        await page.getByRole('button', { name: 'Compare with…' }).click();
        const dialog = page.getByRole('dialog', { name: /^Compare TEXBSI.210/ });
        await dialog.getByRole('searchbox').fill('texbsi 302');
        await dialog.getByRole('option', { name: /TEXBSI\.302/ }).waitFor();
        assert.deepEqual(await explorer.violations(), []);
        await dialog.getByRole('searchbox').press('Enter');
        await page.getByRole('heading', { name: 'Comparison' }).waitFor();
      }));

    it('applies a format option, and stores it in the URL', () =>
      at('redguard/ENGLISH.RTX', async (page, explorer) => {
        await page.getByText('Options', { exact: true }).click();
        await page.getByRole('combobox', { name: 'names' }).selectOption('text');
        await page.getByText('Options (1 set)').waitFor();
        assert.match(await explorer.state(), /o\.names=text/);
      }));

    it('saves the original and an output', () =>
      at('redguard/fxart/SUN001.BSI', async page => {
        for (const name of ['Original file', '.png']) {
          const [download] = await Promise.all([
            page.waitForEvent('download'),
            page.getByRole('complementary').getByRole('link', { name }).first().click(),
          ]);
          assert.match(download.suggestedFilename(), /SUN001/);
        }
      }));
  });

  describe('navigation', () => {
    it('finds a name and opens it', () =>
      at('', async (page, explorer) => {
        await page.keyboard.press('/');
        await page.keyboard.type('walker');
        await page
          .getByRole('listbox', { name: 'Results' })
          .getByRole('option', { name: /WALKER01/ })
          .first()
          .waitFor();
        // Enter opens the active result.
        await page.waitForFunction(() => document.activeElement?.hasAttribute('aria-activedescendant'));
        await page.keyboard.press('Enter');
        assert.match(await explorer.state(), /^redguard\/fxart\/WALKER01\.3DC/);
        await page.getByRole('heading', { name: 'WALKER01.3DC' }).waitFor();
      }));

    it('finds file contents', () =>
      at('', async page => {
        await page.keyboard.press('Control+k');
        await page.getByRole('button', { name: 'Contents' }).click();
        await page.keyboard.type('barrel');
        await page.getByRole('listbox', { name: 'Results' }).getByRole('option').first().waitFor();
      }));

    it('streams each file with its matches', async () => {
      const answer = await fetch(`${run.program.address}api/find?q=barrel`);
      assert.equal(answer.headers.get('content-type'), 'application/x-ndjson');
      const lines = (await answer.text())
        .trimEnd()
        .split('\n')
        .map(line => JSON.parse(line));
      assert.deepEqual(lines.pop(), { truncated: false });
      assert.ok(lines.some(({ path, places }) => path.startsWith('redguard/') && places.length > 0));
      assert.equal((await fetch(`${run.program.address}api/find?q=`)).status, 400);
    });

    it('cancels a content search when typing continues', () =>
      at('', async page => {
        await page.keyboard.press('Control+k');
        await page.getByRole('button', { name: 'Contents' }).click();
        await page.keyboard.type('walker');
        await page.waitForTimeout(380);
        await page.keyboard.type('01');
        const results = page.getByRole('listbox', { name: 'Results' });
        await results.getByRole('option').first().waitFor();
        await page.getByText(/^\d+ match(?:es)? in \d+ files?\./).waitFor();
        for (const text of await results.getByRole('option').allTextContents()) assert.match(text, /walker01/i);
      }));

    it('marks damaged files and filters by them', () =>
      at('harm?as=list', async (page, explorer) => {
        const entries = page.getByRole('grid', { name: 'Entries of this folder' });
        await entries
          .getByRole('row', { name: /CUT\.3DC/ })
          .getByRole('img', { name: '1 error' })
          .waitFor();
        await page
          .getByRole('tree', { name: 'Files' })
          .getByRole('treeitem', { name: /CUT\.3DC/ })
          .getByRole('img', { name: '1 error' })
          .waitFor();
        await page.getByRole('combobox', { name: 'State' }).selectOption('Damaged');
        await page.getByText(/^1 file of \d+$/).waitFor();
        assert.equal(await entries.getByRole('row').count(), 2);
        assert.match(await explorer.state(), /only=error/);
        await page.getByRole('button', { name: 'Gallery' }).click();
        await page
          .getByRole('listbox', { name: 'Entries of this folder' })
          .getByRole('option', { name: /CUT\.3DC/ })
          .getByRole('img', { name: '1 error' })
          .waitFor();
      }));

    it('finds damaged files in all folders', () =>
      at('?q=&state=error', async page => {
        await page.getByText(/^1 file$/).waitFor();
        const results = page.getByRole('listbox', { name: 'Results' });
        await results.getByRole('option', { name: /CUT\.3DC/ }).waitFor();
        await page.getByRole('combobox', { name: 'State' }).selectOption('with warnings');
        await results.getByRole('option', { name: /CUT\.3DC/ }).waitFor({ state: 'detached' });
      }));

    it('filters by view', () =>
      at('?q=&has=font', async page => {
        await page
          .getByRole('listbox', { name: 'Results' })
          .getByRole('option', { name: /SAMPLE\.FNT/ })
          .waitFor();
        await page
          .getByRole('status')
          .getByText(/^4 files$/)
          .waitFor();
      }));

    it('keeps its state in the URL and navigates back', () =>
      at('redguard/fonts/SAMPLE.FNT?view=both', async page => {
        await page.getByRole('tab', { name: 'Fields and bytes', selected: true }).waitFor();
        await page.reload();
        await page.getByRole('tab', { name: 'Fields and bytes', selected: true }).waitFor();
        await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'redguard' }).click();
        await page.getByRole('heading', { name: 'redguard' }).waitFor();
        await page.goBack();
        await page.getByRole('heading', { name: 'SAMPLE.FNT' }).waitFor();
      }));

    it('works with the keyboard alone', () =>
      at('', async (page, explorer) => {
        await page.getByRole('tree', { name: 'Files' }).focus();
        await page.keyboard.type('red');
        await page.keyboard.press('ArrowRight');
        await page.getByRole('treeitem', { name: 'fonts' }).waitFor();
        await page.keyboard.type('fon');
        await page.keyboard.press('ArrowRight');
        await page.getByRole('treeitem', { name: 'FONTNORM.FNT' }).waitFor();
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('Enter');
        await page.getByRole('heading', { name: 'FONTNORM.FNT' }).waitFor();
        await page.getByRole('tab', { selected: true }).focus();
        await page.keyboard.press('ArrowRight');
        assert.match(await explorer.state(), /view=/);
        await page.keyboard.press('?');
        await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        await page.keyboard.press('Alt+ArrowUp');
        await page.getByRole('heading', { name: 'fonts' }).waitFor();
      }));
  });

  describe('hostile files', () => {
    it('reports the error of a malformed file', () =>
      at('harm/CUT.3DC', async page => {
        await page
          .getByRole('note')
          .getByText(/\w+ \w+/)
          .first()
          .waitFor();
        await page.getByRole('grid', { name: /^Bytes/ }).waitFor();
      }));

    it('reports that a file was not found', async () => {
      const explorer = await Explorer.open(run.browser, run.program.address, { path: 'redguard/NOTHING.HERE' });
      await explorer.page
        .getByRole('alert')
        .getByText(/was not found/)
        .waitFor();
      assert.ok(explorer.consoleMessages.every(message => message.includes('404')));
      await explorer.close();
    });

    it('makes hidden characters in names and texts visible', () =>
      at('harm', async page => {
        const entries = page.getByRole('listbox', { name: 'Entries of this folder' });
        await entries.getByText('photo⟨U+202E⟩gnp.txt').waitFor();
        await entries.getByText('two⟨U+000A⟩lines.txt').waitFor();
        await entries.getByText('⟨U+200B⟩invisible.txt').waitFor();
        await entries.getByText('<img src=x onerror=document.title=1>.txt').waitFor();
        assert.equal(await page.locator('img[src="x"]').count(), 0);
        for (const name of HOSTILE) {
          await page.goto(`${run.program.address}#/harm/${encodeURIComponent(name)}`);
          await page
            .getByRole('region', { name: 'Text', exact: true })
            .getByText('⟨U+202E⟩text⟨U+202C⟩ with <b>marks</b> & more.')
            .waitFor();
        }
      }));

    it('shows an empty file', () =>
      at('harm/empty.txt?view=bytes', async page => {
        await page.getByText('This file is empty.').waitFor();
      }));
  });

  describe('accessibility', () => {
    const places = [
      ['all games', ''],
      ['a game', 'redguard'],
      ['the models of a game', 'redguard?kind=models'],
      ['a gallery', 'redguard/fxart'],
      ['a list', 'redguard/fxart?as=list'],
      ['a scene', 'redguard/fxart/WALKER01.3DC?s.clip=none'],
      ['an actor', 'redguard/maps/ISLAND.RGM?s.clip=none&at=sections[13].records[0]'],
      ['a script', 'redguard/maps/ISLAND.RGM?view=script'],
      ['an image', 'redguard/fxart/SUN001.BSI'],
      ['a sound bank', 'redguard/sound/MAIN.SFX'],
      ['a font', 'redguard/fonts/SAMPLE.FNT'],
      ['a table', 'redguard/ENGLISH.RTX?view=table'],
      ['a text', 'harm/long.txt'],
      ['data', 'redguard/KEYS.INI?view=data'],
      ['fields and bytes', 'redguard/maps/ISLAND.RGM?view=both&at=sections[0].tag'],
      ['a report', 'redguard/maps/ISLAND.RGM?view=report'],
      ['a malformed file', 'harm/CUT.3DC'],
      ['a search', 'redguard?q=walk'],
      ['damaged files', 'harm?only=error'],
      ['settings', 'redguard/KEYS.INI?view=text&at=input.next_key'],
      ['a comparison', 'redguard/fxart/TEXBSI.210?compare=redguard/fxart/TEXBSI.302'],
    ];
    const sizes = { wide: { width: 1440, height: 900 }, narrow: { width: 360, height: 740 } };
    for (const [name, path] of places) {
      for (const theme of ['dark', 'light']) {
        for (const [width, size] of Object.entries(sizes)) {
          it(`${name}, ${theme} and ${width}`, () =>
            at(
              path,
              async (page, explorer) => {
                await page.getByRole('heading', { level: 1 }).first().waitFor();
                await page.waitForLoadState('networkidle');
                await page.waitForTimeout(250);
                assert.deepEqual(await explorer.violations(), []);
                const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
                assert.ok(overflow <= 0, `the page is ${overflow} pixels too wide`);
              },
              { theme, size },
            ));
        }
      }
    }

    it('the keyboard shortcuts dialog', () =>
      at('', async (page, explorer) => {
        await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
        assert.deepEqual(await explorer.violations(), []);
      }));
  });
});
