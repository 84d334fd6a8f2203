import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as v from 'valibot';
import { camelCased, tellerOf } from '../../src/http/names.ts';

test('of a record only what the reply declares is told, under its name there', () => {
  const tell = tellerOf(v.object({ id: v.number(), max_devices: v.number(), device_count: v.number() }));
  const told: { id: number; max_devices: number } = tell({ id: 1, maxDevices: 2, passwordHash: 'x' });
  assert.deepEqual(told, { id: 1, max_devices: 2 });
});

test('the fields of a request have the names of the domain, and one that was not given stays away', () => {
  const given: { is_active?: boolean; router_profile?: string | null; name: string } = {
    router_profile: null,
    name: 'Day',
  };
  assert.deepEqual(camelCased(given), { routerProfile: null, name: 'Day' });
});
