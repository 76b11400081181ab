// A segmented control: a choice between a few visible options.

import type { ComponentChildren } from 'preact';

interface SegmentsProps<T extends string> {
  label: string;
  value: T;
  choices: readonly { value: T; label: string; shown?: ComponentChildren }[];
  onChange(value: T): void;
}

export function Segments<T extends string>(props: SegmentsProps<T>) {
  return (
    <div class="segments" role="group" aria-label={props.label}>
      {props.choices.map(choice => (
        <button
          key={choice.value}
          type="button"
          class="segment"
          aria-pressed={choice.value === props.value}
          aria-label={choice.shown ? choice.label : undefined}
          title={choice.shown ? choice.label : undefined}
          onClick={() => props.onChange(choice.value)}
        >
          {choice.shown ?? choice.label}
        </button>
      ))}
    </div>
  );
}
