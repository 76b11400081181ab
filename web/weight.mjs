// Checks the compressed size of the page with everything that it may load.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const HEAVIEST = 400_000;

const files = readdirSync('dist', { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
const bytes = files
  .map(file => gzipSync(readFileSync(join(file.parentPath, file.name)), { level: 9 }).length)
  .reduce((sum, length) => sum + length, 0);
console.log(`page size: ${Math.ceil(bytes / 1000)} kB compressed`);
if (bytes > HEAVIEST) {
  console.error(`error: the limit is ${HEAVIEST / 1000} kB; reduce the size of the page`);
  process.exit(1);
}
