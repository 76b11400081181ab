import { beforeEach, describe, expect, it, vi } from 'vitest';

/** Stubs the browser state that routes use. */
function browser(hash: string) {
  const location = { href: `http://localhost/token/${hash}` };
  const visit = (_state: unknown, _title: string, address: string) => {
    location.href = `http://localhost/token/${address}`;
  };
  vi.stubGlobal('location', location);
  vi.stubGlobal('history', { pushState: visit, replaceState: visit });
  return location;
}

async function load() {
  vi.resetModules();
  return import('../src/state/route');
}

beforeEach(() => vi.unstubAllGlobals());

describe('routes', () => {
  it('are read from the URL', async () => {
    browser('#/Redguard/maps/A%20B.RGM?view=fields&at=[3].x&broken=%E0%A4%A');
    const { route } = await load();
    expect(route.value).toEqual({
      path: 'Redguard/maps/A B.RGM',
      query: { view: 'fields', at: '[3].x', broken: '%E0%A4%A' },
    });
  });

  it('are written in a readable form, and read back unchanged', async () => {
    const location = browser('');
    const { go, route } = await load();
    go('a/b#?.rgm', { at: 'x[1],y/z', empty: null, text: 'a&b=c%' });
    expect(location.href).toMatch(/#\/a\/b%23%3F\.rgm\?at=x\[1\],y\/z&text=a%26b%3Dc%25$/);
    expect(route.value).toEqual({ path: 'a/b#?.rgm', query: { at: 'x[1],y/z', text: 'a&b=c%' } });
  });

  it('keep the theme and layout when opening another file, but no view state', async () => {
    browser('#/a?theme=dark&as=list&at=1');
    const { link } = await load();
    expect(link('b/c')).toBe('#/b/c?theme=dark&as=list');
    // The page of a game starts with its overview.
    expect(link('b')).toBe('#/b?theme=dark');
  });

  it('remember recent paths without duplicates', async () => {
    browser('');
    const { go, recent } = await load();
    for (const place of ['a', 'b', 'a']) go(place);
    expect(recent.value).toEqual(['a', 'b']);
  });
});

describe('paths', () => {
  it('are split into parents and names', async () => {
    browser('');
    const { ancestry, nameOf, parentOf } = await load();
    expect([parentOf('a/b/c'), parentOf('a'), nameOf('a/b/c'), nameOf('a')]).toEqual(['a/b', '', 'c', 'a']);
    expect(ancestry('a/b/c')).toEqual(['a', 'a/b', 'a/b/c']);
    expect(ancestry('')).toEqual([]);
  });
});
