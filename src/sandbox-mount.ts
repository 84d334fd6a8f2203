/** The sandbox of payments: a third party that the appliance plays itself, below a path of its own server. */
import { join } from 'node:path';
import { type Config, localUrl } from './config.ts';
import type { Log } from './domain/ports.ts';
import type { Mount } from './http/router.ts';
import { isBuiltIn } from './payment/index.ts';
import { createSandboxService, type SandboxService } from './sandbox/service.ts';

const SANDBOX_PATH = '/sandbox';

interface Sandbox {
  service: SandboxService;
  mount: Mount;
  /** How the driver reaches it: as a real provider, by URL, over HTTP. */
  payment: Config['payment'];
}

/** null: the third party of payments is no part of this process. */
export function mountSandbox(config: Config, log: Log): Sandbox | null {
  const { environment, apiKey, webhookSecret, apiUrl } = config.payment;
  if (!isBuiltIn(config.payment) || apiUrl !== null) return null;
  const service = createSandboxService(
    {
      environment,
      publicUrl: `${config.baseUrl}${SANDBOX_PATH}`,
      file: join(config.dataDir, 'sandbox.jsonl'),
      ...(apiKey === null ? {} : { apiKey }),
      ...(webhookSecret === null ? {} : { webhookSecret }),
    },
    log,
  );
  const keys = { apiKey: service.apiKey, webhookSecret: service.webhookSecret };
  return {
    service,
    mount: {
      path: `${SANDBOX_PATH}/*`,
      methods: 'any',
      handle(request, response) {
        request.url = request.url?.slice(SANDBOX_PATH.length);
        service.handler(request, response);
      },
    },
    payment: { ...config.payment, ...keys, apiUrl: `${localUrl(config)}${SANDBOX_PATH}` },
  };
}
