import { describe, expect, it } from 'vitest';
import { address, encodePath, isAbort, sentence, viewAddress } from '../src/api/request';

describe('addresses of requests', () => {
  it('encode each name of a path', () => {
    expect(encodePath('maps/a b#1/데.rgm')).toBe('maps/a%20b%231/%EB%8D%B0.rgm');
  });

  it('accept names that are not valid Unicode', () => {
    expect(encodePath('a\ud800')).toBe('a%EF%BF%BD');
  });

  it('leave out empty parameters', () => {
    expect(address('list', 'maps', { from: 0, limit: null, sort: '', as: undefined })).toBe('api/list/maps?from=0');
    expect(address('formats', null)).toBe('api/formats');
    expect(viewAddress('a.rgm', 'fields', { at: '[1].x&y' })).toBe('api/view/a.rgm?kind=fields&at=%5B1%5D.x%26y');
  });
});

describe('failures', () => {
  it('are shown by their message', () => {
    expect(sentence(new Error('the file is empty'))).toBe('the file is empty');
    expect(sentence('gone')).toBe('gone');
  });

  it('that the page caused are recognized', () => {
    expect(isAbort(new DOMException('', 'AbortError'))).toBe(true);
    expect(isAbort(new Error('AbortError'))).toBe(false);
  });
});
