// One of the two images in a comparison.

import { useRef } from 'preact/hooks';
import { Failure, Loading } from '../ui/state';
import { useFrame } from '../views/image/frames';
import { ImageCanvas } from '../views/image/image-canvas';

const NO_QUERY = {};

export function SideImage({ path, name }: { path: string; name: string }) {
  const { shown } = useFrame(path, NO_QUERY, 0);
  const surface = useRef<HTMLDivElement>(null);
  if (shown.failure !== null) return <Failure reason={shown.failure} />;
  if (!shown.frame) return <Loading what="Reading the image…" />;
  return (
    <ImageCanvas
      surface={surface}
      frame={shown.frame}
      zoom="fit"
      background="checker"
      label={name}
      pixel={null}
      onPixel={() => undefined}
      onZoom={() => undefined}
    />
  );
}
