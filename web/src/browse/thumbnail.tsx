// A thumbnail of a file, requested only while visible, with an icon as the fallback.

import { useEffect, useState } from 'preact/hooks';
import { getImage, viewUrl } from '../api/request';
import type { Format } from '../api/types';
import { Icon, type IconName } from '../ui/icon';

/** Maximum number of concurrent requests, so that thumbnails do not delay an opened file. */
const MAX_CONCURRENT = 3;
const CACHE_SIZE = 600;

const cache = new Map<string, string | null>();
const queue: { url: string; signal: AbortSignal; done(image: string | null): void }[] = [];
let running = 0;

function addToCache(url: string, image: string | null): void {
  cache.set(url, image);
  if (cache.size <= CACHE_SIZE) return;
  const [oldest] = cache.entries();
  if (!oldest) return;
  cache.delete(oldest[0]);
  if (oldest[1]) URL.revokeObjectURL(oldest[1]);
}

async function loadNext(): Promise<void> {
  // Newest first: these are visible after a quick scroll.
  const request = queue.pop();
  if (!request) return;
  if (request.signal.aborted) return loadNext();
  running += 1;
  try {
    const blob = await getImage(request.url, request.signal);
    const image = blob && blob.size > 0 ? URL.createObjectURL(blob) : null;
    addToCache(request.url, image);
    request.done(image);
  } catch {
    // Aborted, or the program stopped, which is reported elsewhere.
  } finally {
    running -= 1;
    void loadNext();
  }
}

interface ThumbnailProps {
  path: string;
  item?: number;
  /** Whether the file can have a thumbnail. */
  hasImage: boolean;
  icon: IconName;
}

export function Thumbnail({ path, item, hasImage, icon }: ThumbnailProps) {
  const url = viewUrl(path, 'thumbnail', { item });
  const [loaded, setLoaded] = useState<{ url: string; image: string | null } | null>(null);
  useEffect(() => {
    if (!hasImage || cache.has(url)) return undefined;
    const controller = new AbortController();
    queue.push({ url, signal: controller.signal, done: image => setLoaded({ url, image }) });
    if (running < MAX_CONCURRENT) void loadNext();
    return () => controller.abort();
  }, [url, hasImage]);
  const image = hasImage ? (cache.get(url) ?? (loaded?.url === url ? loaded.image : null)) : null;
  return <span class="thumbnail">{image ? <img src={image} alt="" decoding="async" /> : <Icon name={icon} />}</span>;
}

const IMAGE_VIEWS = new Set(['scene', 'image', 'font']);

/** Extensions of files that are never images; most unknown game files are executables. */
const NEVER_IMAGES = /\.(?:exe|dll|sys|bat|ogg|wav|mp3|txt|md|log|ini|cfg|json|xml|html?)$/i;

/** Whether a file can have a thumbnail. Games rename common image files (`.pt`, `.AIJ`), so unknown files are tried too. */
export function hasThumbnail(name: string, format: Format | null): boolean {
  return format === null ? !NEVER_IMAGES.test(name) : format.views.some(kind => IMAGE_VIEWS.has(kind));
}
