/** What the router lacks for Lango: as commands to paste, or made from here. */
import { useState } from 'preact/hooks';
import type { RouterChange, RouterPlan, RouterStep } from '../../../src/contract/router.ts';
import type { RouterState } from '../../../src/contract/routers.ts';
import { ApiError, post, withQuery } from '../lib/api.ts';
import { useApi } from '../lib/data.ts';
import { many } from '../lib/format.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { ask } from '../ui/confirm.tsx';
import { Copy } from '../ui/copy.tsx';
import { Notice, Problem } from '../ui/notice.tsx';
import { Section } from '../ui/page.tsx';
import { Skeleton } from '../ui/table.tsx';

/** @param called the router's name, where there are several */
export function SetUpPlan({ router: { router_id: id }, called }: { router: RouterState; called: string }) {
  const plan = useApi<RouterPlan>(withQuery('/admin/router/plan/', { router_id: id }));
  const [changes, setChanges] = useState<readonly RouterChange[]>([]);
  const apply = (steps: number) =>
    ask({
      title: `Change ${called}?`,
      text: (
        <p>Lango makes {many(steps, 'change')} on the router, now. Nothing that you set up there yourself is lost.</p>
      ),
      act: 'Change the router',
      run: async () => {
        setChanges(await applied(id));
        plan.reload();
      },
    });
  if (plan.error !== null) return <Problem error={plan.error} retry={plan.reload} />;
  if (plan.data === null) return <Skeleton />;
  const { steps, missing, notes } = plan.data;
  return (
    <div class="stack">
      {changes.length > 0 && <Outcome changes={changes} />}
      {missing.length > 0 && (
        <Section title="Only you can do this">
          <Points points={missing} />
        </Section>
      )}
      <Section
        title="To be changed on the router"
        actions={
          steps.length > 0 && (
            <>
              <Copy text={steps.flatMap(({ command }) => command || []).join('\n')} what="all commands">
                Copy all
              </Copy>
              <Button small kind="primary" onClick={() => apply(steps.length)}>
                Apply
              </Button>
            </>
          )
        }
      >
        {steps.length === 0 ? (
          <Notice tone="good">The router needs no change.</Notice>
        ) : (
          <>
            <p class="muted">
              Let Lango make {many(steps.length, 'change')}, or paste the commands into the router’s terminal.
            </p>
            <ol class="plan">
              {steps.map((step, index) => (
                <li key={step.what}>
                  <h3>{step.what}</h3>
                  <p>{step.why}</p>
                  {step.command !== '' && <Command step={step} number={index + 1} />}
                </li>
              ))}
            </ol>
          </>
        )}
      </Section>
      {notes.length > 0 && (
        <Section title="Good to know">
          <Points points={notes} />
        </Section>
      )}
      <p class="actions">
        <Button small busy={plan.loading} onClick={plan.reload}>
          Look at the router again
        </Button>
      </p>
    </div>
  );
}

/** A refusal of the router's is an answer too: what was made besides it stands. */
async function applied(id: number): Promise<readonly RouterChange[]> {
  try {
    const body = { router_id: id, confirm: 'APPLY_ROUTER_PLAN' };
    return (await post<{ changes: RouterChange[] }>('/admin/router/plan/apply/', body)).changes;
  } catch (error) {
    const changes = error instanceof ApiError ? error.body['changes'] : undefined;
    if (Array.isArray(changes)) return changes as RouterChange[];
    throw error;
  }
}

function Command({ step, number }: { step: RouterStep; number: number }) {
  return (
    <div class="command">
      <pre>
        <code>{step.command}</code>
      </pre>
      <Copy text={step.command} what={`command ${number}`}>
        Copy
      </Copy>
    </div>
  );
}

function Outcome({ changes }: { changes: readonly RouterChange[] }) {
  const refused = changes.filter(({ refusal }) => refusal !== null).length;
  return (
    <Section title="What came of it">
      <Notice tone={refused === 0 ? 'good' : 'bad'}>
        {refused === 0
          ? `The router took ${many(changes.length, 'change')}.`
          : `The router refused ${refused} of ${many(changes.length, 'change')}.`}
      </Notice>
      <ol class="plan">
        {changes.map(({ what, refusal }) => (
          <li key={what}>
            <h3>
              {what} <Badge tone={refusal === null ? 'good' : 'bad'}>{refusal === null ? 'Done' : 'Refused'}</Badge>
            </h3>
            {refusal !== null && <p class="problem">{refusal}</p>}
          </li>
        ))}
      </ol>
    </Section>
  );
}

function Points({ points }: { points: readonly string[] }) {
  return (
    <ul class="points">
      {points.map(point => (
        <li key={point}>{point}</li>
      ))}
    </ul>
  );
}
