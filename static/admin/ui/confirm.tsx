/** A question before an act: whether it shall be, and what it needs to know. */
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { useRoute } from '../lib/route.ts';
import { createStore, useStore } from '../lib/store.ts';
import { Dialog } from './dialog.tsx';
import { Form } from './form.tsx';

interface Question {
  title: string;
  /** What will happen, and to whom. */
  text?: ComponentChildren;
  /** What the button says: the act itself. */
  act: string;
  /** `danger` unless said otherwise: most of what is asked about cannot be undone. */
  kind?: 'primary';
  run: (values: Readonly<Record<string, string>>) => Promise<unknown>;
  /** Asked along with it, such as a reason. */
  fields?: ComponentChildren;
  /** Side by side where there is room. */
  columns?: boolean;
}

const asked = createStore<Question | null>(null);

/** Asks; a refusal of the act shows in the dialog, which stays open. */
export const ask = (question: Question): void => asked.set(question);

export function Questions() {
  const question = useStore(asked);
  const page = useRoute().path.join('/');
  // A question belongs to the page that asks it, and to whoever is logged in there.
  useEffect(() => () => asked.set(null), [page]);
  if (question === null) return null;
  return <Asked key={question.title} question={question} close={() => asked.set(null)} />;
}

function Asked({ question, close }: { question: Question; close: () => void }) {
  const { text, kind = 'danger', columns = false } = question;
  return (
    <Dialog title={question.title} onClose={close}>
      {text !== undefined && <div class="prose">{text}</div>}
      <Form
        submit={question.act}
        kind={kind}
        columns={columns}
        onCancel={close}
        onSubmit={async values => {
          await question.run(values);
          close();
        }}
      >
        {question.fields}
      </Form>
    </Dialog>
  );
}
