import { describe, expect, it } from 'vitest';
import { clock, count, counted, fileSize, hex, parseOffset } from '../src/text/number';

describe('numbers', () => {
  it('groups digits by thousands', () => {
    expect(count(1234567)).toBe('1,234,567');
    expect(counted(1, 'file')).toBe('1 file');
    expect(counted(2000, 'entry', 'entries')).toBe('2,000 entries');
  });

  it('shows sizes in binary units with one decimal', () => {
    expect(fileSize(0)).toBe('0 B');
    expect(fileSize(1023)).toBe('1023 B');
    expect(fileSize(1024)).toBe('1 KiB');
    expect(fileSize(1536)).toBe('1.5 KiB');
    expect(fileSize(2 ** 31)).toBe('2 GiB');
    expect(fileSize(2 ** 60)).toBe('1,048,576 TiB');
  });

  it('shows times in minutes and seconds', () => {
    expect(clock(7.25)).toBe('0:07.25');
    expect(clock(125)).toBe('2:05.00');
    expect(clock(-1)).toBe('0:00.00');
  });

  it('shows hexadecimal digits in upper case', () => {
    expect(hex(255)).toBe('FF');
    expect(hex(10, 4)).toBe('000A');
  });
});

describe('offsets', () => {
  it.each([
    ['0x1F', 31],
    ['1Fh', 31],
    ['$1f', 31],
    ['31', 31],
    [' 1_000 ', 1000],
  ])('reads %s', (text, value) => {
    expect(parseOffset(text)).toBe(value);
  });

  it.each(['', '0x', '1F', '-1', '1.5', 'h'])('refuses "%s"', text => {
    expect(parseOffset(text)).toBeNull();
  });
});
