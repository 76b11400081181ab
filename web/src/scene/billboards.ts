// Billboards: nodes with `billboard` in their extras, which always face the camera. Their front is -Z.

import { type Object3D, type PerspectiveCamera, Vector3 } from 'three';
import type { SceneIndex } from './objects';

const UP = new Vector3(0, 1, 0);

export class Billboards {
  private readonly nodes: Object3D[];
  private readonly at = new Vector3();

  constructor(index: SceneIndex) {
    this.nodes = index.items.filter(it => it.extras.billboard === true).map(it => it.object);
  }

  update(camera: PerspectiveCamera): void {
    for (let i = 0; i < this.nodes.length; i++) {
      const node = this.nodes[i];
      if (!node) continue;
      node.getWorldPosition(this.at);
      const around = Math.atan2(camera.position.x - this.at.x, camera.position.z - this.at.z) + Math.PI;
      node.quaternion.setFromAxisAngle(UP, around);
    }
  }
}
