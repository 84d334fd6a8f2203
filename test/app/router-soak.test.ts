/**
 * Hours on a site with three routers, on the whole appliance: people come, pay, walk and go, routers restart, fall silent
 * and lose connections. `scripts/soak-tests routers` lives through ten hours with 2,000 people.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { liveThrough } from '../support/crowd.ts';
import { MOST_PAID_OFFLINE, MOST_UNPAID_ONLINE } from '../support/crowd-oracle.ts';
import { startSite } from '../support/site.ts';

const { SOAK_PEOPLE, SOAK_HOURS, SOAK_SEED } = process.env;
const PEOPLE = Number(SOAK_PEOPLE ?? 60);
const HOURS = Number(SOAK_HOURS ?? 1);
const SEED = Number(SOAK_SEED ?? 13);

test('who has paid is online and nobody else, whatever routers and people do', async t => {
  t.diagnostic(`${PEOPLE} people, ${HOURS} hours, seed ${SEED}`);
  const began = performance.now();
  const site = await startSite(t, [
    { loginBy: 'mac-cookie,cookie,http-chap' },
    { loginBy: 'mac-cookie,cookie,http-chap', limitReachesSession: true, userUptime: 'live' },
    { apiLoginMakesCookie: false, version: '6.49' },
  ]);
  const { paidOffline, unpaidOnline, offences, ...counts } = await liveThrough(site, {
    people: PEOPLE,
    seconds: HOURS * 3_600,
    bundleSeconds: HOURS > 1 ? [3_600, 10_800] : [600, 1_500],
    seed: SEED,
  });
  t.diagnostic(`${JSON.stringify(counts)} in ${Math.round((performance.now() - began) / 60_000)} min`);
  t.diagnostic(`at worst ${paidOffline} s paid and offline, ${unpaidOnline} s online and unpaid`);
  assert.deepEqual(offences, [], `with seed ${SEED}`);
  assert.ok(paidOffline <= MOST_PAID_OFFLINE && unpaidOnline <= MOST_UNPAID_ONLINE);
});
