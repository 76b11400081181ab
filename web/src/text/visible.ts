// Makes invisible and reordering characters visible in untrusted text from files.

const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are made visible
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

function mark(character: string): string {
  const code = character.charCodeAt(0);
  return `\u27e8U+${code.toString(16).toUpperCase().padStart(4, '0')}\u27e9`;
}

/** Replaces control characters, direction overrides and invisible characters with their code points. */
export function visible(text: string): string {
  return text.replace(HIDDEN, mark);
}

/** Like `visible`, but keeps tabs. */
export function visibleLine(text: string): string {
  return text.replace(HIDDEN, character => (character === '\t' ? character : mark(character)));
}
