// Tests the grammar with every language construct: each token has the scope listed next to it.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import test from 'node:test';

const require = createRequire(import.meta.url);
const oniguruma = require('vscode-oniguruma');
const { INITIAL, Registry, parseRawGrammar } = require('vscode-textmate');

const wasm = await readFile(require.resolve('vscode-oniguruma/release/onig.wasm'));
await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));
const file = name => new URL(`../syntaxes/${name.replace('source.', '')}.tmLanguage.json`, import.meta.url);
const registry = new Registry({
  onigLib: Promise.resolve({
    createOnigScanner: patterns => new oniguruma.OnigScanner(patterns),
    createOnigString: text => new oniguruma.OnigString(text),
  }),
  loadGrammar: async name => parseRawGrammar(await readFile(file(name), 'utf8'), file(name).pathname),
});
const grammar = await registry.loadGrammar('source.soup');
const settings = await registry.loadGrammar('source.redguard-ini');

/** The tokens of a line except whitespace, each with its innermost scope. */
function parts(line, language = grammar) {
  const { tokens } = language.tokenizeLine(line, INITIAL);
  const shown = tokens.map(token => [
    line.slice(token.startIndex, token.endIndex).trim(),
    token.scopes.at(-1).replace(/\.(soup|redguard-ini)$/, ''),
  ]);
  return shown.filter(([text]) => text !== '');
}

const word = text => [text, 'keyword.control'];
const label = text => [text, 'entity.name.label'];
const call = text => [text, 'entity.name.function'];
const open = ['(', 'punctuation.section.parens'];
const close = [')', 'punctuation.section.parens'];
const number = text => [text, 'constant.numeric.decimal'];
const flag = text => [text, 'variable.other'];
const local = text => [text, 'variable.other.local'];
const object = text => [text, 'variable.language'];
const dot = ['.', 'punctuation.accessor'];
const property = text => [text, 'variable.other.property'];
const assign = ['=', 'keyword.operator.assignment'];
const text = inside => [
  ['"', 'punctuation.definition.string.begin'],
  [inside, 'string.quoted.double'],
  ['"', 'punctuation.definition.string.end'],
];
const comment = inside => [
  [';', 'punctuation.definition.comment'],
  [inside, 'comment.line.semicolon'],
];
const hash = ['#', 'punctuation.definition.constant'];
const named = text => [text, 'constant.other.name'];

