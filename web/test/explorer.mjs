// What the tests share: sample games, the running program, a browser, and a page that notes every complaint.

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

/** Why the tests cannot run here, or false. */
export const skip = !browserPath
  ? 'SKIPPED: no Chromium was found (install it, or name it in ANTIQUARY_BROWSER)'
  : !existsSync(PROGRAM)
    ? `SKIPPED: ${PROGRAM} was not found (build it, or name it in ANTIQUARY_BIN)`
    : false;
if (skip) console.error(`\n*** ${skip} ***\n`);

/** Names that try to be something else. */
export const HOSTILE = [
  'photo\u202egnp.txt',
  '<img src=x onerror=document.title=1>.txt',
  'two\nlines.txt',
  'javascript:alert(1)',
  '100%25 #?&.txt',
  '\u200binvisible.txt',
];

/** The sample games, and a folder of files that mean harm. */
export function makeGames() {
  const folder = mkdtempSync(join(tmpdir(), 'antiquary-page-'));
  const made = spawnSync(PROGRAM, ['demo', '--output', join(folder, 'demo'), '--force', '--quiet'], {
    encoding: 'utf8',
  });
  if (made.status !== 0) throw new Error(`the sample games were not made: ${made.stderr}`);
  // A palette that no other is like.
  const palette = readFileSync(join(folder, 'demo/redguard/fxart/ISLAND.COL'));
  writeFileSync(
    join(folder, 'demo/redguard/fxart/NEGATIVE.COL'),
    palette.map((byte, at) => (at < 8 ? byte : 255 - byte)),
  );
  const harm = join(folder, 'harm');
  mkdirSync(harm);
  for (const name of HOSTILE) writeFileSync(join(harm, name), 'A \u202etext\u202c with <b>marks</b> & more.\n');
  const whole = readFileSync(join(folder, 'demo/redguard/fxart/WALKER01.3DC'));
  writeFileSync(join(harm, 'CUT.3DC'), whole.subarray(0, 100));
  writeFileSync(join(harm, 'empty.txt'), '');
  writeFileSync(join(harm, 'long.txt'), Array.from({ length: 20_000 }, (_, index) => `line ${index + 1}`).join('\n'));
  writeFileSync(join(harm, 'large.bin'), Buffer.alloc(24 << 20, 'antiquary '));
  const games = ['redguard', 'scpcb', 'ragnarok'].map(name => join(folder, 'demo', name));
  return { folders: [...games, harm], remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Starts the program and waits for its address. */
export function startProgram(folders) {
  const process = spawn(PROGRAM, ['view', ...folders, '--no-open'], { stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((done, failed) => {
    let text = '';
    process.stdout.on('data', part => {
      text += part;
      const address = /http:\/\/127\.0\.0\.1:\d+\/\w+\//.exec(text)?.[0];
      if (address) done({ address, stop: () => process.kill() });
    });
    process.on('exit', code => failed(new Error(`the program ended (${code}) without an address: ${text}`)));
  });
}

export function startBrowser() {
  return chromium.launch({ executablePath: browserPath, args: FLAGS });
}

/** The sample games, the program that shows them and a browser, for as long as a suite runs. `prepare` may add files before the program starts. */
export function setUp({ before, after }, prepare = () => undefined) {
  const run = {};
  before(async () => {
    run.games = makeGames();
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

/** The small picture of a malformed file is refused, and a browser writes every refusal to its console. */
function isExpected(message) {
  return message.text().includes('status of 422') && message.location().url.includes('kind=thumbnail');
}

/** A picture as it is now. */
export const look = async picture => (await picture.screenshot()).toString('base64');

/** Waits until a picture is the same twice in a row. */
export async function settled(picture) {
  let before = await look(picture);
  for (let tries = 0; tries < 40; tries++) {
    await picture.page().waitForTimeout(150);
    const now = await look(picture);
    if (now === before) return now;
    before = now;
  }
  throw new Error('the picture does not come to rest');
}

/** Waits until a picture is another one than before and has come to rest. What is shown may have to be read first. */
export async function changed(picture, before) {
  for (let tries = 0; tries < 40; tries++) {
    const now = await settled(picture);
    if (now !== before) return now;
  }
  throw new Error('the picture stays as it was');
}

export class Explorer {
  complaints = [];

  constructor(page, address) {
    this.page = page;
    this.address = address;
    page.on('console', message => {
      if (!isExpected(message))
        this.complaints.push(`${message.type()}: ${message.text()} (${message.location().url})`);
    });
    page.on('pageerror', error => this.complaints.push(String(error.stack)));
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

  /** The place and state in the address, once it has been written. */
  async state() {
    // The page writes a quarter of a second later; its own clock says when that is over, however busy the machine is.
    const hash = await this.page.evaluate(() => new Promise(done => setTimeout(() => done(location.hash), 320)));
    return decodeURIComponent(hash.slice(2));
  }

  tab(name) {
    return this.page.getByRole('tab', { name });
  }

  /** How many different colors a part of the page shows. */
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

  /** Which part of the pixels of two pictures differs by more than the eye sees. */
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

  /** What axe has against the page as it is now, as sentences. */
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
