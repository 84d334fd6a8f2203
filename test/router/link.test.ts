/** One connection from dialling to death: login, certificate, deadlines, and what people are told. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import type { TlsOptions } from 'node:tls';
import { LangoError } from '../../src/domain/errors.ts';
import type { RouterSettings } from '../../src/domain/ports.ts';
import { systemClock } from '../../src/domain/time.ts';
import { RouterLink } from '../../src/router/link.ts';
import { CERTIFICATE, FINGERPRINT, KEY } from '../simulator/certificate.ts';
import { afterLogin, type Behaviour, type Command, inMs, type Peer, sentence, startPeer } from './support/peer.ts';

const PRINT = ['/ip/hotspot/active/print'];
/** Far beyond what any of these tests may take: whatever settles sooner did so by itself. */
const LONG_MS = 120_000;
const AT_ONCE_MS = 60_000;

function linkTo(t: TestContext, settings: RouterSettings, silenceMs = 100): RouterLink {
  const link = new RouterLink(settings, { clock: systemClock, silenceMs: () => silenceMs });
  t.after(() => link.close());
  return link;
}

async function opened(
  t: TestContext,
  behaviour: Behaviour,
  silenceMs?: number,
): Promise<{ link: RouterLink; peer: Peer }> {
  const peer = await startPeer(t, afterLogin(behaviour));
  const link = linkTo(t, peer.settings, silenceMs);
  await link.open(inMs(LONG_MS));
  return { link, peer };
}

/** Asserts that the call rejects as unavailable with that message, well before its deadline. */
async function unavailableAtOnce(call: Promise<unknown>, message: RegExp): Promise<void> {
  const started = systemClock.monotonic();
  await assert.rejects(call, error => {
    assert.ok(error instanceof LangoError);
    assert.equal(error.code, 'ROUTER_UNAVAILABLE');
    assert.match(error.message, message);
    return true;
  });
  const took = systemClock.monotonic() - started;
  assert.ok(took < AT_ONCE_MS, `took ${took} ms`);
}

// ----------------------------------------------------------------------------------------------- login

test('a router from 6.43 on is given name and password', async t => {
  const { peer } = await opened(t, () => {});
  assert.deepEqual(peer.commands[0]?.words, ['=name=lango', '=password=säkret']);
  assert.equal(peer.commands.length, 1);
});

test('an older router is given the answer to its challenge, in UTF-8', async t => {
  const challenge = '00112233445566778899aabbccddeeff';
  const peer = await startPeer(t, command => {
    if (command.words.some(word => word.startsWith('=response='))) command.reply(['!done']);
    else command.reply(['!done', `=ret=${challenge}`]);
  });
  await linkTo(t, peer.settings).open(inMs(LONG_MS));
  const secret = Buffer.concat([Buffer.of(0), Buffer.from('säkret', 'utf8'), Buffer.from(challenge, 'hex')]);
  const digest = createHash('md5').update(secret).digest('hex');
  assert.deepEqual(peer.commands[1]?.words, ['=name=lango', `=response=00${digest}`]);
});

test('a refused account is told apart, by name and with the words of the router', async t => {
  const peer = await startPeer(t, command =>
    command.reply(['!trap', '=message=invalid user name or password (6)'], ['!done']),
  );
  await unavailableAtOnce(
    linkTo(t, peer.settings).open(inMs(LONG_MS)),
    /refused the account "lango": invalid user name or password \(6\)/,
  );
});

test('a message never carries the password', async t => {
  const peer = await startPeer(t, command => command.reply(['!trap', '=message=no'], ['!done']));
  await assert.rejects(
    linkTo(t, peer.settings).open(inMs(LONG_MS)),
    error => !JSON.stringify([error, String(error)]).includes('säkret'),
  );
});

for (const [how, behave] of [
  ['closes', (command: Command) => command.socket.end()],
  ['resets', (command: Command) => command.socket.resetAndDestroy()],
] as const) {
  test(`a router that ${how} before it answers the login is told at once`, async t => {
    const peer = await startPeer(t, behave);
    await unavailableAtOnce(linkTo(t, peer.settings).open(inMs(LONG_MS)), /cut the connection\. Check/);
  });
}

