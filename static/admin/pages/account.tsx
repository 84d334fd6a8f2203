/** One's own account: password, second factor, where one is logged in. */
import { useState } from 'preact/hooks';
import type { ConfirmedTotp, Profile, StartedTotp } from '../../../src/contract/auth.ts';
import { post } from '../lib/api.ts';
import { useApi } from '../lib/data.ts';
import { forgetSession, session } from '../lib/session.ts';
import { useStore } from '../lib/store.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { NewPassword, Password } from '../ui/credentials.tsx';
import { Field, Form } from '../ui/form.tsx';
import { Notice } from '../ui/notice.tsx';
import { Page, Section } from '../ui/page.tsx';
import { Qr } from '../ui/qr.tsx';
import { showError, showToast } from '../ui/toast.tsx';
import { SessionList } from './sessions.tsx';

export function Account() {
  const user = useStore(session)?.user;
  if (user === undefined) return null;
  return (
    <Page title="Your account">
      <div class="two">
        <Section title="Password">
          <Form
            submit="Change password"
            onSubmit={async values => {
              await post(`/admin/admins/${user.id}/password/`, values);
              forgetSession('Your password is changed. Log in with the new one.');
            }}
          >
            <input type="hidden" name="username" autoComplete="username" value={user.username} />
            <Password name="current_password" label="The one you have" />
            <NewPassword label="The new one" note="You are logged out everywhere." />
          </Form>
        </Section>
        <SecondFactor />
      </div>
      <Section title="Where you are logged in">
        <SessionList adminId={user.id} />
      </Section>
    </Page>
  );
}

type Step =
  | { name: 'idle' }
  | { name: 'scan'; secret: string; address: string }
  | { name: 'keep'; codes: readonly string[] }
  | { name: 'disable' };

function SecondFactor() {
  const profile = useApi<Profile>('/auth/profile/');
  const [step, setStep] = useState<Step>({ name: 'idle' });
  const isOn = profile.data?.totp_enabled === true;
  const back = () => {
    setStep({ name: 'idle' });
    profile.reload();
  };
  const start = () =>
    post<StartedTotp>('/auth/totp/start/').then(
      ({ secret, otpauth_url }) => setStep({ name: 'scan', secret, address: otpauth_url }),
      showError,
    );
  return (
    <Section title="Second factor" actions={<Badge tone={isOn ? 'good' : 'off'}>{isOn ? 'On' : 'Off'}</Badge>}>
      {step.name === 'idle' && (
        <>
          <p>With it, a stolen password is not enough: logging in also takes a code from your phone.</p>
          {isOn ? (
            <Button kind="danger" onClick={() => setStep({ name: 'disable' })}>
              Turn off
            </Button>
          ) : (
            <Button onClick={start}>Turn on</Button>
          )}
        </>
      )}
      {step.name === 'scan' && (
        <>
          <p>Scan this with your authenticator app, or type the key into it. Then type the code the app shows.</p>
          <div class="qr-box">
            <Qr text={step.address} label="For your authenticator app" />
          </div>
          <p class="code">{step.secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</p>
          <Form
            submit="Turn on"
            onCancel={back}
            onSubmit={async values => {
              const { recovery_codes } = await post<ConfirmedTotp>('/auth/totp/confirm/', values);
              setStep({ name: 'keep', codes: recovery_codes });
              profile.reload();
            }}
          >
            <Field
              name="code"
              label="Code"
              hint="6 digits"
              inputMode="numeric"
              required
              autoComplete="one-time-code"
              code
            />
          </Form>
        </>
      )}
      {step.name === 'keep' && (
        <>
          <Notice tone="warn">
            Write these down and keep them away from your phone. Each logs you in once if the phone is lost. They are
            shown only now.
          </Notice>
          <ul class="codes">
            {step.codes.map(code => (
              <li key={code} class="code">
                {code}
              </li>
            ))}
          </ul>
          <Button
            kind="primary"
            onClick={() => {
              back();
              showToast('The second factor is on.');
            }}
          >
            I have them
          </Button>
        </>
      )}
      {step.name === 'disable' && (
        <Form
          submit="Turn off"
          kind="danger"
          onCancel={back}
          onSubmit={async values => {
            await post('/auth/totp/disable/', values);
            showToast('The second factor is off.');
            back();
          }}
        >
          <Password />
          <Field name="code" label="Code from your app" required autoComplete="one-time-code" code />
        </Form>
      )}
    </Section>
  );
}
