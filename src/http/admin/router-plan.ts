/** Setting the router up from the admin pages: what is to be changed on it, and changing it. */

import { applyRouterPlan, routerPlan } from '../../contract/router.ts';
import { many } from '../../domain/plural.ts';
import type { RouterChange, RouterPlan } from '../../domain/provisioning.ts';
import type { Context } from '../context.ts';
import { json } from '../reply.ts';
import type { Api } from '../route.ts';
import { planView, stepView } from '../views/router.ts';

const CONFIRMATION = 'APPLY_ROUTER_PLAN';

export function adminRouterPlanRoutes(api: Api, { site, commit }: Context): void {
  api.handle(routerPlan, async ({ query }) => {
    const plan = await site.router(query.router_id).provisioner.plan();
    return { success: true, ...planView(plan) };
  });

  api.handle(applyRouterPlan, async ({ body, actor }) => {
    const { id, provisioner } = site.router(body.router_id);
    if (body.confirm !== CONFIRMATION) {
      const message = `Nothing was done. To change the router, send confirm with the exact text ${CONFIRMATION}.`;
      return json(400, { success: false, message });
    }
    const changes: RouterChange[] = [];
    const record = () => {
      const details = { changes: changes.map(({ command, refusal }) => ({ command, refusal })) };
      return commit('recordAction', { action: 'router.apply_plan', subject: 'router', subjectId: id, details }, actor);
    };
    let left: RouterPlan;
    try {
      left = await provisioner.apply(change => void changes.push(change));
    } finally {
      if (changes.length > 0) await record();
    }
    const outcome = {
      changes: changes.map(change => ({ ...stepView(change), refusal: change.refusal })),
      ...planView(left),
    };
    const refusal = changes.find(change => change.refusal !== null)?.refusal;
    if (typeof refusal === 'string') return json(500, { success: false, message: refusal, ...outcome });
    return { success: true, message: `${many(changes.length, 'change')} made on the router.`, ...outcome };
  });
}
