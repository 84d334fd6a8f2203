/** Setting the router up from the admin pages: what is to be changed on it, and changing it. */
import { applyRouterPlan, routerPlan } from '../../contract/router.ts';
import type { Actor } from '../../domain/audit.ts';
import { withDeadline } from '../../domain/deadline.ts';
import { messageOf } from '../../domain/errors.ts';
import { many } from '../../domain/plural.ts';
import type { RouterChange, RouterPlan, SecureLine } from '../../domain/provisioning.ts';
import type { SiteRouter } from '../../domain/site.ts';
import type { Context } from '../context.ts';
import { json } from '../reply.ts';
import type { Api } from '../route.ts';
import { planView, stepView, useSecureLine } from '../views/router.ts';

const CONFIRMATION = 'APPLY_ROUTER_PLAN';

/** Within what a request may take. */
const LONGEST_MS = 9_500;

export function adminRouterPlanRoutes(api: Api, context: Context): void {
  const { site, commit, clock, configuredRouter } = context;

  /** @returns why the line stays as it is; null: the encrypted one is used from now on */
  async function secured({ id, settings, port }: SiteRouter, line: SecureLine, until: number, actor: Actor) {
    if (settings === null) return null;
    const change = { settings: { ...settings, ssl: true, ...line } };
    const refusal = await withDeadline(
      port.test(change.settings).then(() => null, messageOf),
      until - clock.monotonic(),
      () => 'The router took too long. Apply the plan again.',
    );
    if (refusal !== null) return refusal;
    await commit('changeRouter', { id, change, configured: configuredRouter }, actor);
    site.refresh();
    return null;
  }

  api.handle(routerPlan, async ({ query }) => {
    const plan = await site.router(query.router_id).provisioner.plan();
    return { success: true, ...planView(plan) };
  });

  api.handle(applyRouterPlan, async ({ body, actor }) => {
    const router = site.router(body.router_id);
    const { id, provisioner } = router;
    if (body.confirm !== CONFIRMATION) {
      const message = `Nothing was done. To change the router, send confirm with the exact text ${CONFIRMATION}.`;
      return json(400, { success: false, message });
    }
    const changes: RouterChange[] = [];
    const record = () => {
      const details = { changes: changes.map(({ command, refusal }) => ({ command, refusal })) };
      return commit('recordAction', { action: 'router.apply_plan', subject: 'router', subjectId: id, details }, actor);
    };
    const until = clock.monotonic() + LONGEST_MS;
    let left: RouterPlan;
    try {
      left = await provisioner.apply(change => void changes.push(change));
      if (left.secureLine !== null) {
        const refusal = await secured(router, left.secureLine, until, actor);
        changes.push({ ...useSecureLine, refusal });
        if (refusal === null) left = { ...left, secureLine: null };
      }
    } finally {
      if (changes.length > 0) await record();
    }
    const outcome = {
      changes: changes.map(change => ({ ...stepView(change), refusal: change.refusal })),
      ...planView(left),
    };
    const refusal = changes.find(change => change.refusal !== null)?.refusal;
    if (typeof refusal === 'string') return json(500, { success: false, message: refusal, ...outcome });
    return { success: true, message: `${many(changes.length, 'change')} made.`, ...outcome };
  });
}
