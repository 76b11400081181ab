// One of two images that are compared.

import { useRef } from 'preact/hooks';
import { Failure, Loading } from '../ui/state';
import { useFrame } from '../views/image/frames';
import { Picture } from '../views/image/picture';

const STILL = {};

export function SideImage({ path, name }: { path: string; name: string }) {
  const { shown } = useFrame(path, STILL, 0);
  const surface = useRef<HTMLDivElement>(null);
  if (shown.failure !== null) return <Failure reason={shown.failure} />;
  if (!shown.frame) return <Loading what="Reading the image…" />;
  return (
    <Picture
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
