// A modal dialog. Escape closes it, and the focus returns to the previous element.

import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from './icon';

interface DialogProps {
  title: string;
  onClose(): void;
  children: ComponentChildren;
  class?: string;
}

export function Dialog(props: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const dialog = element.current;
    const before = document.activeElement;
    dialog?.showModal();
    const first = dialog?.querySelector<HTMLElement>('[data-first-focus]');
    first?.focus();
    return () => {
      dialog?.close();
      // The dialog is removed from the page, so the browser does not restore the focus.
      const target =
        before instanceof HTMLElement && before.isConnected && before !== document.body
          ? before
          : document.getElementById('main');
      target?.focus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      class={`dialog ${props.class ?? ''}`}
      aria-labelledby={id}
      onCancel={event => {
        event.preventDefault();
        props.onClose();
      }}
      onClick={event => {
        if (event.target === element.current) props.onClose();
      }}
    >
      <div class="dialog-body">
        <div class="dialog-head">
          <h2 id={id}>{props.title}</h2>
          <button type="button" class="button is-plain" aria-label="Close" onClick={props.onClose}>
            <Icon name="close" />
          </button>
        </div>
        {props.children}
      </div>
    </dialog>
  );
}
