/** Ports for servers that are told theirs before they listen, or that stop and come back on the same one. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

// Below those that the system itself gives out, to other files' servers and to every outgoing connection. Each
// process begins elsewhere, so that files that run at the same time do not try the same ones.
const [FIRST, LAST] = [12_000, 32_000];
let next = FIRST + ((process.pid * 61) % (LAST - FIRST));

export async function freePort(): Promise<number> {
  for (;;) {
    const wanted = next;
    next = wanted + 1 < LAST ? wanted + 1 : FIRST;
    const probe = createServer().listen(wanted, '127.0.0.1');
    try {
      await once(probe, 'listening');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') continue;
      throw error;
    }
    const { port } = probe.address() as AddressInfo;
    probe.close();
    await once(probe, 'close');
    return port;
  }
}
