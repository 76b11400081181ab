// Tabs with the keyboard interface of the ARIA tabs pattern.

import { useRef } from 'preact/hooks';
import { Icon, type IconName } from './icon';

export interface Tab {
  id: string;
  label: string;
  icon: IconName;
  badge?: string | undefined;
}

interface TabsProps {
  label: string;
  tabs: readonly Tab[];
  current: string;
  panel: string;
  onChange(id: string): void;
}

export function Tabs({ label, tabs, current, panel, onChange }: TabsProps) {
  const strip = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    const at = tabs.findIndex(tab => tab.id === current);
    const targets: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 };
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    const next = tabs[(target + tabs.length) % tabs.length];
    if (!next) return;
    onChange(next.id);
    const button = strip.current?.querySelector(`[data-tab="${CSS.escape(next.id)}"]`);
    if (button instanceof HTMLElement) button.focus();
  };
  return (
    <div ref={strip} class="tabs" role="tablist" aria-label={label} onKeyDown={move}>
      {tabs.map(tab => (
        <button
          key={tab.id}
          type="button"
          role="tab"
          class="tab"
          data-tab={tab.id}
          id={`${panel}-tab-${tab.id}`}
          aria-selected={tab.id === current}
          aria-controls={panel}
          tabIndex={tab.id === current ? 0 : -1}
          onClick={() => onChange(tab.id)}
        >
          <Icon name={tab.icon} />
          <span>{tab.label}</span>
          {tab.badge && <span class="badge">{tab.badge}</span>}
        </button>
      ))}
    </div>
  );
}
