import { useState } from 'preact/hooks';
import { post } from '../lib/api.ts';
import { Notice } from './notice.tsx';

interface Outcome {
  success: boolean;
  message: string;
}

/** Something that is tried at the press of a button, and the notice of what came of it. */
export function useTrial(path: string, body: object = {}) {
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  async function run() {
    setBusy(true);
    setOutcome(await post<Outcome>(path, body).catch(({ message }: Error) => ({ success: false, message })));
    setBusy(false);
  }
  const notice = outcome && <Notice tone={outcome.success ? 'good' : 'bad'}>{outcome.message}</Notice>;
  return { busy, run, notice, forget: () => setOutcome(null) };
}
