// A file with several items: their list, and the selected item.

import type { ComponentChildren } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { getJson, requestUrl } from '../api/request';
import type { Asset, Item, ItemPage } from '../api/types';
import { Thumbnail } from '../browse/thumbnail';
import { ListBox } from '../list/list-box';
import { TreeModel } from '../list/tree-model';
import { patch, route } from '../state/route';
import { limits } from '../state/session';
import { count } from '../text/number';
import { visible } from '../text/visible';
import { viewIcon } from '../ui/icon';
import { Empty, Failure, Loading } from '../ui/state';

const ROOT = '';

/** A model of the items, loaded page by page. */
function useItems(path: string, kind: string): TreeModel<Item> {
  const model = useMemo(
    () =>
      new TreeModel<Item>({
        pageSize: Math.min(500, limits().count),
        load: (_, from, signal) =>
          getJson<ItemPage>(requestUrl('items', path, { kind, from, count: Math.min(500, limits().count) }), signal),
        keyOf: item => String(item.index),
        isExpandable: () => false,
      }),
    [path, kind],
  );
  useEffect(() => {
    void model.ensure(ROOT, 0);
    return () => model.dispose();
  }, [model]);
  return model;
}

interface WithItemsProps {
  asset: Asset;
  kind: string;
  children(item: number): ComponentChildren;
}

export function WithItems({ asset, kind, children }: WithItemsProps) {
  const model = useItems(asset.path, kind);
  model.version.value;
  const total = model.total(ROOT);
  const failure = model.failure(ROOT);
  const requested = Number(route.value.query.item ?? 'NaN');
  if (failure !== null) return <Failure reason={failure} retry={() => model.retry(ROOT)} />;
  if (total === null) return <Loading what="Reading the list…" />;
  if (total === 0) return <Empty>This file has no items of this kind.</Empty>;
  const position = positionOf(model, requested, total);
  const current = model.child(ROOT, position);
  const hasThumbnail = kind === 'image';
  return (
    <div class="with-items">
      <ListBox
        label={`Items, ${count(total)}`}
        count={total}
        rowHeight={hasThumbnail ? 56 : 40}
        selected={position}
        nameAt={index => model.child(ROOT, index)?.name ?? null}
        onVisibleRange={(first, end) => {
          for (let index = first; index < end; index++) if (!model.child(ROOT, index)) void model.ensure(ROOT, index);
        }}
        onSelect={index => patch({ item: String(model.child(ROOT, index)?.index ?? index), frame: null })}
        row={index => {
          const item = model.child(ROOT, index);
          if (!item) return <span class="skeleton" />;
          return (
            <>
              {hasThumbnail && <Thumbnail path={asset.path} item={item.index} hasImage icon={viewIcon(kind)} />}
              <span class="item-text">
                <span class="name ellipsis">{title(item)}</span>
                <span class="faint ellipsis">{note(item)}</span>
              </span>
            </>
          );
        }}
      />
      <div class="item-view">{current ? children(current.index) : <Loading what="Reading the list…" />}</div>
    </div>
  );
}

/** The list position of an item, which equals its number unless the loaded items differ. */
function positionOf(model: TreeModel<Item>, requested: number, total: number): number {
  if (!Number.isInteger(requested) || requested < 0) return 0;
  for (let index = 0; index < total; index++) if (model.child(ROOT, index)?.index === requested) return index;
  return Math.min(requested, total - 1);
}

/** The name of an item, or its first fact if it has no name. */
function title(item: Item): string {
  const first = Object.values(item.facts)[0];
  return visible(item.name ?? (typeof first === 'string' ? first : '')) || `#${item.index}`;
}

/** Summarizes the facts of an item: size, frames, duration and rate, or the first three facts. */
function note(item: Item): string {
  if (item.caption) return visible(item.caption);
  const { width, height, frames, seconds, rate } = item.facts;
  const parts: string[] = [];
  if (typeof width === 'number' && typeof height === 'number') {
    parts.push(`${width} × ${height}`);
    if (typeof frames === 'number' && frames > 1) parts.push(`${frames} frames`);
  }
  if (typeof seconds === 'number') parts.push(`${seconds.toFixed(2)} s`);
  if (typeof rate === 'number') parts.push(`${rate} Hz`);
  if (parts.length > 0) return parts.join(' · ');
  return Object.entries(item.facts)
    .filter(([, value]) => (typeof value === 'string' || typeof value === 'number') && value !== item.name)
    .slice(0, 3)
    .map(([name, value]) => visible(`${name} ${String(value)}`))
    .join(' · ');
}
