// Selects the palette of an image or of scene textures, for formats with a palette option.

import { useEffect } from 'preact/hooks';
import type { Asset } from '../api/types';
import { loadNames } from '../state/names';
import { acceptsFile, matchingFiles } from '../state/option-files';
import { choices, choose } from '../state/options';
import { ancestry, nameOf, parentOf } from '../state/route';
import { visible } from '../text/visible';

const OPTION = 'palette';

function paletteOption(asset: Asset) {
  return asset.options.find(option => option.name === OPTION && acceptsFile(option)) ?? null;
}

export function PaletteChoice({ asset }: { asset: Asset }) {
  const option = paletteOption(asset);
  useEffect(() => {
    if (option) void loadNames();
  }, [option]);
  if (!option) return null;
  const [root = ''] = ancestry(asset.path);
  const chosen = choices.value[OPTION] ?? '';
  const files = matchingFiles(option.about, 'sure', root);
  // Always list the palette from the URL.
  if (chosen !== '' && !files.includes(chosen)) files.unshift(chosen);
  const label = (path: string) => {
    const folder = parentOf(path).slice(root.length + 1);
    return visible(folder === '' ? nameOf(path) : `${nameOf(path)} – ${folder}`);
  };
  return (
    <label class="palette-choice">
      <span>Palette</span>
      <select
        class="select"
        aria-label="Palette"
        value={chosen}
        onChange={event => choose(OPTION, event.currentTarget.value)}
      >
        <option value="">As in the game</option>
        {files.map(path => (
          <option key={path} value={path}>
            {label(path)}
          </option>
        ))}
      </select>
    </label>
  );
}
