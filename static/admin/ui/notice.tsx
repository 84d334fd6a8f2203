import type { ComponentChildren } from 'preact';
import type { ApiError } from '../lib/api.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

export type Tone = 'good' | 'bad' | 'warn' | 'calm';

/** Bad news interrupts a screen reader; other news waits its turn. */
export function Notice({ tone, children }: { tone: Tone; children: ComponentChildren }) {
  return (
    <div class={`notice ${tone}`} role={tone === 'bad' ? 'alert' : 'status'} tabIndex={-1}>
      {tone !== 'calm' && <Icon name={tone === 'good' ? 'good' : 'warning'} />}
      <div>{children}</div>
    </div>
  );
}

export function Problem({ error, retry }: { error: ApiError; retry: () => void }) {
  return (
    <Notice tone="bad">
      <p>{error.message}</p>
      <Button small onClick={retry}>
        Try again
      </Button>
    </Notice>
  );
}
