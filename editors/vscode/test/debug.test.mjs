// Checks that the launch configurations of the extension only use declared attributes.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test from 'node:test';

const manifest = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'));
const [debug] = manifest.contributes.debuggers;
const { properties } = debug.configurationAttributes.launch;

test('scripts support breakpoints', () => {
  assert.deepEqual(manifest.contributes.breakpoints, [{ language: 'soup' }]);
  assert.deepEqual(debug.languages, ['soup']);
});

test('launch configurations use declared attributes', () => {
  const offered = [...debug.initialConfigurations, ...debug.configurationSnippets.map(snippet => snippet.body)];
  assert.equal(offered.length, 3);
  for (const { type, request, name, ...others } of offered) {
    assert.deepEqual([type, request], ['soup', 'launch']);
    assert.ok(name);
    for (const [attribute, value] of Object.entries(others)) {
      assert.ok(attribute in properties, attribute);
      assert.equal(typeof value, properties[attribute].type, attribute);
    }
  }
});

test('every attribute has a description', () => {
  for (const [name, { description }] of Object.entries(properties)) {
    assert.match(description, /\.$/, name);
  }
});