test('a router that never answers the login is given up at the deadline', async t => {
  const peer = await startPeer(t, () => {});
  const started = systemClock.monotonic();
  await assert.rejects(linkTo(t, peer.settings).open(inMs(200)), {
    code: 'ROUTER_UNAVAILABLE',
    message: /does not answer/,
  });
  assert.ok(systemClock.monotonic() - started < AT_ONCE_MS);
});

// --------------------------------------------------------------------------------------------- dialling

test('a closed port is told with what to check', async t => {
  const peer = await startPeer(t, () => {});
  await peer.stop();
  await unavailableAtOnce(linkTo(t, peer.settings).open(inMs(LONG_MS)), /refused the connection\. Check the port/);
});

test('a name that nobody knows is told', async t => {
  const peer = await startPeer(t, () => {});
  const link = linkTo(t, { ...peer.settings, host: 'router.invalid' });
  await assert.rejects(link.open(inMs(LONG_MS)), {
    code: 'ROUTER_UNAVAILABLE',
    message: /not known by that name|cannot be connected/,
  });
});

test('settings that no socket can take reject like everything else', async t => {
  const peer = await startPeer(t, () => {});
  for (const ssl of [false, true]) {
    await unavailableAtOnce(
      linkTo(t, { ...peer.settings, ssl, port: 70_000 }).open(inMs(LONG_MS)),
      /cannot be connected to: .+/,
    );
  }
});

test('a router that ends the connection with a reason is quoted', async t => {
  const peer = await startPeer(t, command => command.socket.end(sentence('!fatal', 'too many connections')));
  await unavailableAtOnce(linkTo(t, peer.settings).open(inMs(LONG_MS)), /ended the connection: too many connections/);
});

// -------------------------------------------------------------------------------------------------- TLS

async function overTls(
  t: TestContext,
  tls: TlsOptions,
  sslFingerprint: string | null,
): Promise<{ link: RouterLink; peer: Peer }> {
  const peer = await startPeer(
    t,
    afterLogin(command => command.reply(['!re', '=.id=*1'], ['!done'])),
    { tls },
  );
  return { link: linkTo(t, { ...peer.settings, sslFingerprint }), peer };
}

const WITH_CERTIFICATE = { key: KEY, cert: CERTIFICATE };

test('without a pinned fingerprint any certificate is taken', async t => {
  const { link } = await overTls(t, WITH_CERTIFICATE, null);
  await link.open(inMs(LONG_MS));
  assert.deepEqual(await link.call(PRINT, row => row['.id'], inMs(LONG_MS)), ['*1']);
});

test('the pinned certificate is taken, however its fingerprint is written', async t => {
  for (const written of [FINGERPRINT, FINGERPRINT.toUpperCase(), FINGERPRINT.replace(/..(?=.)/g, '$&:')]) {
    const { link } = await overTls(t, WITH_CERTIFICATE, written);
    await link.open(inMs(LONG_MS));
  }
});

test('another certificate than the pinned one is refused before anything is said', async t => {
  const { link, peer } = await overTls(t, WITH_CERTIFICATE, '0'.repeat(64));
  await unavailableAtOnce(
    link.open(inMs(LONG_MS)),
    new RegExp(`fingerprint ${FINGERPRINT}, not the one in the settings`),
  );
  assert.equal(peer.commands.length, 0);
});

/** How RouterOS serves API-SSL until somebody gives it a certificate. */
const ANONYMOUS: TlsOptions = { ciphers: 'ADH:@SECLEVEL=0', dhparam: 'auto', maxVersion: 'TLSv1.2' };

test('a router without a certificate is taken where nothing is pinned', async t => {
  const { link } = await overTls(t, ANONYMOUS, null);
  await link.open(inMs(LONG_MS));
});

test('TLS 1.3 is spoken with a router that wants nothing else, pinned or not', async t => {
  for (const fingerprint of [null, FINGERPRINT]) {
    const { link } = await overTls(t, { ...WITH_CERTIFICATE, minVersion: 'TLSv1.3' }, fingerprint);
    await link.open(inMs(LONG_MS));
  }
});

