/** Setting the router up from the admin pages: what is to be changed on it, and changing it. */
import * as v from 'valibot';
import type { RouterChange, RouterPlan, RouterStep } from '../../domain/provisioning.ts';
import type { Context } from '../context.ts';
import { fields } from '../fields.ts';
import { json } from '../reply.ts';
import { type Api, route } from '../route.ts';

const CONFIRMATION = 'APPLY_ROUTER_PLAN';
const Apply = fields({ confirm: v.optional(v.unknown()) });

export function adminRouterPlanRoutes(api: Api, { provisioner, commit }: Context): void {
  api.get(
    '/admin/router/plan/',
    route({ auth: 'owner', errors: 'router' }, async () =>
      json(200, { success: true, ...planView(await provisioner.plan()) }),
    ),
  );

  api.post(
    '/admin/router/plan/apply/',
    route({ auth: 'owner', body: Apply, errors: 'router' }, async ({ body, actor }) => {
      if (body.confirm !== CONFIRMATION) {
        const message = `Nothing was done. To change the router, send confirm with the exact text ${CONFIRMATION}.`;
        return json(400, { success: false, message });
      }
      const changes: RouterChange[] = [];
      const note = () => {
        const details = { changes: changes.map(({ command, refusal }) => ({ command, refusal })) };
        return commit('noteAction', { action: 'router.apply_plan', subject: 'router', details }, actor);
      };
      let left: RouterPlan;
      try {
        left = await provisioner.apply(change => void changes.push(change));
      } finally {
        if (changes.length > 0) await note();
      }
      const refused = changes.filter(({ refusal }) => refusal !== null);
      return json(refused.length === 0 ? 200 : 500, {
        success: refused.length === 0,
        message: refused[0]?.refusal ?? `${changes.length} change(s) made on the router.`,
        changes: changes.map(change => ({ ...stepView(change), refusal: change.refusal })),
        ...planView(left),
      });
    }),
  );
}

const stepView = ({ what, why, command }: RouterStep) => ({ what, why, command });

const planView = ({ steps, missing, notes }: RouterPlan) => ({ steps: steps.map(stepView), missing, notes });
