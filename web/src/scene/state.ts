// The state of a view as short strings, so that a URL restores the same view.

const DEFAULTS: Record<string, string> = {
  camera: 'orbit',
  shade: 'game',
  bright: '1',
  pixels: 'file',
  grid: 'on',
  boxes: 'off',
  moving: 'on',
  air: 'auto',
  /** Name of a clip, or `none`; empty for the first clip. */
  clip: '',
  play: 'on',
  time: '0',
  speed: '1',
  loop: 'on',
  layers: '',
  eye: '',
  look: '',
};

const DELAY_MS = 200;

export class ViewState {
  private readonly values: Map<string, string>;
  private timer = 0;
  private lastReported = '';

  constructor(
    initial: Record<string, string>,
    private readonly report: (state: Record<string, string>) => void,
  ) {
    this.values = new Map(Object.entries(DEFAULTS));
    for (const [key, value] of Object.entries(initial)) {
      if (key in DEFAULTS) this.values.set(key, value);
    }
    this.lastReported = JSON.stringify(this.differences());
  }

  get(key: string): string {
    return this.values.get(key) ?? '';
  }

  isOn(key: string): boolean {
    return this.get(key) === 'on';
  }

  number(key: string, fallback: number): number {
    const value = Number.parseFloat(this.get(key));
    return Number.isFinite(value) ? value : fallback;
  }

  set(key: string, value: string | boolean): void {
    this.values.set(key, typeof value === 'boolean' ? (value ? 'on' : 'off') : value);
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.flush(), DELAY_MS);
  }

  dispose(): void {
    clearTimeout(this.timer);
  }

  /** Reports changes immediately, because the URL may be copied at any time. */
  flush(): void {
    clearTimeout(this.timer);
    const differences = this.differences();
    const text = JSON.stringify(differences);
    if (text === this.lastReported) return;
    this.lastReported = text;
    this.report(differences);
  }

  private differences(): Record<string, string> {
    const out: Record<string, string> = {};
    for (const [key, value] of this.values) {
      if (value !== DEFAULTS[key]) out[key] = value;
    }
    return out;
  }
}
