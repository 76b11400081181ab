// Decodes sounds for drawing and playback.

export interface Sound {
  buffer: AudioBuffer;
  /** Sample rate of the file in Hz; the browser resamples for playback. */
  rate: number;
  channels: number;
  /** Bits per sample; null if the sound is not a WAV file. */
  bits: number | null;
  /** Loop range in seconds. */
  loop: { start: number; end: number } | null;
}

export async function decodeSound(file: ArrayBuffer, loop: string | null): Promise<Sound> {
  const context = new OfflineAudioContext(1, 1, 44_100);
  const buffer = await context.decodeAudioData(file.slice(0)).catch(() => {
    throw new Error('The browser cannot play this sound.');
  });
  const format = findFormat(new DataView(file)) ?? {
    rate: buffer.sampleRate,
    channels: buffer.numberOfChannels,
    bits: null,
  };
  return { buffer, ...format, loop: parseLoop(loop, format.rate) };
}

const RIFF = 0x52494646;

function findFormat(data: DataView): { rate: number; channels: number; bits: number } | null {
  if (data.byteLength < 12 || data.getUint32(0) !== RIFF) return null;
  for (let at = 12; at + 8 <= data.byteLength; ) {
    const length = data.getUint32(at + 4, true);
    if (data.getUint32(at) === 0x666d7420 && at + 24 <= data.byteLength) {
      return {
        channels: data.getUint16(at + 10, true),
        rate: data.getUint32(at + 12, true),
        bits: data.getUint16(at + 22, true),
      };
    }
    at += 8 + length + (length % 2);
  }
  return null;
}

function parseLoop(text: string | null, rate: number): Sound['loop'] {
  const [start, end] = (text ?? '').split(',').map(Number);
  if (start === undefined || end === undefined || !(end > start)) return null;
  return { start: start / rate, end: end / rate };
}

/** The lowest and highest sample of each of `columns` segments. */
export function peaks(buffer: AudioBuffer, columns: number): { low: Float32Array; high: Float32Array } {
  const low = new Float32Array(columns);
  const high = new Float32Array(columns);
  for (let channel = 0; channel < buffer.numberOfChannels; channel++) {
    const samples = buffer.getChannelData(channel);
    for (let column = 0; column < columns; column++) {
      const from = Math.floor((column * samples.length) / columns);
      const to = Math.max(from + 1, Math.floor(((column + 1) * samples.length) / columns));
      for (let index = from; index < to; index++) {
        const sample = samples[index] ?? 0;
        if (sample < (low[column] ?? 0)) low[column] = sample;
        if (sample > (high[column] ?? 0)) high[column] = sample;
      }
    }
  }
  return { low, high };
}