test('a router without a certificate is refused where one is pinned', async t => {
  const { link, peer } = await overTls(t, ANONYMOUS, FINGERPRINT);
  await unavailableAtOnce(link.open(inMs(LONG_MS)), /did not agree on SSL|shows no certificate/);
  assert.equal(peer.commands.length, 0);
});

test('SSL against a plain port says so', async t => {
  const peer = await startPeer(t, () => {}, {
    onConnection: socket => socket.once('data', () => socket.write('HTTP/1.1 400 \r\n')),
  });
  await unavailableAtOnce(linkTo(t, { ...peer.settings, ssl: true }).open(inMs(LONG_MS)), /did not agree on SSL/);
});

test('a plain login against an SSL port says what to check', async t => {
  const peer = await startPeer(t, () => {}, { tls: WITH_CERTIFICATE });
  await unavailableAtOnce(linkTo(t, { ...peer.settings, ssl: false }).open(inMs(LONG_MS)), /port/);
});

test('SSL that is dropped in its handshake is told at once', async t => {
  const peer = await startPeer(t, () => {}, { onConnection: socket => socket.once('data', () => socket.end()) });
  await unavailableAtOnce(linkTo(t, { ...peer.settings, ssl: true }).open(inMs(LONG_MS)), /cut the connection/);
});

// ------------------------------------------------------------------------------------------------ death

const HALF_A_REPLY = (command: Command): Buffer => sentence('!re', '=.id=*1', `.tag=${command.tag}`).subarray(0, 9);

for (const [how, behave, message] of [
  ['closes in the middle of a reply', (command: Command) => command.socket.end(HALF_A_REPLY(command)), /was lost/],
  [
    'resets in the middle of a reply',
    (command: Command) =>
      command.socket.write(HALF_A_REPLY(command), () => setTimeout(() => command.socket.resetAndDestroy(), 20)),
    /was lost/,
  ],
  ['reboots', (command: Command) => command.socket.resetAndDestroy(), /was lost/],
  [
    'says !fatal',
    (command: Command) => command.socket.write(sentence('!fatal', 'session terminated on request')),
    /was lost \(session terminated on request\)/,
  ],
  [
    'says !fatal in attributes',
    (command: Command) => command.socket.write(sentence('!fatal', '=message=going down')),
    /\(going down\)/,
  ],
] as const) {
  test(`a router that ${how} rejects every call that waits, at once`, async t => {
    const { link, peer } = await opened(t, command => {
      if (command.path === '/last') behave(command);
    });
    const calls = ['/first', '/second', '/last'].map(path => link.call([path], () => null, inMs(LONG_MS)));
    await Promise.all(calls.map(call => unavailableAtOnce(call, message)));
    await unavailableAtOnce(
      link.call(PRINT, () => null, inMs(LONG_MS)),
      message,
    );
    assert.equal(peer.commands.filter(command => command.path === PRINT[0]).length, 0);
  });
}

test('an answer that comes with the end of the connection is still an answer', async t => {
  const { link } = await opened(t, command => {
    const rows = Array.from({ length: 1_000 }, (_, index) => ['!re', `=.id=*${index}`]);
    command.reply(...rows, ['!done']);
    command.socket.end();
  });
  assert.equal((await link.call(PRINT, row => row, inMs(LONG_MS))).length, 1_000);
});

test('a router that falls silent costs a call its deadline, and the link dies of it', async t => {
  let death: LangoError | null = null;
  const peer = await startPeer(
    t,
    afterLogin(() => {}),
  );
  const link = new RouterLink(peer.settings, {
    clock: systemClock,
    silenceMs: () => 100,
    onDeath: error => (death = error),
  });
  t.after(() => link.close());
  await link.open(inMs(LONG_MS));
  const started = systemClock.monotonic();
  const longer = link.call(PRINT, () => null, inMs(LONG_MS));
  await assert.rejects(
    link.call(PRINT, () => null, inMs(200)),
    { code: 'ROUTER_UNAVAILABLE', message: /does not answer/ },
  );
  await assert.rejects(longer, { code: 'ROUTER_UNAVAILABLE' });
  assert.ok(systemClock.monotonic() - started < AT_ONCE_MS);
  assert.match((death as LangoError | null)?.message ?? '', /does not answer/);
});

