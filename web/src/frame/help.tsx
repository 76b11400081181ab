// The sheet of all keys.

import { shortcuts } from '../scene/shortcuts';
import { Dialog } from '../ui/dialog';

const SHEET: readonly [string, readonly [string, string][]][] = [
  [
    'Everywhere',
    [
      ['/ or Ctrl+K', 'Search names and contents'],
      ['?', 'Keyboard shortcuts'],
      ['Alt+← and Alt+→', 'Back and forward'],
      ['Alt+↑', 'The folder above'],
      ['Alt+1 … Alt+9', 'A view of the file'],
      ['[ and ]', 'The file before and after, in the same folder'],
      ['I', 'Details of the file'],
      ['N', 'Show and hide the tree of files'],
      ['T', 'Dark or light'],
      ['Escape', 'Close what is open'],
    ],
  ],
  [
    'Lists and trees',
    [
      ['↑ ↓ Page Up Page Down Home End', 'Move'],
      ['→ and ←', 'Open and close a branch'],
      ['Enter', 'Open'],
      ['Letters', 'Go to the next name that begins so'],
    ],
  ],
  [
    'Whatever moves or sounds',
    [
      ['Space', 'Play and pause'],
      ['L', 'Loop'],
      ['+ and −', 'Zoom in and out'],
    ],
  ],
  ['Scenes', shortcuts.map(({ keys, does }) => [keys, does.charAt(0).toUpperCase() + does.slice(1)])],
  [
    'Images',
    [
      ['0', 'Fit, and one pixel to one'],
      ['Comma and period', 'One frame back or forward'],
      ['Arrows', 'Move the pointer by one pixel'],
    ],
  ],
  ['Sounds', [['← and →', 'One second back and forward']]],
  ['Settings beside their values', [['↑ and ↓', 'The line above and below, and what it means']]],
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
      ['Enter', 'Show the field of this byte'],
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
        {SHEET.map(([title, rows]) => (
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
