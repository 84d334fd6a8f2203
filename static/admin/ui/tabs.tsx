import { useRef } from 'preact/hooks';
import { setQuery, useRoute } from '../lib/route.ts';

interface TabsProps<Name extends string> {
  label: string;
  tabs: readonly (readonly [name: Name, label: string])[];
}

/** The tab that is open, by the address: the first one where that names none. */
export function useTab<Name extends string>(tabs: TabsProps<Name>['tabs']): Name {
  const wanted = useRoute().query.get('tab');
  const [[first]] = tabs as [TabsProps<Name>['tabs'][number]];
  return tabs.find(([name]) => name === wanted)?.[0] ?? first;
}

/** Arrow keys go from tab to tab; what is under a tab belongs to `Panel`. */
export function Tabs<Name extends string>({ label, tabs }: TabsProps<Name>) {
  const current = useTab(tabs);
  const list = useRef<HTMLDivElement>(null);
  const open = (name: Name) => setQuery({ tab: name === tabs[0]?.[0] ? null : name, page: null });
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const index = (tabs.findIndex(([name]) => name === current) + step + tabs.length) % tabs.length;
    const next = tabs[index];
    if (next === undefined) return;
    event.preventDefault();
    open(next[0]);
    list.current?.querySelectorAll('button')[index]?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={move}>
      {tabs.map(([name, text]) => (
        <button
          key={name}
          type="button"
          role="tab"
          id={`tab-${name}`}
          aria-selected={name === current}
          aria-controls={name === current ? `panel-${name}` : undefined}
          tabIndex={name === current ? 0 : -1}
          onClick={() => open(name)}
        >
          {text}
        </button>
      ))}
    </div>
  );
}

export function Panel({ name, children }: { name: string; children: preact.ComponentChildren }) {
  return (
    <div role="tabpanel" id={`panel-${name}`} aria-labelledby={`tab-${name}`}>
      {children}
    </div>
  );
}
