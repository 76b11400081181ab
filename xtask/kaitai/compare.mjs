// Compiles Kaitai structs and compares what their readers find in files with what the program finds.
//
// Usage: node compare.mjs PROGRAM STRUCTS FILES
// PROGRAM is `antiquary`, STRUCTS a folder of .ksy files, FILES a text file with a format id and a path in each line, separated by a tab.
// Prints one JSON object per format, then one with the totals. The exit code is 1 if anything differs.

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import Compiler from 'kaitai-struct-compiler';
import KaitaiStream from 'kaitai-struct/KaitaiStream.js';
import { parse } from 'yaml';

const require = createRequire(import.meta.url);
const MAX_SHOWN = 5;

/** Formats in which the program shows the data of an object as fields of the object, wherever it is stored. */
const BY_OWNER = new Set(['redguard.rgm']);

/** A compiled struct: its class and its definition. */
async function compile(file) {
  const definition = parse(readFileSync(file, 'utf8'));
  const sources = await Compiler.compile('javascript', definition, null, true);
  const exports = {};
  for (const source of Object.values(sources)) {
    new Function('exports', 'module', 'require', source)(exports, { exports }, require);
  }
  const name = pascal(definition.meta.id);
  return { definition, reader: exports[name]?.[name] ?? exports[name] };
}

const pascal = (id) => id.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
const camel = (id) => {
  const name = pascal(id);
  return name.charAt(0).toLowerCase() + name.slice(1);
};

/** The fields that the program finds, in the order of their offsets. */
function spansOf(program, file) {
  let text;
  try {
    text = execFileSync(program, ['hex', file, '--json'], { maxBuffer: 1 << 30, stdio: ['ignore', 'pipe', 'ignore'] });
  } catch (error) {
    text = error.stdout;
  }
  const answer = JSON.parse(text.toString('utf8'));
  if (!answer.ok) return null;
  const spans = answer.results.filter((span) => span.end > span.start);
  return spans.sort((a, b) => a.start - b.start || a.end - b.end);
}

/** Whether the program finds a defect in a file. */
function isDamaged(program, file) {
  try {
    execFileSync(program, ['check', file, '--strict'], { stdio: 'ignore' });
    return false;
  } catch {
    return true;
  }
}

