import type { Tone } from './notice.tsx';

/** A state in a word; the dot's colour only repeats it. */
export function Badge({ tone, children }: { tone: Tone | 'off'; children: string }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}
