import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';

import { createClientAddress } from '../../src/http/client-address.ts';
import type { Api } from '../../src/http/route.ts';
import { OPEN, serve } from './support.ts';

const whoami = (api: Api) => api.handle({ ...OPEN, method: 'GET', path: '/whoami/' }, ({ clientIp }) => clientIp);

function asked(peer: string, forwarded?: string): IncomingMessage {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  return { socket: { remoteAddress: peer }, headers } as unknown as IncomingMessage;
}

test('X-Forwarded-For from a stranger is ignored', async t => {
  const { url } = await serve(t, whoami, { trustedProxies: ['10.0.0.0/8'] });
  const reply = await fetch(`${url}/api/whoami/`, { headers: { 'x-forwarded-for': '1.2.3.4' } });
  assert.equal(await reply.json(), '127.0.0.1');
});

test('behind a trusted proxy the rightmost untrusted entry is the client, whatever stands left of it', async t => {
  const { url } = await serve(t, whoami, { trustedProxies: ['127.0.0.1', '10.0.0.0/8', '2001:db8::/32'] });
  const cases: [forwarded: string, client: string][] = [
    ['1.2.3.4', '1.2.3.4'],
    ['9.9.9.9, 1.2.3.4', '1.2.3.4'],
    ['9.9.9.9, 1.2.3.4, 10.1.1.1', '1.2.3.4'],
    ['9.9.9.9,1.2.3.4,2001:db8::7 , 10.1.1.1', '1.2.3.4'],
    ['10.2.2.2, 10.1.1.1', '10.2.2.2'],
    ['1.2.3.4, nonsense', '127.0.0.1'],
    ['1.2.3.4, nonsense, 10.1.1.1', '10.1.1.1'],
    ['1.2.3.4:5678', '1.2.3.4'],
    ['[2A00::1]:443', '2a00::1'],
    ['::ffff:1.2.3.4', '1.2.3.4'],
    [', ,', '127.0.0.1'],
    ['', '127.0.0.1'],
  ];
  for (const [forwarded, client] of cases) {
    const reply = await fetch(`${url}/api/whoami/`, { headers: { 'x-forwarded-for': forwarded } });
    assert.equal(await reply.json(), client, forwarded);
  }
});

test('an IPv4 peer on a dual-stack socket has its IPv4 address, and is matched by IPv4 ranges', () => {
  const address = createClientAddress(['192.0.2.0/24']);
  assert.equal(address(asked('::ffff:198.51.100.7')), '198.51.100.7');
  assert.equal(address(asked('::ffff:192.0.2.1', '203.0.113.9')), '203.0.113.9');
  assert.equal(address(asked('fe80::1%eth0')), 'fe80::1');
});

test('a trusted proxy that is no address ends the start', () => {
  for (const bad of ['proxy.example', '10.0.0.0/33', '', '10.0.0']) {
    assert.throws(() => createClientAddress([bad]), /neither an address nor a CIDR/, bad);
  }
});
