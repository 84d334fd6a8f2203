/** A router that is broken, or somebody else in its place, streams for ever: the link is dropped, and memory stays. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import type { LangoError } from '../../src/domain/errors.ts';
import { systemClock } from '../../src/domain/time.ts';
import { Channel, RouterConnector } from '../../src/router/corrections.ts';
import { createHotspotPort } from '../../src/router/hotspot-port.ts';
import { RouterLink } from '../../src/router/link.ts';
import { afterLogin, type Command, sentence, silentLog, startPeer } from './support/peer.ts';

const MIB = 1_024 * 1_024;
/** Nothing here waits for a deadline. */
const LONG_MS = 120_000;

/** Writes the same piece for as long as anybody takes it. @returns how many bytes were taken so far */
function stream(socket: Socket, piece: Buffer): () => number {
  const write = () => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.on('drain', write);
  write();
  return () => socket.bytesWritten;
}

/** At least 64 KiB of it. */
function many(bytes: Buffer): Buffer {
  return Buffer.concat(Array.from({ length: Math.ceil(65_536 / bytes.length) }, () => bytes));
}

/** An announced length, and no end of what it announces. */
const LONGEST_ANNOUNCED = Buffer.from([0xe0, 0x40, 0, 0]);

const cases: readonly [title: string, begin: (tag: string) => Buffer, goOn: (tag: string) => Buffer, says: RegExp][] = [
  [
    'a sentence without an end',
    () => Buffer.from('\x03!re'),
    () => many(Buffer.from('\x05=a=bc')),
    /a sentence without an end/,
  ],
  [
    'a sentence of one-letter words',
    () => Buffer.from('\x03!re'),
    () => many(Buffer.from('\x01a')),
    /a sentence without an end/,
  ],
  [
    'a sentence of the longest words',
    () => Buffer.concat([Buffer.from('\x03!re'), LONGEST_ANNOUNCED]),
    () => many(Buffer.from('x')),
    /a sentence without an end/,
  ],
  [
    'a reply without an end',
    () => Buffer.alloc(0),
    tag => many(sentence('!re', `=name=${'x'.repeat(60)}`, `.tag=${tag}`)),
    /a reply without an end/,
  ],
  [
    'replies that nobody asked for',
    () => Buffer.alloc(0),
    () => many(sentence('!re', `=name=${'x'.repeat(60)}`, '.tag=none')),
    /nothing had asked for/,
  ],
  ['empty sentences', () => Buffer.alloc(0), () => Buffer.alloc(65_536), /empty sentences/],
];

for (const [title, begin, goOn, says] of cases) {
  test(`${title} ends the link, which says why, before it has taken much`, async t => {
    let taken = () => 0;
    const peer = await startPeer(
      t,
      afterLogin(({ tag, socket }: Command) => {
        socket.write(begin(tag));
        taken = stream(socket, goOn(tag));
      }),
    );
    const link = new RouterLink(peer.settings, { clock: systemClock, silenceMs: () => LONG_MS });
    t.after(() => link.close());
    const until = systemClock.monotonic() + LONG_MS;
    await link.open(until);
    const failure = await link
      .call(['/x/print'], () => null, until)
      .then(
        () => assert.fail('an endless reply has no end'),
        (error: LangoError) => error,
      );
    assert.equal(failure.code, 'ROUTER_UNAVAILABLE');
    assert.match(failure.message, new RegExp(`127\\.0\\.0\\.1:${peer.port} was dropped`));
    assert.match(failure.message, says);
    assert.equal(link.death, failure);
    assert.ok(taken() < 128 * MIB, `${taken()} bytes were taken`);
  });
}

test('after a link was dropped the router is connected to again, as after any other loss', async t => {
  let isHostile = true;
  const peer = await startPeer(
    t,
    afterLogin((command: Command) => {
      if (isHostile) stream(command.socket, Buffer.alloc(65_536));
      else command.reply(['!done']);
    }),
  );
  const port = createHotspotPort({ settings: peer.settings, log: silentLog, backoffMs: { first: 20, longest: 100 } });
  t.after(() => port.close());
  await assert.rejects(port.hosts(), /was dropped/);
  isHostile = false;
  await new Promise<void>(resolve => port.onConnected(resolve));
  assert.deepEqual(await port.hosts(), []);
  assert.equal(port.lastError, null);
});

test('a router that sends faster than its rows are read has to wait', async t => {
  const row = (tag: string) => sentence('!re', `=name=${'x'.repeat(60)}`, `.tag=${tag}`);
  const times = 300_000;
  const peer = await startPeer(t, command => {
    command.socket.write(Buffer.concat(Array.from({ length: times }, () => row(command.tag))));
    command.reply(['!done']);
  });
  const connector = new RouterConnector({ host: '127.0.0.1', port: peer.port, tls: null });
  t.after(() => connector.destroy());
  const connected = once(connector, 'connected');
  connector.connect();
  await connected;
  const channel = new Channel(connector);
  const length = row(channel.Id).length;
  let rows = 0;
  let most = 0;
  channel.on('data', () => {
    rows += 1;
    most = Math.max(most, connector.bytesRead - rows * length);
  });
  const done = once(channel, 'done');
  void channel.write(['/x/print'], false, false);
  await done;
  assert.equal(rows, times);
  assert.ok(most < 2 * MIB, `${most} bytes waited in memory`);
});