test('a slow command is given up and cancelled while others go on', async t => {
  const { link, peer } = await opened(t, command => {
    if (command.path !== '/slow') command.reply(['!done']);
  });
  const slow = link.call(['/slow'], () => null, inMs(200));
  await link.call(PRINT, () => null, inMs(LONG_MS));
  await assert.rejects(slow, { code: 'ROUTER_UNAVAILABLE', message: /too long/ });
  await link.call(PRINT, () => null, inMs(LONG_MS));
  const tag = peer.commands.find(command => command.path === '/slow')?.tag;
  assert.deepEqual(peer.commands.find(command => command.path === '/cancel')?.words, [`=tag=${tag}`]);
});

test('rows that come after their call was given up are not read', async t => {
  const held: Command[] = [];
  const { link } = await opened(
    t,
    command => {
      if (command.path === '/slow') held.push(command);
      else if (command.path !== '/cancel') {
        for (const slow of held) slow.reply(['!re', '=.id=*1'], ['!done']);
        command.reply(['!done']);
      }
    },
    LONG_MS,
  );
  let read = 0;
  const count = (): void => void (read += 1);
  await assert.rejects(link.call(['/slow'], count, inMs(50)), { code: 'ROUTER_UNAVAILABLE' });
  await link.call(PRINT, count, inMs(LONG_MS));
  assert.equal(read, 0);
});

test('a call that had hardly any time left is given up, and is not held against the line', async t => {
  const { link } = await opened(t, command => setTimeout(() => command.reply(['!done']), 60), LONG_MS);
  const other = link.call(PRINT, () => null, inMs(LONG_MS));
  await assert.rejects(
    link.call(PRINT, () => null, inMs(10)),
    { code: 'ROUTER_UNAVAILABLE', message: /too long/ },
  );
  assert.equal(link.death, null);
  await other;
});

test('a row that cannot be read rejects its own call only', async t => {
  const { link } = await opened(t, command => command.reply(['!re', '=.id=*1'], ['!done']));
  const unreadable = (): never => {
    throw new RangeError('unreadable');
  };
  await assert.rejects(link.call(PRINT, unreadable, inMs(LONG_MS)), RangeError);
  assert.deepEqual(await link.call(PRINT, row => row['.id'], inMs(LONG_MS)), ['*1']);
});

test('close() rejects what waits, and may come at any moment and twice', async t => {
  const { link } = await opened(t, () => {});
  const waiting = link.call(PRINT, () => null, inMs(LONG_MS));
  link.close();
  link.close();
  await unavailableAtOnce(waiting, /was closed/);
  const peer = await startPeer(t, () => {});
  const opening = linkTo(t, peer.settings);
  const open = opening.open(inMs(LONG_MS));
  opening.close();
  await unavailableAtOnce(open, /was closed/);
  linkTo(t, peer.settings).close();
});

test('a command that kills the router succeeds by its death, however it dies', async t => {
  for (const behave of [
    (command: Command) => command.socket.resetAndDestroy(),
    (command: Command) => command.socket.end(),
    (command: Command) => command.reply(['!done']),
    () => {},
  ]) {
    const { link } = await opened(t, behave);
    await link.callUntilDeath(['/system/reboot'], inMs(300));
  }
});

test('a command that should kill the router and is refused, or was never sent, fails', async t => {
  const { link } = await opened(t, command =>
    command.reply(['!trap', '=message=not enough permissions (9)'], ['!done']),
  );
  await assert.rejects(link.callUntilDeath(['/system/reboot'], inMs(LONG_MS)), {
    code: 'ROUTER_REFUSED',
    message: 'not enough permissions (9)',
  });
  link.close();
  await unavailableAtOnce(link.callUntilDeath(['/system/reboot'], inMs(LONG_MS)), /was closed/);
});
