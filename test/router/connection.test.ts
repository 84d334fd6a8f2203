/** The shared connection as the port shows it: lazy, one for all, back again, and gone when closed. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { HotspotPort, Log, RouterSettings } from '../../src/domain/ports.ts';
import { systemClock } from '../../src/domain/time.ts';
import { createHotspotPort, type HotspotPortOptions } from '../../src/router/hotspot-port.ts';
import { until } from '../support/until.ts';
import { afterLogin, type Command, type Peer, sentence, silentLog, startPeer } from './support/peer.ts';

const answering = afterLogin((command: Command) => command.reply(['!done']));
const QUICK = { first: 20, longest: 100 };

function portTo(
  t: TestContext,
  settings: RouterSettings | null,
  options: Partial<HotspotPortOptions> = {},
): HotspotPort {
  const port = createHotspotPort({ settings, log: silentLog, backoffMs: QUICK, ...options });
  t.after(() => port.close());
  return port;
}

function connected(port: HotspotPort): Promise<void> {
  return new Promise(resolve => {
    const stop = port.onConnected(() => {
      stop();
      resolve();
    });
  });
}

async function eventually(condition: () => boolean): Promise<void> {
  const limit = systemClock.monotonic() + 60_000;
  while (!condition()) {
    assert.ok(systemClock.monotonic() < limit, 'it never came about');
    await new Promise(resolve => setTimeout(resolve, 5));
  }
}

/** A peer that is stopped, and comes back on the same port. */
async function revive(t: TestContext, peer: Peer): Promise<Peer> {
  return startPeer(t, answering, { port: peer.port });
}

test('nothing is opened before something is asked, and then one connection serves everybody', async t => {
  const peer = await startPeer(t, answering);
  const port = portTo(t, peer.settings);
  await new Promise(resolve => setTimeout(resolve, 50));
  assert.equal(peer.accepted, 0);
  assert.equal(port.state, 'disconnected');
  await Promise.all([port.sessions(), port.hosts(), port.users(), port.profiles()]);
  await port.sessions();
  assert.equal(peer.accepted, 1);
  assert.equal(port.state, 'connected');
  assert.equal(port.lastError, null);
});

test('a router that was lost is connected to again by itself, and listeners are told each time', async t => {
  const peer = await startPeer(t, answering);
  const port = portTo(t, peer.settings);
  let times = 0;
  port.onConnected(() => {
    times += 1;
  });
  await port.sessions();
  await peer.stop();
  await eventually(() => port.state === 'disconnected');
  assert.match(port.lastError ?? '', /was lost|refused/);
  const back = connected(port);
  await revive(t, peer);
  await back;
  assert.equal(port.state, 'connected');
  assert.equal(port.lastError, null);
  assert.equal(times, 2);
  await port.sessions();
});

test('a router that is off when first asked is found when it comes up', async t => {
  const peer = await startPeer(t, answering);
  await peer.stop();
  const port = portTo(t, peer.settings);
  await assert.rejects(port.sessions(), { code: 'ROUTER_UNAVAILABLE', message: /refused the connection/ });
  const back = connected(port);
  await revive(t, peer);
  await back;
  await port.sessions();
});

test('a router that accepts the login and takes it back in the same breath counts as lost, and is tried again', async t => {
  let kind = false;
  const peer = await startPeer(t, command => {
    if (kind || command.path !== '/login') command.reply(['!done']);
    else
      command.socket.end(
        Buffer.concat([sentence('!done', `.tag=${command.tag}`), sentence('!fatal', 'shutting down')]),
      );
  });
  const port = portTo(t, peer.settings);
  await assert.rejects(port.sessions(), { code: 'ROUTER_UNAVAILABLE' });
  assert.equal(port.state, 'disconnected');
  const back = connected(port);
  kind = true;
  await back;
  await port.sessions();
});

