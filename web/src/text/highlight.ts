// Syntax highlighting of the languages used in game files, one line at a time.

export type Kind = 'plain' | 'comment' | 'string' | 'number' | 'keyword' | 'name' | 'section' | 'mark';

export interface Token {
  kind: Kind;
  text: string;
}

type Rule = readonly [Kind, RegExp];

const SOUP: readonly Rule[] = [
  ['comment', /;.*|(?<=^|\s)\/\/.*/y],
  ['string', /"[^"]*"?/y],
  ['section', /#[0-9A-Fa-f]+\b|^[A-Za-z_]\w*:/y],
  [
    'keyword',
    /\b(?:if|else|endif|end|goto|gosub|return|start|task|while|for|call|not|and|or|is|object|function|var|flag|attribute|reference|sound|exit)\b/iy,
  ],
  ['number', /-?\b(?:0x[0-9a-f]+|\d+(?:\.\d+)?)\b/iy],
  ['name', /\b[A-Za-z_]\w*(?=\s*\()/y],
  ['plain', /\b[A-Za-z_]\w*/y],
  ['mark', /[{}()<>=!+\-*&|^,.:@/]+/y],
];

const JSON_RULES: readonly Rule[] = [
  ['name', /"(?:[^"\\]|\\.)*"(?=\s*:)/y],
  ['string', /"(?:[^"\\]|\\.)*"?/y],
  ['number', /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y],
  ['keyword', /\b(?:true|false|null)\b/y],
  ['mark', /[{}[\],:]+/y],
];

const INI_VALUE: readonly Rule[] = [
  ['comment', /;.*/y],
  ['string', /"[^"]*"?/y],
  ['number', /(?<![\w.])-?(?:0x[0-9a-f]+|\d+(?:\.\d+)?)(?![\w.])/iy],
  ['keyword', /\b(?:true|false|yes|no|on|off)\b/iy],
  ['plain', /[A-Za-z_]\w*/y],
];

function scan(line: string, rules: readonly Rule[]): Token[] {
  const tokens: Token[] = [];
  let plain = '';
  let at = 0;
  while (at < line.length) {
    const found = match(line, at, rules);
    if (!found) {
      plain += line[at] ?? '';
      at += 1;
      continue;
    }
    if (plain !== '') tokens.push({ kind: 'plain', text: plain });
    plain = '';
    tokens.push(found);
    at += found.text.length;
  }
  if (plain !== '') tokens.push({ kind: 'plain', text: plain });
  return tokens;
}

function match(line: string, at: number, rules: readonly Rule[]): Token | null {
  for (const [kind, pattern] of rules) {
    pattern.lastIndex = at;
    const text = pattern.exec(line)?.[0];
    if (text) return { kind, text };
  }
  return null;
}

function ini(line: string): Token[] {
  if (/^\s*[;#]|^\s*\/\//.test(line)) return [{ kind: 'comment', text: line }];
  if (/^\s*\[/.test(line)) return [{ kind: 'section', text: line }];
  const equals = line.indexOf('=');
  if (equals < 0) return scan(line, INI_VALUE);
  return [
    { kind: 'name', text: line.slice(0, equals) },
    { kind: 'mark', text: '=' },
    ...scan(line.slice(equals + 1), INI_VALUE),
  ];
}

/** Length of the longest highlighted line. */
const MAX_LENGTH = 4000;

export function highlight(line: string, language: string): Token[] {
  if (line.length > MAX_LENGTH) return [{ kind: 'plain', text: line }];
  if (language === 'ini') return ini(line);
  if (language === 'soup') return scan(line, SOUP);
  if (language === 'json') return scan(line, JSON_RULES);
  return [{ kind: 'plain', text: line }];
}
