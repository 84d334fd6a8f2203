/** Log in, with a second factor where the account has one; on a new appliance, the first owner is made here. */
import { useEffect, useState } from 'preact/hooks';
import type { LoggedIn, readSetUp } from '../../../src/contract/auth.ts';
import type { ReplyOf } from '../../../src/contract/endpoint.ts';
import { ApiError, get, post } from '../lib/api.ts';
import { business } from '../lib/format.ts';
import { beginSession, logoutReason } from '../lib/session.ts';
import { useStore } from '../lib/store.ts';
import { NewPassword, OneTimeCode, Password } from '../ui/credentials.tsx';
import { Field, Form, type Values } from '../ui/form.tsx';
import { Mark } from '../ui/icon.tsx';
import { Notice } from '../ui/notice.tsx';

export function Login() {
  const [needsSetUp, setNeedsSetUp] = useState<boolean | null>(null);
  useEffect(() => {
    get<ReplyOf<typeof readSetUp>>('/auth/setup/')
      .then(({ needed }) => setNeedsSetUp(needed))
      .catch(() => setNeedsSetUp(false));
  }, []);
  if (needsSetUp === null) return null;
  return needsSetUp ? <SetUp /> : <LogIn />;
}

function LogIn() {
  const reason = useStore(logoutReason);
  /** Name and password that were right, while the code is asked for. */
  const [proven, setProven] = useState<Values | null>(null);

  async function send(values: Values) {
    try {
      beginSession(await post<LoggedIn>('/auth/login/', { ...proven, ...values }));
    } catch (error) {
      if (!(error instanceof ApiError) || error.body['totp_required'] !== true || proven !== null) throw error;
      setProven(values);
    }
  }

  if (proven !== null) {
    return (
      <Door title="Second step">
        <p>Open your authenticator app and type the code it shows for Lango.</p>
        <Form key="code" submit="Log in" onSubmit={send} onCancel={() => setProven(null)}>
          <OneTimeCode name="totp_code" label="Code" autoFocus />
        </Form>
      </Door>
    );
  }
  return (
    <Door title="Log in">
      {reason !== null && <Notice tone="calm">{reason}</Notice>}
      <Form key="password" submit="Log in" onSubmit={send}>
        <Field name="username" label="User name" required autoFocus autoComplete="username" />
        <Password />
      </Form>
      <details>
        <summary>Lost password?</summary>
        <p>Any owner gives you a new one here, under Admins.</p>
        <p>
          Are you the only owner? On the box itself, <code>lango admin password NAME</code> sets a new one.
        </p>
      </details>
    </Door>
  );
}

function SetUp() {
  return (
    <Door title="Set up Lango">
      <p>Nobody can log in yet. Make the owner’s account: it may do everything, and adds the others.</p>
      <Form
        submit="Make the account"
        onSubmit={async values => beginSession(await post<LoggedIn>('/auth/setup/', values))}
      >
        <Field
          name="setup_code"
          label="Set-up code"
          hint="Printed in Lango’s log at its first start. It works once."
          required
          autoFocus
          autoComplete="off"
          code
        />
        <Field name="username" label="User name" required autoComplete="username" />
        <NewPassword note="A few words in a row are good and easy to keep." />
        <Field name="email" label="Email" type="email" autoComplete="email" />
      </Form>
    </Door>
  );
}

function Door({ title, children }: { title: string; children: preact.ComponentChildren }) {
  const { name } = useStore(business);
  useEffect(() => {
    document.title = `${title} · ${name}`;
  }, [title, name]);
  return (
    <div class="door">
      <header>
        <Mark />
        <p>{name}</p>
      </header>
      <main>
        <h1>{title}</h1>
        {children}
      </main>
    </div>
  );
}