/** Index of the last span that starts at or before an offset. */
function lastBefore(spans, offset) {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (spans[middle].start <= offset) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Visits every number and every run of bytes that a Kaitai reader has read. */
function* leaves(object, type, types, at) {
  for (const field of type.seq) {
    const read = object._debug[camel(field.id)];
    if (read === undefined) continue;
    const value = object[camel(field.id)];
    const segment = field['-path'] ?? field.id;
    const name = segment === '' ? at : at === '' ? segment : `${at}.${segment}`;
    const inner = types[String(field.type).replace(/\(.*/s, '')];
    const items = field.repeat ? value.map((item, index) => [item, read.arr[index], `${name}[${index}]`]) : [[value, read, name]];
    for (const [item, range, itemName] of items) {
      if (inner) {
        yield* leaves(item, inner, types, itemName);
      } else {
        const offset = range.ioOffset ?? 0;
        yield { field, value: item, path: itemName, start: range.start + offset, end: range.end + offset };
      }
    }
  }
}

/** Whether the text of a span is this value; null if the text has another form. */
function hasValue(text, leaf) {
  if (leaf.value instanceof Uint8Array) {
    const digits = /^([0-9a-f]{2}(?: [0-9a-f]{2})*)(?: "| \.\.\.|$)/.exec(text);
    if (!digits) return null;
    const found = digits[1].split(' ').map((digit) => Number.parseInt(digit, 16));
    return found.every((byte, index) => byte === leaf.value[index]);
  }
  if (!/^(-?[0-9.]+(e-?[0-9]+)?|-?inf|NaN)$/.test(text)) return null;
  if (/^f[48]/.test(leaf.field.type)) {
    const number = Number(text.replace('inf', 'Infinity'));
    return Object.is(leaf.field.type.startsWith('f4') ? Math.fround(number) : number, leaf.value);
  }
  return text === String(leaf.value);
}

/** Compares the two readings of a file. */
function compare(id, spans, length, root, definition) {
  const out = { fields: 0, values: 0, named: 0, opaque: 0, elsewhere: 0, differences: [] };
  const types = definition.types ?? {};
  const ranges = [];
  for (const leaf of leaves(root, definition, types, '')) {
    if (leaf.end === leaf.start) continue;
    ranges.push([leaf.start, leaf.end]);
    const size = leaf.end - leaf.start;
    const last = lastBefore(spans, leaf.start);
    let span = spans[last];
    // Parts of a damaged file can overlap.
    for (let at = last; at >= 0 && spans[at].start === leaf.start; at -= 1) {
      if (spans[at].end === leaf.end && spans[at].path === leaf.path) span = spans[at];
    }
    if (leaf.field['-opaque'] !== undefined) {
      const end = spans[lastBefore(spans, leaf.end - 1)];
      const covers = span?.start === leaf.start && end.end === leaf.end;
      if (!covers && !(span && span.end >= leaf.end)) out.differences.push(`${leaf.path}: opaque bytes ${leaf.start}..${leaf.end} cut a field`);
      out.opaque += size;
      continue;
    }
    const isSame = span?.start === leaf.start && span.end === leaf.end && span.path === leaf.path;
    const isPart = span && span.start <= leaf.start && span.end >= leaf.end && isBelow(leaf.path, span.path);
    if (!isSame && !isPart && isSplit(spans, last, leaf)) {
      out.opaque += size;
      continue;
    }
    if (!isSame && !isPart && BY_OWNER.has(id) && nests(spans, span, last, leaf)) {
      out.elsewhere += size;
      continue;
    }
    if (!isSame && !isPart) {
      const found = span ? `${span.path} ${span.start}..${span.end}` : 'nothing';
      out.differences.push(`${leaf.path} ${leaf.start}..${leaf.end}: the program has ${found}`);
      continue;
    }
    const agrees = isSame ? hasValue(span.value, leaf) : null;
    if (agrees === false) out.differences.push(`${leaf.path} at ${leaf.start}: ${leaf.value}, the program has ${span.value}`);
    out.fields += 1;
    out.values += agrees ? 1 : 0;
    out.named += size;
  }
  ranges.sort((a, b) => a[0] - b[0]);
  let end = 0;
  for (const [start, stop] of [...ranges, [length, length]]) {
    if (start !== end) out.differences.push(`bytes ${end}..${start} are ${start > end ? 'not read' : 'read twice'}`);
    end = Math.max(end, stop);
  }
  return out;
}

/** Whether a leaf lies within a span, or consists of complete spans. */
function nests(spans, span, last, leaf) {
  if (span && span.start <= leaf.start && span.end >= leaf.end) return true;
  if (span?.start !== leaf.start) return false;
  let at = last;
  while (at + 1 < spans.length && spans[at + 1].start < leaf.end) at += 1;
  return spans[at].end <= leaf.end;
}

/** Whether the program has fields for bytes that are a single field here, such as a file in a file. */
function isSplit(spans, first, leaf) {
  if (!(leaf.value instanceof Uint8Array) || spans[first]?.start !== leaf.start) return false;
  let at = first;
  while (at + 1 < spans.length && spans[at + 1].start < leaf.end) at += 1;
  return spans[at].end === leaf.end && spans.slice(first, at + 1).every((span) => isBelow(span.path, leaf.path));
}

const isBelow = (inner, outer) => inner === outer || inner.startsWith(`${outer}.`) || inner.startsWith(`${outer}[`);

const [program, folder, list] = process.argv.slice(2);
const files = readFileSync(list, 'utf8').split('\n').filter(Boolean).map((line) => line.split('\t'));
const totals = { formats: 0, files: 0, refused: 0, damaged: 0, fields: 0, values: 0, named: 0, opaque: 0, elsewhere: 0, bytes: 0, differences: 0 };
for (const name of readdirSync(folder).filter((name) => name.endsWith('.ksy')).sort()) {
  const id = name.slice(0, -'.ksy'.length);
  const row = { format: id, files: 0, refused: 0, damaged: 0, fields: 0, values: 0, named: 0, opaque: 0, elsewhere: 0, bytes: 0, differences: [] };
  let compiled;
  try {
    compiled = await compile(path.join(folder, name));
  } catch (error) {
    row.differences.push(`does not compile: ${String(error.message ?? error)}`);
  }
  for (const [, file] of compiled ? files.filter(([format]) => format === id) : []) {
    const spans = spansOf(program, file);
    if (!spans) {
      row.refused += 1;
      continue;
    }
    row.files += 1;
    try {
      const bytes = readFileSync(file);
      const data = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
      const root = new compiled.reader(new KaitaiStream(data));
      root._read();
      const found = compare(id, spans, bytes.length, root, compiled.definition);
      for (const key of ['fields', 'values', 'named', 'opaque', 'elsewhere']) row[key] += found[key];
      row.bytes += bytes.length;
      const isIncomplete = found.differences.length > 0 && found.differences.every((text) => text.endsWith('are not read'));
      if (isIncomplete && isDamaged(program, file)) row.damaged += 1;
      else row.differences.push(...found.differences.map((difference) => `${file}: ${difference}`));
    } catch (error) {
      // Of a damaged section, the program keeps the bytes; a Kaitai reader stops.
      if (isDamaged(program, file)) row.damaged += 1;
      else row.differences.push(`${file}: ${error.stack?.split('\n').slice(0, 3).join(' ') ?? error}`);
    }
  }
  totals.formats += 1;
  for (const key of ['files', 'refused', 'damaged', 'fields', 'values', 'named', 'opaque', 'elsewhere', 'bytes']) totals[key] += row[key];
  totals.differences += row.differences.length;
  const shown = row.differences.slice(0, MAX_SHOWN);
  console.log(JSON.stringify({ ...row, differences: row.differences.length, shown }));
}
console.log(JSON.stringify({ totals }));
process.exitCode = totals.differences > 0 ? 1 : 0;