test('between two attempts a call is answered at once with the last failure, and no attempt is made for it', async t => {
  const peer = await startPeer(t, command => command.socket.resetAndDestroy());
  const port = portTo(t, peer.settings, { backoffMs: { first: 60_000, longest: 60_000 } });
  await assert.rejects(port.sessions(), { code: 'ROUTER_UNAVAILABLE' });
  const started = systemClock.monotonic();
  for (let count = 0; count < 50; count += 1)
    await assert.rejects(port.sessions(), { code: 'ROUTER_UNAVAILABLE', message: /cut the connection/ });
  assert.ok(systemClock.monotonic() - started < 60_000);
  assert.equal(peer.accepted, 1);
});

test('attempts come slower and slower, up to the longest wait, and never in step', async t => {
  const waits: number[] = [];
  const note = (fields: object): void => void waits.push((fields as { retryMs: number }).retryMs);
  const log: Log = { ...silentLog, warn: note, debug: note };
  const peer = await startPeer(t, command => command.socket.resetAndDestroy());
  const port = portTo(t, peer.settings, { log, backoffMs: { first: 8, longest: 64 } });
  await assert.rejects(port.sessions());
  await eventually(() => waits.length >= 8);
  assert.ok(waits.length <= peer.accepted, 'one wait an attempt');
  for (const [index, wait] of waits.entries()) {
    const full = Math.min(64, 8 * 2 ** index);
    assert.ok(wait >= Math.floor(full / 2) && wait <= full, `wait ${index} was ${wait} ms`);
  }
  assert.ok(new Set(waits.slice(3, 8)).size > 1, 'some waits differ');
});

test('after a connection that worked the first wait is short again', async t => {
  const waits: number[] = [];
  const note = (fields: object): void => void waits.push((fields as { retryMs: number }).retryMs);
  let kind = false;
  const peer = await startPeer(t, command => (kind ? command.reply(['!done']) : command.socket.resetAndDestroy()));
  const port = portTo(t, peer.settings, {
    log: { ...silentLog, warn: note, debug: note },
    backoffMs: { first: 8, longest: 4_000 },
  });
  await assert.rejects(port.sessions());
  await eventually(() => waits.length >= 4);
  kind = true;
  await connected(port);
  kind = false;
  const before = waits.length;
  await assert.rejects(port.sessions());
  assert.ok((waits[before] ?? Number.NaN) <= 8, `waited ${waits[before]} ms`);
});

test('a failure is logged once as news, and quietly while it lasts', async t => {
  const levels: string[] = [];
  const log: Log = { ...silentLog, warn: () => levels.push('warn'), debug: () => levels.push('debug') };
  const peer = await startPeer(t, command => command.socket.resetAndDestroy());
  const port = portTo(t, peer.settings, { log });
  await assert.rejects(port.sessions());
  await eventually(() => levels.length >= 3);
  assert.deepEqual(levels.slice(0, 3), ['warn', 'debug', 'debug']);
});

test('a router that vanishes from an idle connection is found out by asking', async t => {
  let silent = false;
  const peer = await startPeer(t, command => {
    if (!silent) command.reply(['!done']);
  });
  const port = portTo(t, peer.settings, { livenessMs: 30, deadlineMs: 2_000 });
  await port.sessions();
  silent = true;
  await eventually(() => port.state === 'disconnected');
  assert.match(port.lastError ?? '', /does not answer/);
  silent = false;
  await eventually(() => port.state === 'connected');
});

test('configure() takes effect at once: calls on the old connection reject, the new one is opened', async t => {
  const old = await startPeer(
    t,
    afterLogin(() => {}),
  );
  const next = await startPeer(t, answering);
  const port = portTo(t, old.settings);
  const waiting = port.sessions();
  await eventually(() => old.commands.length === 2);
  const back = connected(port);
  port.configure(next.settings);
  await assert.rejects(waiting, { code: 'ROUTER_UNAVAILABLE', message: /was closed/ });
  assert.equal(port.settings?.port, next.port);
  await back;
  await eventually(() => old.connections.size === 0);
  await port.sessions();
  assert.equal(old.accepted, 1);
});

