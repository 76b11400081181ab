// Runs the Khronos glTF validator over files, on all cores.
//
//   node validate.mjs FILE_OR_FOLDER...
//
// Prints the issues, code by code, with the first locations. The exit code is 1 if there are errors or warnings, or no files.

import { readdir, readFile, stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname, extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import validator from 'gltf-validator';

const SEVERITIES = ['error', 'warning', 'info', 'hint'];
const MAX_LOCATIONS = 5;

/** Returns the issues of a file. */
async function validate(file) {
  const read = async path => new Uint8Array(await readFile(path));
  try {
    const report = await validator.validateBytes(await read(file), {
      uri: file,
      maxIssues: 0,
      externalResourceFunction: uri => read(join(dirname(file), decodeURIComponent(uri))),
    });
    return report.issues.messages;
  } catch (error) {
    return [{ severity: 0, code: 'NOT_READ', message: String(error) }];
  }
}

/** Returns all GLB and glTF files among the paths and in the folders among them. */
async function collect(paths) {
  const files = [];
  for (const path of paths) {
    if ((await stat(path)).isDirectory()) {
      const below = await readdir(path, { recursive: true });
      files.push(
        ...below.filter(name => ['.glb', '.gltf'].includes(extname(name).toLowerCase())).map(name => join(path, name)),
      );
    } else {
      files.push(path);
    }
  }
  return files.sort();
}

/** Validates the files in worker threads; each idle worker receives the next file. */
function validateAll(files, onResult) {
  const waiting = [...files];
  const work = () =>
    new Promise((resolve, reject) => {
      const worker = new Worker(fileURLToPath(import.meta.url));
      const next = () => (waiting.length ? worker.postMessage(waiting.shift()) : worker.terminate().then(resolve));
      worker.on('error', reject);
      worker.on('message', ({ file, issues }) => {
        onResult(file, issues);
        next();
      });
      next();
    });
  return Promise.all(Array.from({ length: Math.min(availableParallelism(), files.length) }, work));
}

async function main() {
  const files = await collect(process.argv.slice(2));
  if (!files.length) {
    console.log('no GLB or glTF files were found');
    return 1;
  }
  const codes = new Map();
  const totals = [0, 0, 0, 0];
  let validated = 0;
  await validateAll(files, (file, issues) => {
    validated += 1;
    for (const { severity, code, message, pointer } of issues) {
      totals[severity] += 1;
      const entry = codes.get(code) ?? { severity, code, count: 0, files: new Set(), locations: [] };
      entry.count += 1;
      entry.files.add(file);
      entry.locations.push(`${relative(process.cwd(), file)}${pointer ? ` ${pointer}` : ''}: ${message}`);
      codes.set(code, entry);
    }
  });
  const order = (a, b) => a.severity - b.severity || b.count - a.count;
  for (const { severity, code, count, files: raisedBy, locations } of [...codes.values()].sort(order)) {
    console.log(`${SEVERITIES[severity].padEnd(7)}  ${code}: ${count} in ${raisedBy.size} files`);
    const shown = severity < 2 ? locations.sort().slice(0, MAX_LOCATIONS) : [];
    for (const location of shown) console.log(`         ${location.slice(0, 300)}`);
    const omitted = severity < 2 ? locations.length - shown.length : 0;
    if (omitted > 0) console.log(`         and ${omitted} more`);
  }
  const counts = SEVERITIES.map((name, severity) => `${totals[severity]} ${name}s`).join(', ');
  console.log(`${validated} of ${files.length} files validated: ${counts}`);
  return totals[0] || totals[1] || validated < files.length ? 1 : 0;
}

if (isMainThread) {
  process.exitCode = await main();
} else {
  parentPort.on('message', async file => parentPort.postMessage({ file, issues: await validate(file) }));
}
