import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { business } from '../lib/format.ts';
import { Icon } from './icon.tsx';

interface PageProps {
  title: string;
  /** Where this page hangs: `['Users', '#/users']`. */
  parent?: readonly [label: string, href: string];
  /** Beside the title: a badge. */
  state?: ComponentChildren;
  actions?: ComponentChildren;
  children: ComponentChildren;
}

export function Page({ title, parent, state, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // A screen reader follows to the new page; the very first heading is left to the browser.
  useEffect(() => {
    if (document.activeElement === document.body || document.activeElement?.closest('nav') !== null) {
      heading.current?.focus({ preventScroll: true });
    }
    scrollTo(0, 0);
  }, []);
  useEffect(() => {
    document.title = `${title} · ${business.get().name}`;
  }, [title]);
  return (
    <main id="main" class="page">
      <header class="page-head">
        <div>
          {parent !== undefined && (
            <a class="parent" href={parent[1]}>
              <Icon name="back" />
              {parent[0]}
            </a>
          )}
          <h1 ref={heading} tabIndex={-1}>
            {title}
            {state}
          </h1>
        </div>
        {actions !== undefined && <div class="actions">{actions}</div>}
      </header>
      {children}
    </main>
  );
}

export function Section({ title, actions, children }: Pick<PageProps, 'title' | 'actions' | 'children'>) {
  return (
    <section class="card">
      <header>
        <h2>{title}</h2>
        {actions !== undefined && <div class="actions">{actions}</div>}
      </header>
      {children}
    </section>
  );
}

export function Stat({ label, value, note }: { label: string; value: ComponentChildren; note?: ComponentChildren }) {
  return (
    <div class="stat">
      <p class="stat-label">{label}</p>
      <p class="stat-value">{value}</p>
      {note !== undefined && <p class="stat-note">{note}</p>}
    </div>
  );
}

/** Names and values, two columns where there is room. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
