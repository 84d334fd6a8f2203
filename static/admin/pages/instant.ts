import { business } from '../lib/format.ts';

/**
 * What a person typed as a wall clock in the business's zone, as an instant.
 * @param local `2026-11-21T18:00`, as `datetime-local` gives it
 * @returns ISO 8601 UTC; what was given where it is not a time
 */
export function instantIn(local = ''): string {
  const asUtc = Date.parse(`${local}Z`);
  if (Number.isNaN(asUtc)) return local;
  // The zone's offset is that of the instant itself, so the guess is made good once.
  const guess = asUtc - offsetAt(asUtc);
  return new Date(asUtc - offsetAt(guess)).toISOString();
}

function offsetAt(instant: number): number {
  const parts = new Intl.DateTimeFormat('sv-SE', {
    timeZone: business.get().timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
  }).format(instant);
  return Date.parse(`${parts.replace(' ', 'T')}Z`) - Math.floor(instant / 1_000) * 1_000;
}
