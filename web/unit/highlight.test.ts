import { describe, expect, it } from 'vitest';
import { highlight } from '../src/text/highlight';

const kinds = (line: string, language: string) =>
  highlight(line, language)
    .filter(token => token.text.trim() !== '')
    .map(token => `${token.kind} ${token.text}`);

describe('highlighting', () => {
  it('keeps every character of a line', () => {
    const lines = ['  if (Health(Me) < 10) // low', '"a": [1.5e3, tru', '[Sky]', 'fog = 1 ; far', '\u00e4 "open'];
    for (const language of ['soup', 'json', 'ini', 'text'])
      for (const line of lines)
        expect(
          highlight(line, language)
            .map(token => token.text)
            .join(''),
        ).toBe(line);
  });

  it('distinguishes keywords, functions and comments in scripts', () => {
    expect(kinds('if (Health(Me) < 10) // low', 'soup')).toEqual([
      'keyword if',
      'mark (',
      'name Health',
      'mark (',
      'plain Me',
      'mark )',
      'mark <',
      'number 10',
      'mark )',
      'comment // low',
    ]);
  });

  it('distinguishes names and strings in JSON', () => {
    expect(kinds('"a\\"b": "c", "d": null', 'json')).toEqual([
      'name "a\\"b"',
      'mark :',
      'string "c"',
      'mark ,',
      'name "d"',
      'mark :',
      'keyword null',
    ]);
  });

  it('distinguishes sections, names and values in settings', () => {
    expect(kinds('[Sky]', 'ini')).toEqual(['section [Sky]']);
    expect(kinds('fog=0.5 ; far', 'ini')).toEqual(['name fog', 'mark =', 'number 0.5', 'comment ; far']);
  });

  it('does not highlight very long lines', () => {
    expect(highlight('1'.repeat(4001), 'json')).toHaveLength(1);
  });
});
