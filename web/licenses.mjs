// Writes the licenses of all bundled packages next to the page, because they must be included with every copy.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const built = Object.entries(lock.packages).filter(([path, about]) => path !== '' && !about.dev);

const texts = built.map(([path, about]) => {
  const file = readdirSync(path).find(name => /^licen[cs]e(\.|$)/i.test(name));
  const name = `${path.replace(/^.*node_modules\//, '')} ${about.version}`;
  const text = file ? readFileSync(join(path, file), 'utf8').trim() : `License: ${about.license}`;
  return `${name}\n\n${text}\n`;
});
writeFileSync('dist/licenses.txt', texts.join(`\n${'-'.repeat(80)}\n\n`));