const LINES = [
  [
    'actor "DREEKIUS" #12',
    [
      ['actor', 'keyword.other.actor'],
      ['"DREEKIUS"', 'entity.name.class'],
      ['#', 'punctuation.definition.number'],
      number('12'),
    ],
  ],
  [
    'operands mm',
    [
      ['operands', 'keyword.other'],
      ['mm', 'keyword.other'],
    ],
  ],
  ['start:', [label('start'), [':', 'punctuation.separator.label']]],
  ['  L0049:    ; goto x', [label('L0049'), [':', 'punctuation.separator.label'], ...comment('goto x')]],
  ['goto L0049+2', [word('goto'), label('L0049'), ['+', 'keyword.operator.arithmetic'], number('2')]],
  ['GOSUB top', [word('GOSUB'), label('top')]],
  ['end', [word('end')]],
  ['stop_task top', [word('stop_task'), label('top')]],
  ['endint', [word('endint')]],
  ['scriptrv 3', [word('scriptrv'), number('3')]],
  ['anchor 5', [['anchor', 'keyword.other'], number('5')]],
  ['bytes 08 ff ; odd', [['bytes', 'keyword.other.bytes'], ['08 ff', 'constant.numeric.hex'], ...comment('odd')]],
  ["RTX('dr01')", [call('RTX'), open, ["'dr01'", 'constant.other.dialogue'], close]],
  [
    'if After_League = 1 and ++var0 >= Me.pos.vx {',
    [
      word('if'),
      flag('After_League'),
      assign,
      number('1'),
      ['and', 'keyword.operator.logical'],
      ['++', 'keyword.operator.increment'],
      local('var0'),
      ['>=', 'keyword.operator.comparison'],
      object('Me'),
      dot,
      property('pos'),
      dot,
      property('vx'),
      ['{', 'punctuation.section.block'],
    ],
  ],
  ['} else {', [['}', 'punctuation.section.block'], word('else'), ['{', 'punctuation.section.block']]],
  ['if var0 = 1 else top', [word('if'), local('var0'), assign, number('1'), word('else'), label('top')]],
  [
    'while var0 < 3 {',
    [
      word('while'),
      local('var0'),
      ['<', 'keyword.operator.comparison'],
      number('3'),
      ['{', 'punctuation.section.block'],
    ],
  ],
  [
    'task AddItem(#Sabre, 1)',
    [
      ['task', 'storage.modifier'],
      call('AddItem'),
      open,
      hash,
      named('Sabre'),
      [',', 'punctuation.separator'],
      number('1'),
      close,
    ],
  ],
  ['AddItem(#"health potion")', [call('AddItem'), open, hash, named('"health potion"'), close]],
  ['"DO;OR".Wait("x")', [...text('DO;OR'), dot, call('Wait'), open, ...text('x'), close]],
  [
    'opcode task Player.RTX(alt 5)',
    [
      ['opcode', 'storage.modifier'],
      ['task', 'storage.modifier'],
      object('Player'),
      dot,
      call('RTX'),
      open,
      ['alt', 'storage.modifier'],
      number('5'),
      close,
    ],
  ],
  ['Camera.ref_4--', [object('Camera'), dot, property('ref_4'), ['--', 'keyword.operator.increment']]],
  [
    'flag_12 = var1 * -5 << 0x1F & string_2 pad 3',
    [
      flag('flag_12'),
      assign,
      local('var1'),
      ['*', 'keyword.operator.arithmetic'],
      ['-', 'keyword.operator.arithmetic'],
      number('5'),
      ['<<', 'keyword.operator.bitwise'],
      ['0x1F', 'constant.numeric.hex'],
      ['&', 'keyword.operator.bitwise'],
      flag('string_2'),
      ['pad', 'storage.modifier'],
      number('3'),
    ],
  ],
];

for (const [line, expected] of LINES) {
  test(line, () => assert.deepEqual(parts(line), expected));
}

test('highlights escapes in strings, and ends a string with its line', () => {
  const [, escaped, , wrong] = parts('"\\u{41}x\\q');
  assert.deepEqual(
    [escaped, wrong],
    [
      ['\\u{41}', 'constant.character.escape'],
      ['\\q', 'invalid.illegal.escape'],
    ],
  );
  const first = grammar.tokenizeLine('"open', INITIAL);
  const second = grammar.tokenizeLine('end', first.ruleStack);
  assert.equal(second.tokens[0].scopes.at(-1), 'keyword.control.soup');
});

const bracket = text => [text, 'punctuation.section.brackets'];
const key = text => [text, 'variable.other.property'];
const SETTINGS = [
  ['[world] ; all', [bracket('['), ['world', 'entity.name.section'], bracket(']'), ...comment('all')]],
  ['max_taunts = 600', [key('max_taunts'), assign, ['600', 'constant.numeric']]],
  ['redbook=on', [key('redbook'), assign, ['on', 'constant.language']]],
  [
    'world_map [ 3 ] = maps\\start.rgm ; first',
    [
      key('world_map'),
      bracket('['),
      ['3', 'constant.numeric.index'],
      bracket(']'),
      assign,
      ['maps\\start.rgm', 'source'],
      ...comment('first'),
    ],
  ],
  [
    'list[0]=1,-2',
    [
      key('list'),
      bracket('['),
      ['0', 'constant.numeric.index'],
      bracket(']'),
      assign,
      ['1', 'constant.numeric'],
      [',', 'punctuation.separator'],
      ['-2', 'constant.numeric'],
    ],
  ],
  ['; a = b', comment('a = b')],
];

for (const [line, expected] of SETTINGS) {
  test(line, () => assert.deepEqual(parts(line, settings), expected));
}
