import { describe, expect, it } from 'vitest';
import { TreeModel, type TreeSource } from '../src/list/tree-model';

/** A tree of paths: the root has ten children, all other folders have three. */
function source(requests: string[] = [], more: Partial<TreeSource<string>> = {}): TreeSource<string> {
  return {
    pageSize: 4,
    async load(key, from) {
      requests.push(`${key}@${from}`);
      const total = key === '' ? 10 : 3;
      const items = Array.from({ length: Math.min(4, total - from) }, (_, i) => `${key}[${from + i}]`);
      return { total, from, items };
    },
    keyOf: item => item,
    isExpandable: item => item.split('[').length < 4,
    ...more,
  };
}

const shown = (model: TreeModel<string>) =>
  model.rows().map(row => (row.state === 'item' ? `${' '.repeat(row.depth)}${row.key}` : row.state));

describe('a tree that loads page by page', () => {
  it('shows loaded items, and placeholders for all others', async () => {
    const model = new TreeModel(source());
    expect(shown(model)).toEqual(['waiting']);
    await model.ensure('', 0);
    expect(shown(model)).toEqual(['[0]', '[1]', '[2]', '[3]', ...Array(6).fill('waiting')]);
    expect(model.total('')).toBe(10);
    expect(model.child('', 2)).toBe('[2]');
    expect(model.child('', 9)).toBeUndefined();
  });

  it('requests each page once', async () => {
    const requests: string[] = [];
    const model = new TreeModel(source(requests));
    await Promise.all([model.ensure('', 0), model.ensure('', 3), model.ensure('', 9)]);
    await model.ensure('', 1);
    expect(requests).toEqual(['@0', '@8']);
  });

  it('loads small branches completely', async () => {
    const requests: string[] = [];
    const model = new TreeModel(source(requests, { eagerLimit: 10 }));
    await model.ensure('', 0);
    await new Promise(resolve => setTimeout(resolve, 0));
    expect(requests).toEqual(['@0', '@4', '@8']);
  });

  it('shows the children of open branches only', async () => {
    const model = new TreeModel(source());
    await model.ensure('', 0);
    await model.open('[1]');
    expect(shown(model).slice(0, 6)).toEqual(['[0]', '[1]', ' [1][0]', ' [1][1]', ' [1][2]', '[2]']);
    model.toggle('[1]');
    expect(model.isOpen('[1]')).toBe(false);
    expect(shown(model).slice(0, 3)).toEqual(['[0]', '[1]', '[2]']);
  });

  it('reveals an item on a page that was not loaded', async () => {
    const model = new TreeModel(source());
    await model.reveal(['[9]', '[9][2]']);
    expect(shown(model).slice(-4)).toEqual(['[9]', ' [9][0]', ' [9][1]', ' [9][2]']);
  });

  it('shows a failure, and loads again on request', async () => {
    let fails = true;
    const working = source();
    const model = new TreeModel(
      source([], {
        load: (key, from, signal) => (fails ? Promise.reject(new Error('no answer')) : working.load(key, from, signal)),
      }),
    );
    await model.ensure('', 0);
    expect(model.failure('')).toBe('no answer');
    expect(model.rows()).toEqual([{ state: 'failed', depth: 0, parent: '', message: 'no answer' }]);
    fails = false;
    model.retry('');
    await model.ensure('', 0);
    expect(shown(model)[0]).toBe('[0]');
  });

  it('shows a placeholder for an empty branch', async () => {
    const model = new TreeModel(source([], { load: async () => ({ total: 0, from: 0, items: [] }) }));
    await model.ensure('', 0);
    expect(shown(model)).toEqual(['empty']);
  });
});
