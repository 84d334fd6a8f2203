/** The dialogs of lib/prompts. */
import { useEffect } from 'preact/hooks';
import { post } from '../lib/api.ts';
import { type OpenPrompt, openPrompt, type Prompt } from '../lib/prompts.ts';
import { useStore } from '../lib/store.ts';
import { OneTimeCode, Password } from './credentials.tsx';
import { Dialog } from './dialog.tsx';
import { Amount, Form, type Values } from './form.tsx';

export function Prompts() {
  const open = useStore(openPrompt);
  return open === null ? null : <PromptDialog {...open} />;
}

function PromptDialog({ prompt, settle }: OpenPrompt) {
  // Whoever is logged out meanwhile answers nothing any more.
  useEffect(() => () => settle(false), [settle]);
  const props = { done: () => settle(true), cancel: () => settle(false) };
  return prompt.kind === 'password' ? <Reauthentication {...props} prompt={prompt} /> : <Shift {...props} />;
}

interface Actions {
  done: () => void;
  cancel: () => void;
}

function Reauthentication({ prompt, done, cancel }: Actions & { prompt: Extract<Prompt, { kind: 'password' }> }) {
  async function send(values: Values) {
    await post('/auth/confirm/', values);
    done();
  }
  return (
    <Dialog title="Is it you?" onClose={cancel}>
      <p>This needs your password again, so that nobody does it at a screen that you left open.</p>
      <Form submit="Go on" onSubmit={send} onCancel={cancel}>
        <Password label="Your password" autoFocus />
        {prompt.secondFactor && <OneTimeCode label="Code from your app" />}
      </Form>
    </Dialog>
  );
}

function Shift({ done, cancel }: Actions) {
  async function open(values: Values) {
    await openShift(values);
    done();
  }
  return (
    <Dialog title="Open a shift first" onClose={cancel}>
      <p>
        You sell within a shift: Lango then knows what should be in your drawer. What you were doing goes on after it.
      </p>
      <Form submit="Open a shift" onSubmit={open} onCancel={cancel}>
        <OpeningFloat />
      </Form>
    </Dialog>
  );
}

export const openShift = (values: Values) => post('/admin/shifts/open/', values);

export const OpeningFloat = () => <Amount name="opening_float" label="Cash in the drawer now" value={0} required />;