test('configure() while the old connection is still being opened leaves nothing of it behind', async t => {
  const old = await startPeer(t, () => {});
  const next = await startPeer(t, answering);
  const port = portTo(t, old.settings);
  const waiting = port.sessions();
  await eventually(() => old.commands.length === 1);
  port.configure(next.settings);
  await assert.rejects(waiting, { code: 'ROUTER_UNAVAILABLE', message: /was closed/ });
  await port.sessions();
  await eventually(() => old.connections.size === 0);
  assert.equal(port.state, 'connected');
});

test('without a router every call says so, and the port can be given one later', async t => {
  const peer = await startPeer(t, answering);
  const port = portTo(t, null);
  assert.deepEqual([port.state, port.lastError, port.settings], ['not_configured', null, null]);
  await assert.rejects(port.sessions(), { code: 'ROUTER_UNAVAILABLE', message: /No router is configured/ });
  await assert.rejects(port.reboot(), { code: 'ROUTER_UNAVAILABLE' });
  port.configure(peer.settings);
  await port.sessions();
  port.configure(null);
  assert.equal(port.state, 'not_configured');
  await eventually(() => peer.connections.size === 0);
});

test('settings are shown without the password', async t => {
  const peer = await startPeer(t, answering);
  const port = portTo(t, peer.settings);
  const { password: _, ...shown } = peer.settings;
  assert.deepEqual(port.settings, shown);
});

test('a listener that throws harms neither the other listeners nor the connection', async t => {
  const peer = await startPeer(t, answering);
  const errors: string[] = [];
  const port = portTo(t, peer.settings, { log: { ...silentLog, error: (_, event) => errors.push(event) } });
  port.onConnected(() => {
    throw new Error('listener');
  });
  let told = false;
  port.onConnected(() => {
    told = true;
  });
  await port.sessions();
  assert.ok(told);
  assert.equal(errors.length, 1);
});

test('a listener that has stopped is not told', async t => {
  const peer = await startPeer(t, answering);
  const port = portTo(t, peer.settings);
  let told = false;
  const stop = port.onConnected(() => {
    told = true;
  });
  stop();
  await port.sessions();
  assert.equal(told, false);
});

test('every call of the port settles within its deadline, connecting included', async t => {
  const peer = await startPeer(t, () => {});
  const mac = '02:00:00:00:00:01' as never;
  const user = {
    id: '*1',
    name: 'a',
    mac,
    profile: '',
    uptimeSeconds: 0,
    limitUptimeSeconds: null,
    comment: '',
    disabled: false,
    ours: true,
  };
  const calls: [name: string, call: (port: HotspotPort) => Promise<unknown>][] = [
    ['sessions', port => port.sessions()],
    ['hosts', port => port.hosts({ macs: [mac] })],
    ['macsByAddress', port => port.macsByAddress()],
    ['users', port => port.users()],
    ['addUser', port => port.addUser({ name: 'a', password: 'b', mac, profile: 'c', limitUptimeSeconds: 1 })],
    ['updateUser', port => port.updateUser(user, { disabled: true })],
    ['removeUser', port => port.removeUser(user)],
    ['login', port => port.login({ user: 'a', password: 'b', mac, address: '10.0.0.1' })],
    ['endSessions', port => port.endSessions({ user: 'a' })],
    ['removeCookies', port => port.removeCookies({ mac })],
    ['profiles', port => port.profiles()],
    ['createProfile', port => port.createProfile({ name: 'a' })],
    ['resources', port => port.resources()],
    ['reboot', port => port.reboot()],
    ['test', port => port.test(peer.settings)],
  ];
  await Promise.all(
    calls.map(async ([name, call]) => {
      const port = portTo(t, peer.settings, { deadlineMs: 150 });
      const started = systemClock.monotonic();
      await assert.rejects(call(port), { code: 'ROUTER_UNAVAILABLE' }, name);
      assert.ok(systemClock.monotonic() - started < 4_000, `${name} took too long`);
    }),
  );
});

