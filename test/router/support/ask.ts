/**
 * A program of its own that uses the router as the appliance does, for the cases where the library ended the process.
 * Arguments: port, `deadline:<ms>` of a call where that matters, then steps, each `sessions`, `idle:<ms>` or `close`. Prints one line an outcome.
 */
import { LangoError } from '../../../src/domain/errors.ts';
import { createHotspotPort } from '../../../src/router/hotspot-port.ts';
import { silentLog } from './peer.ts';

const [port, ...rest] = process.argv.slice(2);
const [, deadline] = /^deadline:(\d+)$/.exec(rest[0] ?? '') ?? [];
const steps = deadline === undefined ? rest : rest.slice(1);
const router = createHotspotPort({
  settings: {
    host: '127.0.0.1',
    port: Number(port),
    username: 'lango',
    password: 'secret',
    ssl: false,
    sslFingerprint: null,
    hotspot: null,
    profile: 'default',
  },
  log: silentLog,
  ...(deadline === undefined ? {} : { deadlineMs: Number(deadline) }),
});

for (const step of steps) {
  const [what, amount] = step.split(':');
  if (what === 'idle') await new Promise(resolve => setTimeout(resolve, Number(amount)));
  else if (what === 'close') await router.close();
  else {
    const outcome = await router.sessions().then(
      rows => `${rows.length} rows`,
      error => (error instanceof LangoError ? error.code : `unexpected ${error}`),
    );
    console.log(outcome);
  }
}
console.log('alive');
