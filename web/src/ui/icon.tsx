// The few drawings of the page, on a grid of 16.

const PATHS = {
  right: 'M6 4l4 4-4 4',
  down: 'M4 6l4 4 4-4',
  left: 'M10 4L6 8l4 4',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.5 10.5L14 14',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  close: 'M4 4l8 8M12 4l-8 8',
  folder: 'M1.8 4.5v7.7h12.4V5.5H8L6.5 3.5H1.8z',
  archive: 'M2.5 5.5h11v7.5h-11zM1.8 3h12.4v2.5H1.8zM6.5 8h3',
  file: 'M4 1.8h5.2L12 4.7v9.5H4zM9 2v3h3',
  scene: 'M8 1.8l5.5 3v6.4L8 14.2l-5.5-3V4.8zM2.5 4.8L8 8l5.5-3.2M8 8v6',
  image: 'M2 3h12v10H2zM2 11l3.5-3.5 3 3 2-2L14 12M10.5 6h.01',
  sound: 'M3 6v4h2.5L9 13V3L5.5 6zM11.5 5.5a3.5 3.5 0 0 1 0 5M13 3.8a6 6 0 0 1 0 8.4',
  font: 'M3 13L7.3 3h1.4L13 13M4.8 9.5h6.4',
  table: 'M2 3h12v10H2zM2 6.3h12M2 9.6h12M6 3v10',
  text: 'M3 3.5h10M3 6.5h7M3 9.5h10M3 12.5h6',
  data: 'M6 2.5c-2 0-2 1-2 2.5s0 2.5-2 3c2 .5 2 1.5 2 3s0 2.5 2 2.5M10 2.5c2 0 2 1 2 2.5s0 2.5 2 3c-2 .5-2 1.5-2 3s0 2.5-2 2.5',
  fields: 'M2.5 3.5h4M5 7.5h4M5 11.5h4M3.5 3.5v8H5M3.5 7.5H5M11 7.5h2.5M11 11.5h2.5',
  bytes: 'M3 3v4M6 3h2v4H6zM11 3v4M3 9h2v4H3zM8 9v4M11 9h2v4h-2z',
  report: 'M8 2l6.5 11.5h-13zM8 6.5v3M8 11.5v.01',
  sun: 'M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM8 1.5v1.5M8 13v1.5M1.5 8H3M13 8h1.5M3.4 3.4l1 1M11.6 11.6l1 1M3.4 12.6l1-1M11.6 4.4l1-1',
  moon: 'M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7z',
  help: 'M5.8 6a2.2 2.2 0 1 1 3.2 2c-.7.4-1 .8-1 1.5M8 12v.01M8 14.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13z',
  play: 'M4.5 2.5l8 5.5-8 5.5z',
  pause: 'M5 3v10M11 3v10',
  grid: 'M2.5 2.5h4.5v4.5H2.5zM9 2.5h4.5v4.5H9zM2.5 9h4.5v4.5H2.5zM9 9h4.5v4.5H9z',
  list: 'M5.5 4h8M5.5 8h8M5.5 12h8M2.5 4h.01M2.5 8h.01M2.5 12h.01',
  download: 'M8 2v8M4.8 7L8 10.2 11.2 7M2.5 13.5h11',
  compare: 'M2 3h5v10H2zM9 3h5v10H9zM4 6h1M11 6h1M11 9h1',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  plus: 'M8 3v10M3 8h10',
  minus: 'M3 8h10',
  fit: 'M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10',
  back: 'M9.5 3L4.5 8l5 5M5 8h8.5',
  info: 'M8 14.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM8 7.5v4M8 4.8v.01',
  previous: 'M12 3L6 8l6 5zM4 3v10',
  next: 'M4 3l6 5-6 5zM12 3v10',
  loop: 'M3 7.5V7a3 3 0 0 1 3-3h7M11 2l2 2-2 2M13 8.5V9a3 3 0 0 1-3 3H3M5 14l-2-2 2-2',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} fill="none" stroke="currentColor" stroke-width="1.3" stroke-linecap="round" stroke-linejoin="round" />
    </svg>
  );
}

/** The drawing for a kind of view. */
export function viewIcon(kind: string | undefined): IconName {
  return kind !== undefined && kind in PATHS ? (kind as IconName) : 'file';
}