test('what nobody waits for may take longer than what somebody does', async t => {
  const held: (() => void)[] = [];
  const peer = await startPeer(
    t,
    afterLogin(command => void held.push(() => command.reply(['!done']))),
  );
  const port = portTo(t, peer.settings, { deadlineMs: 100 });
  const patient = port.background.sessions();
  await until(() => held.length === 1);
  await delay(200);
  for (const answer of held) answer();
  assert.deepEqual(await patient, []);
  await assert.rejects(port.sessions(), { code: 'ROUTER_UNAVAILABLE' });
});

test('a deadline covers all commands of one call together', async t => {
  let count = 0;
  const peer = await startPeer(
    t,
    afterLogin(command => {
      count += 1;
      const two = [`=.id=*${count}a`, `=.id=*${count}b`].map(id => ['!re', id, '=user=a']);
      const rows = command.path.endsWith('print') ? two : [];
      setTimeout(() => command.reply(...rows, ['!done']), 40);
    }),
  );
  const port = portTo(t, peer.settings, { deadlineMs: 300 });
  const started = systemClock.monotonic();
  await assert.rejects(port.endSessions({ user: 'a' }), { code: 'ROUTER_UNAVAILABLE' });
  assert.ok(systemClock.monotonic() - started < 4_000);
});

test('after close() calls reject, configure() does nothing, and closing again is fine', async t => {
  const peer = await startPeer(t, answering);
  const port = portTo(t, peer.settings);
  await port.sessions();
  await port.close();
  await port.close();
  port.configure(peer.settings);
  await assert.rejects(port.sessions(), { code: 'ROUTER_UNAVAILABLE', message: /was closed/ });
  await eventually(() => peer.connections.size === 0);
  assert.equal(peer.accepted, 1);
});

test('close() between two attempts makes no other', async t => {
  const peer = await startPeer(t, command => command.socket.resetAndDestroy());
  const port = portTo(t, peer.settings, { backoffMs: { first: 40, longest: 40 } });
  await assert.rejects(port.sessions());
  await port.close();
  await new Promise(resolve => setTimeout(resolve, 120));
  assert.equal(peer.accepted, 1);
});

test('close() in the middle of connecting rejects who waits, and is no failure to log or to try again', async t => {
  const logged: string[] = [];
  const note = (_: object, event: string): void => void logged.push(event);
  const peer = await startPeer(t, () => {});
  const port = portTo(t, peer.settings, { log: { debug: note, info: note, warn: note, error: note } });
  const waiting = port.sessions();
  await eventually(() => peer.commands.length === 1);
  await port.close();
  await assert.rejects(waiting, { code: 'ROUTER_UNAVAILABLE', message: /was closed/ });
  await new Promise(resolve => setTimeout(resolve, 120));
  assert.deepEqual(logged, []);
  assert.equal(peer.accepted, 1);
});

test('nothing keeps a process alive after close(), nor while a router that is off is waited for', async t => {
  const peer = await startPeer(t, answering);
  const off = await startPeer(t, answering);
  await off.stop();
  const script = new URL('support/ask.ts', import.meta.url).pathname;
  for (const steps of [
    [String(peer.port), 'sessions', 'close'],
    [String(off.port), 'sessions'],
  ]) {
    const child = spawn(process.execPath, [script, ...steps], { timeout: 120_000 });
    const [code] = await once(child, 'close');
    assert.equal(code, 0);
  }
});

test('no deadline is longer than 10 s, whatever is asked for', async t => {
  const peer = await startPeer(
    t,
    afterLogin(() => {}),
  );
  const port = portTo(t, peer.settings, { deadlineMs: 60_000 });
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const waiting = port.sessions();
  while (peer.commands.length < 2) await new Promise(resolve => setImmediate(resolve));
  t.mock.timers.tick(10_000);
  await assert.rejects(waiting, { code: 'ROUTER_UNAVAILABLE' });
});
