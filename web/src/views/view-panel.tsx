// Selects the component for a kind of view. The page is independent of formats.

import type { Asset, View } from '../api/types';
import { FolderEntries, FolderTools } from '../browse/folder-page';
import { ReportView } from '../file/findings';
import { Empty } from '../ui/state';
import { BytesView } from './bytes/bytes-view';
import { FieldsAndBytes } from './fields/fields-and-bytes';
import { FieldsView } from './fields/fields-view';
import { FontView } from './font-view';
import { ImageView } from './image/image-view';
import { WithItems } from './items';
import { JsonView } from './json-view';
import { SceneView } from './scene-view';
import { ScriptView } from './script-view';
import { SoundView } from './sound/sound-view';
import { TableView } from './table/table-view';
import { TextView } from './text/text-view';

/** Props of every view of a single item. */
export interface ViewProps {
  asset: Asset;
  /** Index of the item; null if the file has only one. */
  item: number | null;
}

const SINGLE: Record<string, (props: ViewProps) => preact.JSX.Element | null> = {
  scene: SceneView,
  image: ImageView,
  sound: SoundView,
  font: FontView,
  table: TableView,
  text: TextView,
  script: ScriptView,
  data: JsonView,
};

export function ViewPanel({ asset, kind }: { asset: Asset; kind: string }) {
  const view: View | undefined = asset.views.find(other => other.kind === kind);
  const Single = SINGLE[kind];
  if (Single) {
    if (!view?.items) return <Single asset={asset} item={null} />;
    return (
      <WithItems asset={asset} kind={kind}>
        {item => <Single key={item} asset={asset} item={item} />}
      </WithItems>
    );
  }
  switch (kind) {
    case 'both':
      return <FieldsAndBytes asset={asset} />;
    case 'fields':
      return <FieldsView asset={asset} />;
    case 'bytes':
      return <BytesView asset={asset} />;
    case 'report':
      return <ReportView asset={asset} />;
    case 'folder':
      return (
        <div class="is-filled">
          <div class="toolbar">
            <FolderTools />
          </div>
          <FolderEntries path={asset.path} />
        </div>
      );
    default:
      return <Empty>Unsupported view: “{kind}”.</Empty>;
  }
}
