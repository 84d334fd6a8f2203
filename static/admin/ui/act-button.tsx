import { useState } from 'preact/hooks';
import { Button, type Look } from './button.tsx';
import { showError } from './toast.tsx';

/** Does something that takes a moment, and tells why it did not. */
export function ActButton({ act, ...look }: Look & { act: () => Promise<unknown> }) {
  const [busy, setBusy] = useState(false);
  async function run() {
    setBusy(true);
    await act().catch(showError);
    setBusy(false);
  }
  return <Button {...look} busy={busy} onClick={run} />;
}
