import { describe, expect, it } from 'vitest';
import { encodePath, errorMessage, isAbort, requestUrl, viewUrl } from '../src/api/request';

describe('request URLs', () => {
  it('encodes each segment of a path', () => {
    expect(encodePath('maps/a b#1/데.rgm')).toBe('maps/a%20b%231/%EB%8D%B0.rgm');
  });

  it('accepts names that are not valid Unicode', () => {
    expect(encodePath('a\ud800')).toBe('a%EF%BF%BD');
  });

  it('omits empty parameters', () => {
    expect(requestUrl('list', 'maps', { from: 0, limit: null, sort: '', as: undefined })).toBe('api/list/maps?from=0');
    expect(requestUrl('formats', null)).toBe('api/formats');
    expect(viewUrl('a.rgm', 'fields', { at: '[1].x&y' })).toBe('api/view/a.rgm?kind=fields&at=%5B1%5D.x%26y');
  });
});

describe('errors', () => {
  it('are shown by their message', () => {
    expect(errorMessage(new Error('the file is empty'))).toBe('the file is empty');
    expect(errorMessage('gone')).toBe('gone');
  });

  it('recognizes aborted requests', () => {
    expect(isAbort(new DOMException('', 'AbortError'))).toBe(true);
    expect(isAbort(new Error('AbortError'))).toBe(false);
  });
});
