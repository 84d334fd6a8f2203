/** Refusals that the user can resolve: a dialog asks for what is missing, and the request is sent again. */
import { createStore } from './store.ts';

export type Prompt =
  /** The password again, and a code where there is a second factor. */
  | { kind: 'password'; secondFactor: boolean }
  /** A cashier sells within a shift. */
  | { kind: 'shift' };

export interface OpenPrompt {
  prompt: Prompt;
  /** @param given false: the user cancelled */
  settle: (given: boolean) => void;
}

export const openPrompt = createStore<OpenPrompt | null>(null);

/** @param body of a refusal */
export function promptOf(body: Readonly<Record<string, unknown>>): Prompt | null {
  if (body['code'] === 'REAUTHENTICATION_REQUIRED')
    return { kind: 'password', secondFactor: body['second_factor'] === true };
  return body['code'] === 'SHIFT_REQUIRED' ? { kind: 'shift' } : null;
}

let waiting: Promise<boolean> | null = null;

/** One dialog at a time: requests that are refused meanwhile wait for its result. @returns false: cancelled */
export async function answered(prompt: Prompt): Promise<boolean> {
  waiting ??= new Promise<boolean>(resolve => openPrompt.set({ prompt, settle: resolve })).finally(() => {
    waiting = null;
    openPrompt.set(null);
  });
  return waiting;
}
