// How much the page weighs with everything that it may load: it must stay light.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const HEAVIEST = 400_000;

const files = readdirSync('dist', { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
const bytes = files
  .map(file => gzipSync(readFileSync(join(file.parentPath, file.name)), { level: 9 }).length)
  .reduce((sum, length) => sum + length, 0);
console.log(`the page weighs ${Math.ceil(bytes / 1000)} kB packed`);
if (bytes > HEAVIEST) {
  console.error(`error: it must not weigh more than ${HEAVIEST / 1000} kB`);
  process.exit(1);
}
