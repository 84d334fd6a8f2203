import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';

import type { Api } from '../../src/http/route.ts';
import { OPEN, serve } from './support.ts';

const IDLE = '';
const HALF_A_HEAD = 'GET /api/held/ HTTP/1.1\r\nHost: x\r\nX-Slow';
const HALF_A_BODY =
  'POST /api/held/ HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"a';
const WHOLE = 'GET /api/held/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
const QUICK = 'GET /api/quick/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
const KEPT = 'GET /api/quick/ HTTP/1.1\r\nHost: x\r\n\r\n';

/** Requests to `/held/` wait until they are released, as somebody's payment waits for the provider. */
function heldAndQuick() {
  let release = () => {};
  const held = new Promise<void>(resolve => {
    release = resolve;
  });
  let waiting = 0;
  let told = () => {};
  const routes = (api: Api) => {
    for (const method of ['GET', 'POST'] as const) {
      api.handle({ ...OPEN, method, path: '/held/' }, async () => {
        waiting += 1;
        told();
        await held;
        return { held: true };
      });
    }
    api.handle({ ...OPEN, method: 'GET', path: '/quick/' }, () => ({ quick: true }));
  };
  const untilWaiting = async (count: number) => {
    while (waiting < count) {
      await new Promise<void>(resolve => {
        told = resolve;
      });
    }
  };
  return { routes, untilWaiting, release };
}

interface Client {
  socket: Socket;
  /** Resolves once the server has taken the connection, or refused it. */
  settled: Promise<unknown>;
  received(): string;
  /** Resolves with everything received once the connection is over. */
  closed: Promise<string>;
}

function client(t: TestContext, port: number, localAddress: string, bytes: string): Client {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  t.after(() => socket.destroy());
  socket.setEncoding('latin1');
  socket.on('error', () => {});
  let received = '';
  socket.on('data', text => {
    received += text;
  });
  const closed = new Promise<string>(resolve => socket.once('close', () => resolve(received)));
  const connected = new Promise(resolve => socket.once('connect', resolve));
  if (bytes !== '') socket.write(bytes);
  return { socket, settled: Promise.race([connected, closed]), received: () => received, closed };
}

const addresses = (count: number, net: number) => Array.from({ length: count }, (_, n) => `127.0.${net}.${n + 1}`);

test('a flood of idle and half-sent connections from many addresses cuts off nobody who waits for an answer', async t => {
  const { routes, untilWaiting, release } = heldAndQuick();
  const { port } = await serve(t, routes, { bounds: { connections: 120, connectionsPerAddress: 10 } });
  const customers = addresses(8, 1).map(address => client(t, port, address, WHOLE));
  await untilWaiting(8);
  const flood: Client[] = [];
  const strangers = addresses(30, 2);
  for (let round = 0; round < 12; round += 1) {
    const wave = strangers.map((address, n) =>
      client(t, port, address, [IDLE, HALF_A_HEAD, HALF_A_BODY][(n + round) % 3] as string),
    );
    flood.push(...wave);
    await Promise.all(wave.map(({ settled }) => settled));
    const newcomer = client(t, port, `127.0.3.${round + 1}`, QUICK);
    assert.match(await newcomer.closed, /^HTTP\/1\.1 200 .*"quick":true/s, `a newcomer in round ${round}`);
  }
  // What is beyond the bound was cut.
  await Promise.all(flood.slice(0, flood.length - 120).map(({ closed }) => closed));
  release();
  for (const { closed } of customers) assert.match(await closed, /^HTTP\/1\.1 200 .*"held":true/s);
});

test('one address has its share of connections, and loses its own idlest beyond it', async t => {
  const { routes, untilWaiting, release } = heldAndQuick();
  const { port } = await serve(t, routes, { bounds: { connectionsPerAddress: 4 } });
  const neighbour = client(t, port, '127.0.2.2', IDLE);
  await neighbour.settled;
  const waiting = [1, 2, 3].map(() => client(t, port, '127.0.2.1', WHOLE));
  await untilWaiting(3);
  const idle = client(t, port, '127.0.2.1', IDLE);
  await idle.settled;
  const further = client(t, port, '127.0.2.1', WHOLE);
  await untilWaiting(4);
  assert.equal(await idle.closed, '');
  // All four wait for their answers now: it is the fifth that goes.
  assert.equal(await client(t, port, '127.0.2.1', IDLE).closed, '');
  assert.equal(neighbour.socket.destroyed, false);
  release();
  for (const { closed } of [...waiting, further]) assert.match(await closed, /"held":true/);
});

test('a connection that rests between two requests goes before one that is sending, though it is the younger', async t => {
  const { routes } = heldAndQuick();
  const { port } = await serve(t, routes, { bounds: { connections: 2, restingMs: 0 } });
  const sending = client(t, port, '127.0.2.1', HALF_A_BODY);
  await sending.settled;
  const resting = client(t, port, '127.0.2.2', KEPT);
  while (!resting.received().includes('"quick":true'))
    await new Promise(resolve => resting.socket.once('data', resolve));
  const newcomer = client(t, port, '127.0.2.3', QUICK);
  assert.match(await newcomer.closed, /"quick":true/);
  await resting.closed;
  assert.equal(sending.socket.destroyed, false);
});

test('of two addresses the one that holds more connections loses one', async t => {
  const { routes } = heldAndQuick();
  const { port } = await serve(t, routes, { bounds: { connections: 4, restingMs: 600_000 } });
  const lone = client(t, port, '127.0.2.1', HALF_A_HEAD);
  await lone.settled;
  const many = [1, 2, 3, 4, 5].map(() => client(t, port, '127.0.2.2', HALF_A_HEAD));
  await Promise.all(many.map(({ settled }) => settled));
  await Promise.any(many.map(({ closed }) => closed));
  assert.equal(lone.socket.destroyed, false);
});

test('a trusted proxy and the router hold more connections than a phone', async t => {
  const { routes } = heldAndQuick();
  const { port } = await serve(t, routes, {
    trustedProxies: ['127.0.2.1'],
    isGateway: address => address === '127.0.2.2',
    bounds: { connectionsPerAddress: 2, connectionsPerSharedAddress: 4 },
  });
  for (const [address, most] of [
    ['127.0.2.1', 4],
    ['127.0.2.2', 4],
    ['127.0.2.3', 2],
  ] as const) {
    const clients = Array.from({ length: most }, () => client(t, port, address, HALF_A_HEAD));
    await Promise.all(clients.map(({ settled }) => settled));
    assert.match(await client(t, port, '127.0.2.9', QUICK).closed, /"quick":true/);
    assert.deepEqual(
      clients.map(({ socket }) => socket.destroyed),
      clients.map(() => false),
      address,
    );
    const beyond = client(t, port, address, HALF_A_HEAD);
    await Promise.any([...clients, beyond].map(({ closed }) => closed));
  }
});

test('a client that sends many requests at once is cut off, and what else it sent is not even read', async t => {
  const { routes } = heldAndQuick();
  const { port } = await serve(t, routes);
  let read = 0;
  const count = () => {
    read += 1;
  };
  subscribe('http.server.request.start', count);
  t.after(() => unsubscribe('http.server.request.start', count));
  await client(t, port, '127.0.0.1', KEPT.repeat(1_000)).closed;
  assert.ok(read > 1 && read < 20, `${read} requests read`);
  const few = client(t, port, '127.0.0.1', KEPT.repeat(9) + QUICK);
  assert.equal((await few.closed).match(/HTTP\/1\.1 200/g)?.length, 10);
});
