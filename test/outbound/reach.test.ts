import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reachOf } from '../../src/outbound/reach.ts';

for (const [reach, hosts] of [
  ['this machine', ['localhost', 'box.localhost', '127.0.0.1', '[::1]', '0.0.0.0']],
  [
    'our network',
    [
      '10.5.50.2',
      '192.168.1.2',
      '172.16.0.1',
      '172.31.0.1',
      '169.254.1.1',
      '100.64.0.1',
      'box',
      'box.lan',
      '[fd00::1]',
    ],
  ],
  ['anywhere', ['wifi.example.com', '203.0.113.7', '172.32.0.1', '100.128.0.1', '[2001:db8::1]', '11.0.0.1']],
] as const) {
  test(`${reach} is all that reaches ${hosts.join(', ')}`, () => {
    for (const host of hosts) assert.equal(reachOf(`http://${host}:8080/x`), reach, host);
  });
}
