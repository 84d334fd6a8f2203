/** The document: finding its parts, and which of its views a person sees. */

export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}

/** An element with a text and nothing else: what comes from outside never becomes markup. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className = '',
  content = '',
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = content;
  return made;
}

export type View = 'buy' | 'waiting' | 'online' | 'devices' | 'message';

/** The drawing of the gate: shut while money is on its way, open, or barred; null hides it. */
export type Gate = 'waiting' | 'open' | 'barred' | null;

let current: View = 'buy';

/** Shows one view under its own heading, and takes the reader there. */
export function show(view: View, gate: Gate, title: string, lead: string): void {
  const moved = view !== current || byId('title').textContent !== title;
  current = view;
  for (const section of Array.from(document.querySelectorAll('main > section'))) {
    (section as HTMLElement).hidden = section.id !== view;
  }
  if (gate === null) document.body.removeAttribute('data-gate');
  else document.body.setAttribute('data-gate', gate);
  document.documentElement.classList.remove('resume');
  document.title = title;
  byId('title').textContent = title;
  say(lead);
  if (!moved) return;
  scrollTo(0, 0);
  byId('title').focus();
}

export function isShown(view: View): boolean {
  return current === view;
}

/** The line under the heading; screen readers read each change of it aloud. */
export function say(lead: string): void {
  if (byId('lead').textContent !== lead) byId('lead').textContent = lead;
}
