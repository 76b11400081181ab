// Names and texts come from files: whatever could hide or reorder them is shown as what it is.

const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are made visible
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

function mark(character: string): string {
  const code = character.charCodeAt(0);
  return `\u27e8U+${code.toString(16).toUpperCase().padStart(4, '0')}\u27e9`;
}

/** A name or a value with control characters, direction overrides and invisible characters made visible. */
export function visible(text: string): string {
  return text.replace(HIDDEN, mark);
}

/** A line of a text; its tabs stay tabs. */
export function visibleLine(text: string): string {
  return text.replace(HIDDEN, character => (character === '\t' ? character : mark(character)));
}
