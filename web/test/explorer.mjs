// Shared test fixtures: sample games, the running program, a browser, and a page that records console messages.

import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';

const require = createRequire(import.meta.url);
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const PROGRAM = resolve(process.env.ANTIQUARY_BIN ?? '../target/release/antiquary');
const BROWSERS = [
  process.env.ANTIQUARY_BROWSER,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
const FLAGS = [
  '--no-sandbox',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--autoplay-policy=no-user-gesture-required',
];

const browserPath = BROWSERS.find(path => path !== undefined && existsSync(path));

/** Why the tests are skipped, or false. */
export const skip = !browserPath
  ? 'SKIPPED: no Chromium was found (install it, or set ANTIQUARY_BROWSER)'
  : !existsSync(PROGRAM)
    ? `SKIPPED: ${PROGRAM} was not found (build it, or set ANTIQUARY_BIN)`
    : false;
if (skip) console.error(`\n*** ${skip} ***\n`);

/** Misleading file names. */
export const HOSTILE = [
  'photo\u202egnp.txt',
  '<img src=x onerror=document.title=1>.txt',
  'two\nlines.txt',
  'javascript:alert(1)',
  '100%25 #?&.txt',
  '\u200binvisible.txt',
];

/** Creates the sample games and a folder of hostile files. */
export function createGames() {
  const folder = mkdtempSync(join(tmpdir(), 'antiquary-page-'));
  const result = spawnSync(PROGRAM, ['demo', '--output', join(folder, 'demo'), '--force', '--quiet'], {
    encoding: 'utf8',
  });
  if (result.status !== 0) throw new Error(`cannot create the sample games: ${result.stderr}`);
  // A palette unlike all others.
  const palette = readFileSync(join(folder, 'demo/redguard/fxart/ISLAND.COL'));
  writeFileSync(
    join(folder, 'demo/redguard/fxart/NEGATIVE.COL'),
    palette.map((byte, at) => (at < 8 ? byte : 255 - byte)),
  );
  const hostile = join(folder, 'harm');
  mkdirSync(hostile);
  for (const name of HOSTILE) writeFileSync(join(hostile, name), 'A \u202etext\u202c with <b>marks</b> & more.\n');
  const model = readFileSync(join(folder, 'demo/redguard/fxart/WALKER01.3DC'));
  writeFileSync(join(hostile, 'CUT.3DC'), model.subarray(0, 100));
  writeFileSync(join(hostile, 'empty.txt'), '');
  writeFileSync(
    join(hostile, 'long.txt'),
    Array.from({ length: 20_000 }, (_, index) => `line ${index + 1}`).join('\n'),
  );
  writeFileSync(join(hostile, 'large.bin'), Buffer.alloc(24 << 20, 'antiquary '));
  const games = ['redguard', 'scpcb', 'ragnarok'].map(name => join(folder, 'demo', name));
  return { folders: [...games, hostile], remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Starts the program and waits for its URL. */
export function startProgram(folders) {
  const process = spawn(PROGRAM, ['view', ...folders, '--no-open'], { stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((done, failed) => {
    let text = '';
    process.stdout.on('data', part => {
      text += part;
      const address = /http:\/\/127\.0\.0\.1:\d+\/\w+\//.exec(text)?.[0];
      if (address) done({ address, stop: () => process.kill() });
    });
    process.on('exit', code => failed(new Error(`the program exited (${code}) without printing a URL: ${text}`)));
  });
}

export function startBrowser() {
  return chromium.launch({ executablePath: browserPath, args: FLAGS });
}

/** Sets up the sample games, the program and a browser for a suite. `prepare` may add files before the program starts. */
export function setUp({ before, after }, prepare = () => undefined) {
  const run = {};
  before(async () => {
    run.games = createGames();
    prepare(run.games);
    run.program = await startProgram(run.games.folders);
    run.browser = await startBrowser();
  });
  after(async () => {
    await run.browser?.close();
    run.program?.stop();
    run.games?.remove();
  });
  return run;
}

/** Whether a console message is expected: the thumbnail of a malformed file fails with status 422, which browsers log. */
function isExpected(message) {
  return message.text().includes('status of 422') && message.location().url.includes('kind=thumbnail');
}

/** A screenshot of an element. */
export const screenshotOf = async picture => (await picture.screenshot()).toString('base64');

/** Waits until two consecutive screenshots are equal. */
export async function settled(picture) {
  let before = await screenshotOf(picture);
  for (let tries = 0; tries < 40; tries++) {
    await picture.page().waitForTimeout(150);
    const now = await screenshotOf(picture);
    if (now === before) return now;
    before = now;
  }
  throw new Error('the picture keeps changing');
}

/** Waits until an element looks different than before and has settled; its content may have to load first. */
export async function changed(picture, before) {
  for (let tries = 0; tries < 40; tries++) {
    const now = await settled(picture);
    if (now !== before) return now;
  }
  throw new Error('the picture does not change');
}

export class Explorer {
  consoleMessages = [];

  constructor(page, address) {
    this.page = page;
    this.address = address;
    page.on('console', message => {
      if (!isExpected(message))
        this.consoleMessages.push(`${message.type()}: ${message.text()} (${message.location().url})`);
    });
    page.on('pageerror', error => this.consoleMessages.push(String(error.stack)));
  }

  static async open(
    browser,
    address,
    { path = '', size = { width: 1440, height: 900 }, theme = 'dark', isTouch = false } = {},
  ) {
    const context = await browser.newContext({
      viewport: size,
      colorScheme: theme,
      permissions: ['clipboard-read', 'clipboard-write'],
      hasTouch: isTouch,
      isMobile: isTouch,
    });
    context.setDefaultTimeout(30_000);
    const explorer = new Explorer(await context.newPage(), address);
    await explorer.goto(path);
    return explorer;
  }

  async goto(path) {
    await this.page.goto(`${this.address}#/${path}`);
    await this.page.getByRole('main').waitFor();
    await this.page.getByRole('search').waitFor();
  }

  /** The path and query in the URL, once it has been written. */
  async state() {
    // The page delays writing the URL; its own timer measures the delay reliably even on a busy machine.
    const hash = await this.page.evaluate(() => new Promise(done => setTimeout(() => done(location.hash), 320)));
    return decodeURIComponent(hash.slice(2));
  }

  tab(name) {
    return this.page.getByRole('tab', { name });
  }

  /** Number of different colors in an element. */
  async colors(locator) {
    const picture = (await locator.screenshot()).toString('base64');
    const blank = await this.page.context().newPage();
    try {
      return await blank.evaluate(async data => {
        const image = new Image();
        image.src = `data:image/png;base64,${data}`;
        await image.decode();
        const canvas = new OffscreenCanvas(image.width, image.height);
        const context = canvas.getContext('2d');
        context.drawImage(image, 0, 0);
        return new Set(new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer)).size;
      }, picture);
    } finally {
      await blank.close();
    }
  }

  /** Fraction of visibly different pixels of two screenshots. */
  async difference(first, second) {
    const blank = await this.page.context().newPage();
    try {
      return await blank.evaluate(
        async pictures => {
          const pixels = [];
          for (const data of pictures) {
            const image = new Image();
            image.src = `data:image/png;base64,${data}`;
            await image.decode();
            const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
            context.drawImage(image, 0, 0);
            pixels.push(context.getImageData(0, 0, image.width, image.height).data);
          }
          const [a, b] = pixels;
          if (a.length !== b.length) return 1;
          let count = 0;
          for (let at = 0; at < a.length; at += 4)
            if (Math.abs(a[at] - b[at]) + Math.abs(a[at + 1] - b[at + 1]) + Math.abs(a[at + 2] - b[at + 2]) > 24)
              count += 1;
          return count / (a.length / 4);
        },
        [first, second],
      );
    } finally {
      await blank.close();
    }
  }

  /** Accessibility violations found by axe, as messages. */
  async violations() {
    await this.page.evaluate(AXE);
    const result = await this.page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
    return result.violations.flatMap(rule =>
      rule.nodes.map(node => `${rule.id}: ${node.target.join(' ')} ${node.failureSummary?.split('\n')[1] ?? ''}`),
    );
  }

  async close() {
    await this.page.context().close();
  }
}
