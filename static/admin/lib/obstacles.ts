/** Refusals that the person at the page can mend at once: a dialog asks for what is missing, and the call is made again. */
import { createStore } from './store.ts';

export type Obstacle =
  /** The password again, and a code where there is a second factor. */
  | { is: 'password'; secondFactor: boolean }
  /** A cashier sells within a shift. */
  | { is: 'shift' };

export interface Question {
  obstacle: Obstacle;
  /** @param removed false: the person would rather not */
  settle: (removed: boolean) => void;
}

export const asked = createStore<Question | null>(null);

/** @param body of a refusal */
export function obstacleOf(body: Readonly<Record<string, unknown>>): Obstacle | null {
  if (body['code'] === 'REAUTHENTICATION_REQUIRED')
    return { is: 'password', secondFactor: body['second_factor'] === true };
  return body['code'] === 'SHIFT_REQUIRED' ? { is: 'shift' } : null;
}

let waiting: Promise<boolean> | null = null;

/** One question at a time: calls that are refused meanwhile wait for its answer. */
export async function overcome(obstacle: Obstacle): Promise<boolean> {
  waiting ??= new Promise<boolean>(resolve => asked.set({ obstacle, settle: resolve })).finally(() => {
    waiting = null;
    asked.set(null);
  });
  return waiting;
}
