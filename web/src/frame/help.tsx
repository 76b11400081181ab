// The keyboard shortcuts dialog.

import { shortcuts } from '../scene/shortcuts';
import { Dialog } from '../ui/dialog';

const SHORTCUTS: readonly [string, readonly [string, string][]][] = [
  [
    'Global',
    [
      ['/ or Ctrl+K', 'Search names and contents'],
      ['?', 'Keyboard shortcuts'],
      ['Alt+← and Alt+→', 'Back and forward'],
      ['Alt+↑', 'Parent folder'],
      ['Alt+1 … Alt+9', 'Select a view of the file'],
      ['[ and ]', 'Previous and next file in the folder'],
      ['I', 'Show or hide file details'],
      ['N', 'Show or hide the file tree'],
      ['T', 'Switch between the dark and light themes'],
      ['Escape', 'Close the open panel or dialog'],
    ],
  ],
  [
    'Lists and trees',
    [
      ['↑ ↓ Page Up Page Down Home End', 'Move'],
      ['→ and ←', 'Expand and collapse'],
      ['Enter', 'Open'],
      ['Letters', 'Jump to the next match'],
    ],
  ],
  [
    'Playback and zoom',
    [
      ['Space', 'Play and pause'],
      ['L', 'Loop'],
      ['+ and −', 'Zoom in and out'],
    ],
  ],
  [
    'Scenes',
    shortcuts.map(({ keys, description }) => [keys, description.charAt(0).toUpperCase() + description.slice(1)]),
  ],
  [
    'Images',
    [
      ['0', 'Switch between fit and actual size'],
      ['Comma and period', 'Previous and next frame'],
      ['Arrows', 'Move the pixel cursor'],
    ],
  ],
  ['Sounds', [['← and →', 'Seek by one second']]],
  ['Settings', [['↑ and ↓', 'Previous and next line and its value']]],
  [
    'Tables',
    [
      ['Shift with ↑ and ↓', 'Select rows'],
      ['Ctrl+A', 'Select all loaded rows'],
      ['Ctrl+C', 'Copy the selection as CSV'],
    ],
  ],
  [
    'Bytes',
    [
      ['Arrows, with Shift to select', 'Move by a byte or a row'],
      ['Ctrl+Home and Ctrl+End', 'First and last byte'],
      ['Ctrl+G', 'Go to an offset'],
      ['Enter', 'Show the field at the cursor'],
      ['Ctrl+C', 'Copy the selection as hexadecimal'],
    ],
  ],
  [
    'Text',
    [
      ['Ctrl+F', 'Find'],
      ['Enter and Shift+Enter', 'Next and previous match'],
    ],
  ],
];

export function Help({ onClose }: { onClose(): void }) {
  return (
    <Dialog title="Keyboard shortcuts" class="help" onClose={onClose}>
      <div class="help-columns scroll" data-first-focus tabIndex={0} role="group" aria-label="All shortcuts">
        {SHORTCUTS.map(([title, rows]) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl class="keys">
              {rows.map(([keys, what]) => (
                <div key={keys}>
                  <dt>{keys}</dt>
                  <dd>{what}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
