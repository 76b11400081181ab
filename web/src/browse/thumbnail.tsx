// A small picture of a file, asked for only while it is in sight; a drawing of its kind where there is none.

import { useEffect, useState } from 'preact/hooks';
import { getPicture, viewAddress } from '../api/request';
import type { Format } from '../api/types';
import { Icon, type IconName } from '../ui/icon';

/** How many are asked for at a time, so that what one opens does not wait behind a hundred pictures. */
const AT_ONCE = 3;
const KEPT = 600;

const kept = new Map<string, string | null>();
const waiting: { url: string; signal: AbortSignal; done(picture: string | null): void }[] = [];
let running = 0;

function keep(url: string, picture: string | null): void {
  kept.set(url, picture);
  if (kept.size <= KEPT) return;
  const [oldest] = kept.entries();
  if (!oldest) return;
  kept.delete(oldest[0]);
  if (oldest[1]) URL.revokeObjectURL(oldest[1]);
}

async function next(): Promise<void> {
  // The newest first: they are those in sight after a quick scroll.
  const asked = waiting.pop();
  if (!asked) return;
  if (asked.signal.aborted) return next();
  running += 1;
  try {
    const blob = await getPicture(asked.url, asked.signal);
    const picture = blob && blob.size > 0 ? URL.createObjectURL(blob) : null;
    keep(asked.url, picture);
    asked.done(picture);
  } catch {
    // Left before it came, or the program is gone: the page says so elsewhere.
  } finally {
    running -= 1;
    void next();
  }
}

interface ThumbnailProps {
  path: string;
  item?: number;
  /** Whether a picture can be expected at all. */
  pictured: boolean;
  icon: IconName;
}

export function Thumbnail({ path, item, pictured, icon }: ThumbnailProps) {
  const url = viewAddress(path, 'thumbnail', { item });
  const [loaded, setLoaded] = useState<{ url: string; picture: string | null } | null>(null);
  useEffect(() => {
    if (!pictured || kept.has(url)) return undefined;
    const controller = new AbortController();
    waiting.push({ url, signal: controller.signal, done: picture => setLoaded({ url, picture }) });
    if (running < AT_ONCE) void next();
    return () => controller.abort();
  }, [url, pictured]);
  const picture = pictured ? (kept.get(url) ?? (loaded?.url === url ? loaded.picture : null)) : null;
  return (
    <span class="thumbnail">{picture ? <img src={picture} alt="" decoding="async" /> : <Icon name={icon} />}</span>
  );
}

const SEEN = new Set(['scene', 'image', 'font']);

/** What can be no picture, whatever it holds: most unknown files of games are programs. */
const NEVER = /\.(?:exe|dll|sys|bat|ogg|wav|mp3|txt|md|log|ini|cfg|json|xml|html?)$/i;

/** Whether a small picture of a file can be expected. Games call pictures of common kinds by any name (`.pt`, `.AIJ`), so unknown files are asked. */
export function isPictured(name: string, format: Format | null): boolean {
  return format === null ? !NEVER.test(name) : format.views.some(kind => SEEN.has(kind));
}
