/** Short messages at the edge of the page, and actions that wait a moment, in which they can be undone. */
import { useEffect, useState } from 'preact/hooks';
import { post } from '../lib/api.ts';
import { asApiError } from '../lib/data.ts';
import { createStore, useStore } from '../lib/store.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import type { Tone } from './notice.tsx';

interface Toast {
  id: number;
  tone: Tone;
  text: string;
  /** What one may do about it, and until when. */
  action?: { label: string; run: () => void };
  /** Milliseconds since 1970, by this device. */
  until: number;
  waits: boolean;
}

const SHOWN_MS = 5_000;
const WITH_ACTION_MS = 10_000;
const WAIT_MS = 6_000;

const toasts = createStore<readonly Toast[]>([]);
let lastId = 0;

const drop = (id: number) => toasts.set(toasts.get().filter(toast => toast.id !== id));

function show(toast: Omit<Toast, 'id'>): number {
  lastId += 1;
  const id = lastId;
  toasts.set([...toasts.get(), { ...toast, id }]);
  setTimeout(() => drop(id), toast.until - Date.now());
  return id;
}

/** @param undo does the opposite; offered for ten seconds */
export function showToast(text: string, undo?: () => Promise<unknown>): void {
  const lasting = undo === undefined ? SHOWN_MS : WITH_ACTION_MS;
  const id = show({
    tone: 'good',
    text,
    until: Date.now() + lasting,
    waits: false,
    ...(undo === undefined
      ? {}
      : {
          action: {
            label: 'Undo',
            run: () => {
              drop(id);
              undo().then(() => showToast('Undone.'), showError);
            },
          },
        }),
  });
}

/** For what the server itself answers in words. */
export const postAndToast = async (path: string, body?: unknown): Promise<void> =>
  showToast((await post<{ message: string }>(path, body)).message);

export function showError(error: unknown): void {
  show({ tone: 'bad', text: asApiError(error).message, until: Date.now() + WITH_ACTION_MS, waits: false });
}

/**
 * For what cannot be taken back once it is done: it is done after six seconds, unless somebody presses Cancel.
 * A page that is closed meanwhile does nothing.
 * @param text what is about to happen: `Disconnecting +255 712 345 678`
 */
export function runUnlessCancelled(text: string, act: () => Promise<unknown>): void {
  const timer = setTimeout(() => act().catch(showError), WAIT_MS);
  const id = show({
    tone: 'warn',
    text,
    until: Date.now() + WAIT_MS,
    waits: true,
    action: {
      label: 'Cancel',
      run: () => {
        clearTimeout(timer);
        drop(id);
        showToast('Cancelled. Nothing was changed.');
      },
    },
  });
}

export function Toaster() {
  const shown = useStore(toasts);
  return (
    <div class="toasts" role="status" aria-live="polite">
      {shown.map(toast => (
        <div key={toast.id} class={`toast ${toast.tone}`}>
          <Icon name={toast.tone === 'good' ? 'good' : 'warning'} />
          <p>
            {toast.text}
            {toast.waits && <Seconds until={toast.until} />}
          </p>
          {toast.action !== undefined && (
            <Button small onClick={toast.action.run}>
              {toast.action.label}
            </Button>
          )}
        </div>
      ))}
    </div>
  );
}

/** Not read out: a screen reader would count along. */
function Seconds({ until }: { until: number }) {
  const [left, setLeft] = useState(Math.ceil((until - Date.now()) / 1_000));
  useEffect(() => {
    const timer = setInterval(() => setLeft(Math.max(0, Math.ceil((until - Date.now()) / 1_000))), 250);
    return () => clearInterval(timer);
  }, [until]);
  return <span aria-hidden="true"> in {left} s</span>;
}
