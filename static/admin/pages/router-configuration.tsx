/** How Lango reaches a router: changed, tried, given for another one, forgotten. */
import { useState } from 'preact/hooks';
import type { ReplyOf } from '../../../src/contract/endpoint.ts';
import type { RouterConfiguration } from '../../../src/contract/router.ts';
import type { addRouter, RouterState } from '../../../src/contract/routers.ts';
import { post, remove, withQuery } from '../lib/api.ts';
import { useApi } from '../lib/data.ts';
import { go } from '../lib/route.ts';
import { Button } from '../ui/button.tsx';
import { ask } from '../ui/confirm.tsx';
import { Check, Field, Form, type Values } from '../ui/form.tsx';
import { Problem } from '../ui/notice.tsx';
import { Section } from '../ui/page.tsx';
import { Skeleton } from '../ui/table.tsx';
import { showToast } from '../ui/toast.tsx';
import { useTrial } from '../ui/trial.tsx';

/** It is always in the list. */
const DEFAULT_ROUTER = 1;

const TRIED = 'It is tried before it is kept. If the router does not answer, nothing changes.';

interface ConfigurationProps {
  router: RouterState;
  /** Its name, where there are several. */
  called: string;
  changed: () => void;
}

export function Configuration({ router: { router_id, name }, called, changed }: ConfigurationProps) {
  const config = useApi<{ configuration: RouterConfiguration }>(withQuery('/admin/router/config/', { router_id }));
  const [saved, setSaved] = useState(0);
  const trial = useTrial('/admin/router/test-connection/', { router_id });
  if (config.error !== null) return <Problem error={config.error} retry={config.reload} />;
  if (config.data === null) return <Skeleton />;

  async function save(values: Values) {
    await post('/admin/router/config/', { router_id, ...settingsIn(values) });
    showToast('The router answered. The configuration is kept.');
    trial.forget();
    config.reload();
    changed();
    setSaved(saved + 1);
  }
  const forget = () =>
    ask({
      title: `Remove ${name}?`,
      text: (
        <p>
          Lango forgets how to reach it: nobody is let in there any more, and nobody’s access there is ended by Lango.
          What Lango made on it stays there.
        </p>
      ),
      act: 'Remove the router',
      run: async () => {
        await remove(`/admin/routers/${router_id}/`);
        showToast(`${name} is off the list.`);
        go('/router');
      },
    });

  return (
    <div class="narrow">
      <Section
        title={`How Lango reaches ${called}`}
        actions={
          <Button small busy={trial.busy} onClick={trial.run}>
            Test what is saved
          </Button>
        }
      >
        {trial.notice}
        <p class="muted">{TRIED}</p>
        <Form key={saved} submit="Try and save" onSubmit={save} columns>
          {/* The only one needs no name. */}
          {called === name && <Name value={name} />}
          <Settings known={config.data.configuration} />
        </Form>
      </Section>
      {router_id !== DEFAULT_ROUTER && (
        <p class="actions">
          <Button small kind="danger" onClick={forget}>
            Remove this router
          </Button>
        </p>
      )}
    </div>
  );
}

export const askForRouter = () =>
  ask({
    title: 'Add router',
    text: <p>{TRIED}</p>,
    fields: (
      <>
        <Name autoFocus />
        <Settings />
      </>
    ),
    columns: true,
    act: 'Try and add',
    kind: 'primary',
    run: async values => {
      const { message, router } = await post<ReplyOf<typeof addRouter>>('/admin/routers/', settingsIn(values));
      showToast(message);
      go(`/router/${router.router_id}?tab=plan`);
    },
  });

const settingsIn = ({ password, ...values }: Values) => ({
  ...values,
  use_ssl: 'use_ssl' in values,
  ...(password ? { password } : {}),
  api_port: values['api_port'] || null,
  ssl_fingerprint: values['ssl_fingerprint'] || null,
  hotspot: values['hotspot'] || null,
  default_profile: values['default_profile'] || null,
});

const Name = (props: { value?: string; autoFocus?: boolean }) => (
  <Field {...props} name="name" label="Name" hint="As you call it, such as Garden." required />
);

function Settings({ known }: { known?: RouterConfiguration }) {
  return (
    <>
      <Field name="router_ip" label="Address" value={known?.router_ip} required code />
      <Field
        name="api_port"
        label="API port"
        value={known?.api_port}
        number="whole"
        required={known !== undefined}
        hint={known === undefined ? 'Empty: 8728, or 8729 where it is encrypted.' : undefined}
      />
      <Field name="username" label="User name" value={known?.username} autoComplete="off" required />
      <Field
        name="password"
        label="Password"
        type="password"
        autoComplete="new-password"
        hint={known && (known.password_configured ? 'Empty: the one that is saved.' : 'None is saved yet.')}
      />
      <Field name="hotspot" label="Hotspot" value={known?.hotspot} hint="Only where the router has several." />
      <Field name="default_profile" label="Default profile" value={known?.default_profile} />
      <div class="wide">
        <Check name="use_ssl" label="Encrypt (api-ssl, port 8729)" checked={known?.use_ssl ?? false} />
      </div>
      <div class="wide">
        <Field
          name="ssl_fingerprint"
          label="Fingerprint of the router’s certificate"
          value={known?.ssl_fingerprint}
          hint="SHA-256. Lango then speaks with this router only."
          code
        />
      </div>
    </>
  );
}
