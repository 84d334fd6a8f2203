/** The sandbox of payments: a third party that the appliance plays itself, below a path of its own server. */
import { join } from 'node:path';
import { type Config, localUrl } from './config.ts';
import type { Log } from './domain/ports.ts';
import type { Mount } from './http/router.ts';
import { isBuiltIn } from './payment/index.ts';
import { createSandboxService, type SandboxService } from './sandbox/service.ts';

const SANDBOX_PATH = '/sandbox';

/** Whether the third party of payments is a part of this process. */
export function playsSandbox({ payment }: Config): boolean {
  return isBuiltIn(payment) && payment.apiUrl === null;
}

export function startSandbox(config: Config, log: Log): SandboxService {
  return createSandboxService(
    {
      environment: config.payment.environment,
      publicUrl: `${config.baseUrl}${SANDBOX_PATH}`,
      file: join(config.dataDir, 'sandbox.jsonl'),
      ...(config.payment.apiKey === null ? {} : { apiKey: config.payment.apiKey }),
      ...(config.payment.webhookSecret === null ? {} : { webhookSecret: config.payment.webhookSecret }),
    },
    log,
  );
}

/** The driver reaches the sandbox the way it would reach a real provider: by URL, over HTTP. */
export function sandboxPayment(config: Config, { apiKey, webhookSecret }: SandboxService): Config['payment'] {
  return { ...config.payment, apiKey, webhookSecret, apiUrl: `${localUrl(config)}${SANDBOX_PATH}` };
}

export function sandboxMount(sandbox: SandboxService): Mount {
  return {
    path: `${SANDBOX_PATH}/*`,
    methods: 'any',
    handle(request, response) {
      const whole = request.url ?? '/';
      Object.assign(request, { originalUrl: whole, url: whole.slice(SANDBOX_PATH.length) });
      sandbox.handler(request, response);
    },
  };
}
