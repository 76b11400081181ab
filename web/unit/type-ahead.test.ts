import { describe, expect, it, vi } from 'vitest';
import { nextWithPrefix, TypeAhead } from '../src/list/type-ahead';

const press = (key: string, more: Partial<KeyboardEvent> = {}) => ({ key, ...more }) as KeyboardEvent;

describe('typed letters', () => {
  it('are appended while typed quickly', () => {
    vi.useFakeTimers();
    const typed = new TypeAhead();
    expect(typed.handle(press('R'))).toBe('r');
    expect(typed.handle(press('o'))).toBe('ro');
    expect(typed.handle(press(' '))).toBe('ro ');
    vi.advanceTimersByTime(1000);
    expect(typed.handle(press('x'))).toBe('x');
    vi.useRealTimers();
  });

  it('are reset by another key, but not by Shift', () => {
    const typed = new TypeAhead();
    typed.handle(press('a'));
    expect(typed.handle(press('Shift'))).toBeNull();
    expect(typed.handle(press('B'))).toBe('ab');
    expect(typed.handle(press('ArrowDown'))).toBeNull();
    expect(typed.handle(press('c'))).toBe('c');
  });

  it('do not include shortcuts or a leading space', () => {
    const typed = new TypeAhead();
    expect(typed.handle(press('c', { ctrlKey: true }))).toBeNull();
    expect(typed.handle(press(' '))).toBeNull();
  });
});

describe('the next match', () => {
  const names = ['alpha', 'Beta', 'bench', null, 'boat'];
  const next = (typed: string, current: number) => nextWithPrefix(typed, current, names.length, i => names[i] ?? null);

  it('starts with the typed letters, in any letter case', () => {
    expect(next('be', 0)).toBe(1);
    expect(next('ben', 1)).toBe(2);
    expect(next('z', 0)).toBeNull();
  });

  it('advances with each repetition of a letter, and wraps around', () => {
    expect(next('b', 1)).toBe(2);
    expect(next('bb', 2)).toBe(4);
    expect(next('bbb', 4)).toBe(1);
  });
});
