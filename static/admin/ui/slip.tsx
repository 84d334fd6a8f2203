/** Paper of a 58 mm printer, as it is seen before it is printed. */
import type { ComponentChildren } from 'preact';
import { business } from '../lib/format.ts';

interface SlipProps {
  title: string;
  /** Names and values; null: there is no such line. */
  lines: readonly (readonly [name: string, value: string | null])[];
  children?: ComponentChildren;
}

export function Slip({ title, lines, children }: SlipProps) {
  return (
    <div class="sheet-box" tabIndex={0} role="region" aria-label={title}>
      <article class="slip">
        <h2>{business.get().name}</h2>
        <p class="slip-title">{title}</p>
        <dl>
          {lines.map(
            ([name, value], line) =>
              value !== null && (
                <div key={line}>
                  <dt>{name}</dt>
                  <dd>{value}</dd>
                </div>
              ),
          )}
        </dl>
        {children}
      </article>
    </div>
  );
}
