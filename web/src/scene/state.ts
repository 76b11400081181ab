// The state of a view as short texts, so that an address of the page shows the same picture again.

const DEFAULTS: Record<string, string> = {
  camera: 'orbit',
  shade: 'game',
  bright: '1',
  pixels: 'file',
  grid: 'on',
  boxes: 'off',
  moving: 'on',
  air: 'auto',
  /** The name of a clip, or `none`; empty for the first one. */
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
  private said = '';

  constructor(
    given: Record<string, string>,
    private readonly report: (state: Record<string, string>) => void,
  ) {
    this.values = new Map(Object.entries(DEFAULTS));
    for (const [key, value] of Object.entries(given)) {
      if (key in DEFAULTS) this.values.set(key, value);
    }
    this.said = JSON.stringify(this.differences());
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

  /** Reports what has changed now: a link may be taken at once. */
  flush(): void {
    clearTimeout(this.timer);
    const differences = this.differences();
    const text = JSON.stringify(differences);
    if (text === this.said) return;
    this.said = text;
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
