/** `GET /health/`: is the appliance well. */
import { readHealth } from '../contract/health.ts';
import type { Context } from './context.ts';
import type { Api } from './route.ts';
import { healthView } from './views/system.ts';

export function healthRoutes(api: Api, context: Context): void {
  api.handle(readHealth, () => healthView(context));
}
