/** `GET /health/`: is the appliance well. */
import type { Context } from './context.ts';
import { json } from './reply.ts';
import { type Api, route } from './route.ts';

export function healthRoutes(api: Api, { health, version, clock }: Context): void {
  api.get(
    '/health/',
    route({ auth: 'none' }, () => {
      const { databaseConnected, problems, warnings } = health();
      return json(200, {
        status: problems.length === 0 ? 'healthy' : 'degraded',
        timestamp: clock.now(),
        version,
        service: 'lango',
        database: databaseConnected ? 'connected' : 'disconnected',
        database_connected: databaseConnected,
        problems,
        warnings,
      });
    }),
  );
}
