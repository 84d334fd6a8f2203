import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as v from 'valibot';
import { camelCased, viewOf } from '../../src/http/names.ts';

test('a view of a record has the fields that the reply declares, under its names, and no other', () => {
  const view = viewOf(v.object({ id: v.number(), max_devices: v.number(), device_count: v.number() }));
  const shown: { id: number; max_devices: number } = view({ id: 1, maxDevices: 2, passwordHash: 'x' });
  assert.deepEqual(shown, { id: 1, max_devices: 2 });
});

test('the fields of a request have the names of the domain, and one that was not given stays away', () => {
  const given: { is_active?: boolean; router_profile?: string | null; name: string } = {
    router_profile: null,
    name: 'Day',
  };
  assert.deepEqual(camelCased(given), { routerProfile: null, name: 'Day' });
});
