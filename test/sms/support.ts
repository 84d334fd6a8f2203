/** What the SMS tests share: a driver, a local server that plays its provider, and what every driver must survive. */
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { Phone } from '../../src/domain/phone.ts';
import type { SmsAnswer, SmsProvider } from '../../src/domain/ports.ts';
import type { SmsTools } from '../../src/sms/transmit.ts';
import { type Play, type ProviderServer, recordingLog, type Scripted, startProvider } from '../payment/support.ts';

export const ASHA = '+255712345678' as Phone;
export const TEXT = 'Karibu, "Asha" & co: 100% ✓ ñ';

export interface SmsDriverUnderTest {
  name: string;
  create(apiUrl: string, tools: SmsTools): SmsProvider;
  /** The provider on a good day. */
  play: Play;
  /** Text that must never reach the log or the answer. */
  secrets: readonly string[];
}

export interface Rig {
  server: ProviderServer;
  log: ReturnType<typeof recordingLog>;
  send(text?: string): Promise<SmsAnswer>;
}

export async function startRig(t: TestContext, driver: SmsDriverUnderTest, deadlineMs = 10_000): Promise<Rig> {
  const server = await startProvider(t, driver.play);
  const log = recordingLog();
  const provider = driver.create(server.url, { log, deadlineMs });
  return { server, log, send: (text = TEXT) => provider.send({ to: ASHA, text }) };
}

/** What the provider answers, and what becomes of the message then. */
export type Case = [title: string, reply: Scripted, outcome: SmsAnswer['outcome'], words?: RegExp];

export function testAnswers(driver: SmsDriverUnderTest, cases: readonly Case[]): void {
  for (const [title, reply, outcome, words] of cases) {
    test(`${driver.name}: ${title} is ${outcome}`, async t => {
      const rig = await startRig(t, driver);
      rig.server.play = () => reply;
      const answer = await rig.send();
      assert.equal(answer.outcome, outcome, JSON.stringify(answer));
      if (words !== undefined) assert.match(answer.message ?? '', words);
      assert.equal(rig.server.requests.length, 1, 'one message, one request');
      assertQuiet(driver, rig, answer);
    });
  }
}

/** Neither log nor answer may hold a secret or a whole number. */
function assertQuiet(driver: SmsDriverUnderTest, rig: Rig, answer: SmsAnswer): void {
  const text = rig.log.text() + JSON.stringify(answer);
  for (const secret of [...driver.secrets, ASHA.slice(1)]) assert.ok(!text.includes(secret), `${secret} in ${text}`);
}

export function testFaults(driver: SmsDriverUnderTest): void {
  testAnswers(driver, [
    ['a rate limit', { status: 429, body: { message: 'Too many requests' } }, 'retry'],
    ['an answer of 500', { status: 500, body: { message: 'Oops' } }, 'uncertain', /500/],
    ['an answer of 502 in HTML', { status: 502, body: '<h1>Bad gateway</h1>' }, 'uncertain', /502/],
    ['an answer of 503', { status: 503, body: '' }, 'uncertain', /503/],
    ['a redirect', { status: 302, body: '', headers: { location: 'http://127.0.0.1:9/' } }, 'refused', /redirect/],
    ['a refusal in HTML', { status: 400, body: '<h1>No</h1>' }, 'refused'],
    ['an endless reply', { status: 200, body: 'x'.repeat(100_000) }, 'uncertain', /too long/],
  ]);

  for (const status of [401, 403]) {
    test(`${driver.name}: keys that are refused with ${status} are reported, and the message waits`, async t => {
      const rig = await startRig(t, driver);
      rig.server.play = () => ({ status, body: `The key ${driver.secrets[0]} is invalid for ${ASHA}` });
      const answer = await rig.send();
      assert.equal(answer.outcome, 'retry');
      assert.deepEqual(
        rig.log.entries.map(entry => [entry.level, entry.event]),
        [['error', 'sms.keys_refused']],
      );
      assertQuiet(driver, rig, answer);
    });
  }

  test(`${driver.name}: no reply in time is uncertain, and ends at the deadline`, async t => {
    const rig = await startRig(t, driver, 300);
    rig.server.play = () => 'hang';
    assert.deepEqual(await rig.send(), { outcome: 'uncertain', reference: null, message: 'No reply in time.' });
    assert.equal(rig.server.requests.length, 1);
  });

  test(`${driver.name}: a reply that never ends is hung up on`, async t => {
    // Long, so that what ends it is its length.
    const rig = await startRig(t, driver, 120_000);
    rig.server.play = () => 'endless';
    assert.deepEqual(await rig.send(), { outcome: 'uncertain', reference: null, message: 'The reply is too long.' });
    await rig.server.left();
  });

  test(`${driver.name}: a provider that cannot be reached was certainly not told`, async () => {
    const provider = driver.create('http://127.0.0.1:1', { log: recordingLog() });
    const answer = await provider.send({ to: ASHA, text: TEXT });
    assert.equal(answer.outcome, 'retry');
    assert.match(answer.message ?? '', /ECONNREFUSED/);
  });

  test(`${driver.name}: a connection that breaks after the request is uncertain`, async t => {
    const server = createServer(socket => socket.once('data', () => socket.destroy()));
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    t.after(() => void server.close());
    const { port } = server.address() as { port: number };
    const provider = driver.create(`http://127.0.0.1:${port}`, { log: recordingLog() });
    assert.equal((await provider.send({ to: ASHA, text: TEXT })).outcome, 'uncertain');
  });

  test(`${driver.name}: a TLS handshake that never succeeds was certainly not told`, async t => {
    const server = createServer(socket => socket.once('data', () => socket.destroy()));
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    t.after(() => void server.close());
    const { port } = server.address() as { port: number };
    const provider = driver.create(`https://127.0.0.1:${port}`, { log: recordingLog() });
    assert.equal((await provider.send({ to: ASHA, text: TEXT })).outcome, 'retry');
  });
}

/** The fields of a form body; a field that comes twice fails. */
export function formOf(body: string): Record<string, string> {
  const fields = [...new URLSearchParams(body)];
  assert.equal(new Set(fields.map(([name]) => name)).size, fields.length);
  return Object.fromEntries(fields);
}

export function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}
