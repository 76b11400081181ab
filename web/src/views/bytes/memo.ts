// A component that renders only when its props change.

import { Component, type ComponentChildren, type FunctionComponent } from 'preact';

export function memo<P extends object>(draw: (props: P) => ComponentChildren): FunctionComponent<P> {
  class Memo extends Component<P> {
    override shouldComponentUpdate(next: P): boolean {
      const before: Record<string, unknown> = { ...this.props };
      return Object.entries(next).some(([name, value]) => before[name] !== value);
    }

    render(props: P): ComponentChildren {
      return draw(props);
    }
  }
  return Memo as unknown as FunctionComponent<P>;
}
