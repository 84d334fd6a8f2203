/** The script that sets a router up, run by the simulated router's own console. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { RouterSettings } from '../../src/domain/ports.ts';
import { isReady, notesOf, type RouterNeeds, routerNeeds } from '../../src/domain/provisioning.ts';
import { loginPage } from '../../src/router/provisioning/login-page.ts';
import { createProvisioner } from '../../src/router/provisioning/provisioner.ts';
import { provisioningScript } from '../../src/router/provisioning/script.ts';
import { runScript } from '../simulator/console.ts';
import { type RouterSimulator, type RouterSimulatorOptions, startRouterSimulator } from '../simulator/router.ts';
import { configuration, PORTAL, settingsOf } from './support/provisioning.ts';

const PASSWORD = 'a "b" \\ $c ? é';

async function start(t: TestContext, options: RouterSimulatorOptions = {}): Promise<RouterSimulator> {
  const router = await startRouterSimulator({ username: 'admin', ...options });
  t.after(() => router.stop());
  return router;
}

function scriptFor(needs: RouterNeeds, settings: RouterSettings | null): string {
  assert.ok(needs.portal);
  return provisioningScript({ ...needs, portal: needs.portal }, settings);
}

const find = (router: RouterSimulator, menu: string, name: string) =>
  router.table(menu).find(row => row['name'] === name);

for (const version of ['6.43.16', '6.49.18', '7.9', '7.16', '7.19.4', '7.24']) {
  test(`on RouterOS ${version} the script sets a new router up, once, and Lango takes it back`, async t => {
    const router = await start(t, { blank: true, version });
    const before = configuration(router);
    const settings = settingsOf(router.port, { password: PASSWORD });
    const needs = routerNeeds(PORTAL, ['checkout.pay.example', '*.cdn.example'], settings, 'guests');
    const script = scriptFor(needs, settings);
    assert.match(script, /^[\n -~]*$/);
    const said: string[] = [];
    runScript(router, script, line => said.push(line));
    if (version.startsWith('6.')) {
      assert.match(
        said.join('\n'),
        /makes no files by command\. Save by hand, as the README says: hotspot\/login\.html/,
      );
      router.run('/file/add', { name: 'hotspot/login.html', contents: loginPage(needs.portal!) });
    }
    const fingerprint = find(router, '/certificate', 'lango-api')?.['fingerprint'];
    assert.ok(fingerprint);
    assert.match(said.join('\n'), new RegExp(`fingerprint of the router's certificate: ${fingerprint}`));

    const done = configuration(router);
    runScript(router, script);
    assert.deepEqual(configuration(router), done, 'the second run changes nothing');

    const provisioner = createProvisioner({ settings: () => settings, needs: () => needs });
    const plan = await provisioner.plan();
    assert.ok(isReady(plan), JSON.stringify(plan));
    assert.match(notesOf(plan, true).join('\n'), new RegExp(`LANGO_ROUTER_SSL_FINGERPRINT=${fingerprint}`));

    await provisioner.remove(({ what, refusal }) => assert.equal(refusal, null, what));
    router.run('/user/remove', { numbers: 'lango' });
    router.run('/user/group/remove', { numbers: 'lango' });
    assert.deepEqual(configuration(router), before);
  });
}

test('the script makes an account for the appliance alone, with the password as it is', async t => {
  const router = await start(t);
  const settings = settingsOf(router.port, { password: PASSWORD });
  runScript(router, scriptFor(routerNeeds(PORTAL, [], settings), settings));
  const account = find(router, '/user', 'lango');
  assert.deepEqual([account?.['group'], account?.['address']], ['lango', '10.5.0.2/32']);
  await createProvisioner({ settings: () => settings, needs: () => routerNeeds(PORTAL, [], settings) }).plan();
});

test('a hotspot that is there is completed, and the rest of the router is left alone', async t => {
  const router = await start(t);
  router.run('/ip/hotspot/profile/set', { numbers: 'hsprof1', 'html-directory': 'flash/hotspot' });
  router.run('/ip/arp/add', { address: '10.5.0.2', 'mac-address': '52:54:00:12:34:56', interface: 'bridge' });
  router.run('/file/add', { name: 'flash/hotspot/login.html', contents: 'theirs' });
  router.run('/ip/firewall/filter/add', { chain: 'input', action: 'drop', 'in-interface-list': '!LAN' });
  const settings = settingsOf(router.port, { password: PASSWORD });
  const needs = routerNeeds(PORTAL, [], settings, 'guests');
  runScript(router, scriptFor(needs, settings));
  assert.deepEqual(router.table('/interface/bridge'), []);
  assert.equal(router.table('/ip/hotspot').length, 1);
  assert.equal(find(router, '/file', 'flash/hotspot/login-before-lango.html')?.['contents'], 'theirs');
  assert.equal(find(router, '/file', 'flash/hotspot/login.html')?.['contents'], loginPage(needs.portal!));
  assert.deepEqual(
    router.table('/ip/hotspot/ip-binding').map(row => row['mac-address']),
    [undefined, '52:54:00:12:34:56'],
  );
  assert.deepEqual(
    router.table('/ip/firewall/filter').map(row => row['comment']),
    ['lango:api 10.5.0.2', undefined],
  );
});

test('an interface with an address of its own is left to the operator', async t => {
  const router = await start(t, { blank: true });
  router.run('/ip/address/add', { address: '192.168.88.1/24', interface: 'bridge' });
  const settings = settingsOf(router.port, { password: PASSWORD });
  const needs = routerNeeds(PORTAL, [], settings, 'bridge');
  const said: string[] = [];
  runScript(router, scriptFor(needs, settings), line => said.push(line));
  assert.match(said.join('\n'), /Lango leaves bridge alone, which has an address/);
  assert.deepEqual([router.table('/ip/hotspot'), router.table('/ip/pool')], [[], []]);
  const provisioner = createProvisioner({ settings: () => settings, needs: () => needs });
  assert.match((await provisioner.plan()).missing.join('\n'), /"bridge" has the address 192\.168\.88\.1\/24 already/);
});

for (const version of ['7.16', '7.19.4', '7.24']) {
  test(`on RouterOS ${version} a service that was off is opened to the appliance alone, with a word about it`, async t => {
    const router = await start(t, { version });
    const api = router.table('/ip/service').find(row => row['name'] === 'api' && row['dynamic'] !== 'true');
    router.run('/ip/service/disable', { '.id': api!['.id']! });
    const before = configuration(router);
    const settings = settingsOf(router.port, { password: PASSWORD });
    const said: string[] = [];
    runScript(router, scriptFor(routerNeeds(PORTAL, [], settings), settings), line => said.push(line));
    const limit = version === '7.24' ? 'available-from' : 'address';
    const opened = router.table('/ip/service').find(row => row['.id'] === api!['.id']);
    assert.deepEqual([opened?.['disabled'], opened?.[limit]], ['false', '10.5.0.2/32']);
    assert.match(said.join('\n'), /The service api is open to 10\.5\.0\.2 alone: other tools/);
    const provisioner = createProvisioner({ settings: () => settings, needs: () => routerNeeds(PORTAL, [], settings) });
    const taken: string[] = [];
    await provisioner.remove(({ what, refusal }) => {
      assert.equal(refusal, null, what);
      taken.push(what);
    });
    assert.match(taken.at(-1) ?? '', /service set \[find name="api"\]/, 'its own line is the last that goes');
    assert.deepEqual(configuration(router)['/ip/service'], before['/ip/service']);
  });
}

test('the script without a router makes no account; of a named hotspot it changes only that one', () => {
  const needs = routerNeeds('https://wifi.example', [], null);
  const script = scriptFor(needs, null);
  assert.doesNotMatch(script, /\/user |service|type=bypassed/);
  assert.match(script, /:foreach server in=\[\/ip hotspot find\] do=\{/);
  const named = scriptFor({ ...needs, hotspot: 'ca"fé' }, null);
  assert.match(named, /:foreach server in=\[\/ip hotspot find where name="ca\\"f\\C3\\A9"\] do=\{/);
});
