import { describe, expect, it, vi } from 'vitest';
import { nextNamed, TypeAhead } from '../src/list/type-ahead';

const press = (key: string, more: Partial<KeyboardEvent> = {}) => ({ key, ...more }) as KeyboardEvent;

describe('typed letters', () => {
  it('add up while they follow each other quickly', () => {
    vi.useFakeTimers();
    const typed = new TypeAhead();
    expect(typed.take(press('R'))).toBe('r');
    expect(typed.take(press('o'))).toBe('ro');
    expect(typed.take(press(' '))).toBe('ro ');
    vi.advanceTimersByTime(1000);
    expect(typed.take(press('x'))).toBe('x');
    vi.useRealTimers();
  });

  it('are forgotten after another key, but not after shift', () => {
    const typed = new TypeAhead();
    typed.take(press('a'));
    expect(typed.take(press('Shift'))).toBeNull();
    expect(typed.take(press('B'))).toBe('ab');
    expect(typed.take(press('ArrowDown'))).toBeNull();
    expect(typed.take(press('c'))).toBe('c');
  });

  it('do not include shortcuts, nor a space at the start', () => {
    const typed = new TypeAhead();
    expect(typed.take(press('c', { ctrlKey: true }))).toBeNull();
    expect(typed.take(press(' '))).toBeNull();
  });
});

describe('the next name', () => {
  const names = ['alpha', 'Beta', 'bench', null, 'boat'];
  const next = (typed: string, current: number) => nextNamed(typed, current, names.length, i => names[i] ?? null);

  it('starts with the typed letters, in any letter case', () => {
    expect(next('be', 0)).toBe(1);
    expect(next('ben', 1)).toBe(2);
    expect(next('z', 0)).toBeNull();
  });

  it('moves on with each repetition of a letter, and wraps around', () => {
    expect(next('b', 1)).toBe(2);
    expect(next('bb', 2)).toBe(4);
    expect(next('bbb', 4)).toBe(1);
  });
});
