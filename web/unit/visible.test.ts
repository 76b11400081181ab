import { describe, expect, it } from 'vitest';
import { visible, visibleLine } from '../src/text/visible';

describe('names from files', () => {
  it('stay unchanged if every character is visible', () => {
    expect(visible('데이터 – Größe 😀')).toBe('데이터 – Größe 😀');
  });

  it('show control characters and direction overrides as code points', () => {
    expect(visible('a\u0000b')).toBe('a\u27e8U+0000\u27e9b');
    expect(visible('exe.\u202egnp')).toBe('exe.\u27e8U+202E\u27e9gnp');
  });

  it('show lone surrogates as code points', () => {
    expect(visible('\ud83d')).toBe('\u27e8U+D83D\u27e9');
    expect(visible('x\ude00')).toBe('x\u27e8U+DE00\u27e9');
  });

  it('keep tabs only in text lines', () => {
    expect(visible('a\tb')).toBe('a\u27e8U+0009\u27e9b');
    expect(visibleLine('a\tb\u0007')).toBe('a\tb\u27e8U+0007\u27e9');
  });
});
