// The icon of a file kind.

import type { IconName } from './icon-paths';

const ICONS: Record<string, IconName> = {
  rooms: 'room',
  maps: 'globe',
  characters: 'character',
  models: 'scene',
  images: 'image',
  sounds: 'sound',
  scripts: 'script',
  texts: 'text',
  fonts: 'font',
  settings: 'table',
  archives: 'archive',
};

export function kindIcon(kind: string): IconName {
  return ICONS[kind] ?? 'file';
}
