/** What owners set up from the site: the words of messages, limits, and the router; and what it shows without the stream. */
import assert from 'node:assert/strict';
import { after, suite, type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type AppOptions, startApp, type TestApp, until } from '../support/app.ts';
import { hire, STAFF_PASSWORD } from '../support/staff.ts';
import {
  answer,
  closeBrowser,
  DESK,
  type DeskOptions,
  look,
  PHONE,
  press,
  says,
  settled,
  takeDesk,
} from './support/desk.ts';
import { startShop } from './support/shop.ts';

after(closeBrowser);

const VIEWS = [
  { size: DESK, scheme: 'light' },
  { size: PHONE, scheme: 'dark' },
] as const;
/** A router that a portal could be reached from, and that has nothing of what Lango needs yet. */
const BARE_ROUTER: AppOptions = {
  router: true,
  environment: { LANGO_BASE_URL: 'http://10.5.0.2:8080', LANGO_ROUTER_PROFILE: 'guests' },
};

interface At {
  app: TestApp;
  page: Page;
}

async function desk(t: TestContext, hash: string, options: DeskOptions, appliance: AppOptions = {}): Promise<At> {
  const app = await startApp(t, appliance);
  const { page, open } = await takeDesk(t, app, options);
  await open(hash);
  return { app, page };
}

const row = (page: Page, words: string) => page.locator('tbody tr').filter({ hasText: words });
const typed = (page: Page, name: string, value: string) => page.locator(`main [name="${name}"]`).fill(value);

async function paste(page: Page): Promise<string> {
  await page.evaluate("document.body.insertAdjacentHTML('beforeend', '<textarea id=pasted></textarea>')");
  await page.locator('#pasted').focus();
  await page.keyboard.press('Control+V');
  const text = await page.locator('#pasted').inputValue();
  await page.evaluate("document.querySelector('#pasted').remove()");
  return text;
}

// Each has an appliance and a browser window of its own, and most of them wait for something.
suite('setting up from the site', { concurrency: 2 }, () => {
  for (const view of VIEWS) {
    const width = view.size.width;

    test(`a message gets words of one's own, in its language, refused where it cannot be sent, at ${width} px`, async t => {
      const { app, page } = await desk(t, 'settings?tab=messages', view);
      const change = { language: 'sw', kind: 'access_ending' };
      const own = async () => {
        const { settings } = (await app.get('/api/admin/settings/', app.admin)).body;
        const isIt = (text: typeof change) => text.language === change.language && text.kind === change.kind;
        return settings.messages.find(isIt).own;
      };
      await row(page, 'Access ending').getByText('Your internet ends at 2026-11-21 18:20.').waitFor();
      await look(page, 'settings-messages', view);
      await page.getByLabel('Language').selectOption('sw');
      await row(page, 'Jiunge na Wi-Fi, fungua ukurasa wetu kuongeza muda.').getByText('Built in').waitFor();
      await press(page, 'Change Access ending');
      await page.getByLabel('Your own words').fill('Karibu tena, {amount}');
      await answer(page, 'Save');
      await says(page, 'In braces, this message knows only {until}.');
      await page.locator('textarea[name="text"]:focus').waitFor();
      await look(page, 'settings-message-problem', view);
      await page.getByLabel('Your own words').fill(`Karibu tena! <img src=x onerror="hacked=1"> {until}`);
      await answer(page, 'Save');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await row(page, 'Access ending').getByText('Your own', { exact: true }).waitFor();
      await row(page, 'Karibu tena! <img src=x onerror="hacked=1"> 2026-11-21 18:20').waitFor();
      assert.equal(await page.evaluate('window.hacked'), undefined);
      assert.match(await own(), /^Karibu tena!/);
      await look(page, 'settings-messages-own', view);

      await press(page, 'Change Access ending');
      await page.getByLabel('Your own words').fill('');
      await answer(page, 'Save');
      await row(page, 'Access ending').getByText('Built in').waitFor();
      assert.equal(await own(), null);
    });

    test(`limits hold once saved; a wrong one is named; an empty one is as configured, at ${width} px`, async t => {
      const { app, page } = await desk(t, 'settings', view, { environment: { LANGO_DEFAULT_MAX_DEVICES: '2' } });
      const limits = async () => (await app.get('/api/admin/settings/', app.admin)).body.settings.limits;
      await page.getByRole('tab', { name: 'Limits' }).click();
      await typed(page, 'default_max_devices', '3');
      await typed(page, 'sms_per_day', 'many');
      await press(page, 'Save');
      await page.locator('.field:has([name="sms_per_day"]) .problem').waitFor();
      await look(page, 'settings-limits-problem', view);
      assert.equal((await limits()).default_max_devices, 2);
      await typed(page, 'sms_per_day', '250');
      await press(page, 'Save');
      await says(page, 'These limits hold from now on.');
      assert.deepEqual([(await limits()).default_max_devices, (await limits()).sms_per_day], [3, 250]);
      await look(page, 'settings-limits', view);
      await page.reload();
      await typed(page, 'default_max_devices', '');
      await press(page, 'Save');
      await says(page, 'These limits hold from now on.');
      await until(async () => (await page.locator('[name="default_max_devices"]').inputValue()) === '2');
      assert.deepEqual([(await limits()).default_max_devices, (await limits()).sms_per_day], [2, 250]);
    });

    test(`the rules for phones and cashiers are the owner's, and hold once saved, at ${width} px`, async t => {
      const { app, page } = await desk(t, 'settings?tab=rules', view);
      const told = async () => (await app.get('/api/admin/settings/', app.admin)).body.settings;
      await look(page, 'settings-rules', view);
      await page.getByLabel('To take another phone’s place').selectOption('when_away');
      await page.getByLabel('To join where there is room').selectOption('with_proof');
      await press(page, 'Save');
      await says(page, 'This holds from now on.');
      assert.deepEqual((await told()).devices, { device_swap: 'when_away', new_devices: 'with_proof' });
      await page.getByLabel('Sell only within an open shift').uncheck();
      await typed(page, 'vouchers_per_day', 'many');
      await page.getByRole('button', { name: 'Save', exact: true }).last().click();
      await page.locator('.field:has([name="vouchers_per_day"]) .problem').waitFor();
      await look(page, 'settings-rules-problem', view);
      await typed(page, 'vouchers_per_day', '40');
      await page.getByRole('button', { name: 'Save', exact: true }).last().click();
      await says(page, 'Cashiers are held to this from now on.');
      assert.deepEqual((await told()).cashiers, { sell_within_shift: false, vouchers_per_day: 40 });
      await page.reload();
      await settled(page);
      assert.equal(await page.locator('[name="device_swap"]').inputValue(), 'when_away');
      assert.equal(await page.getByLabel('Sell only within an open shift').isChecked(), false);
    });

    test(`the router's set-up plan is applied once it is confirmed, refusals and all, at ${width} px`, async t => {
      const { app, page } = await desk(t, 'router?tab=plan', view, BARE_ROUTER);
      const plan = async () => (await app.get('/api/admin/router/plan/', app.admin)).body;
      const { steps } = await plan();
      assert.ok(steps.length > 1);
      for (const { what, why, command } of steps) for (const words of [what, why, command]) await says(page, words);
      await look(page, 'router-plan', view);

      await press(page, 'Apply');
      await look(page, 'router-plan-question', view);
      await answer(page, 'Cancel');
      assert.equal((await plan()).steps.length, steps.length, 'nothing was changed');
      await press(page, 'Apply');
      app.router.knobs.readOnly = true;
      await answer(page, 'Change the router');
      await says(page, `The router refused ${steps.length} of ${steps.length} changes.`);
      assert.equal(await page.getByText('The router says: not enough permissions').count(), steps.length);
      await look(page, 'router-plan-refused', view);

      app.router.knobs.readOnly = false;
      await press(page, 'Apply');
      await answer(page, 'Change the router');
      // Those, and then the line to it is encrypted.
      await says(page, `The router took ${steps.length + 1} changes.`);
      await says(page, 'The router needs no change.');
      assert.deepEqual((await plan()).steps, []);
      await look(page, 'router-plan-applied', view);
    });
  }

  // One test: the clipboard is the whole browser's.
  test('commands are copied, over HTTPS as over plain HTTP, where browsers offer no clipboard', async t => {
    const { app, page } = await desk(t, 'router?tab=plan', {}, BARE_ROUTER);
    const { steps } = (await app.get('/api/admin/router/plan/', app.admin)).body;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    for (const offer of ['navigator.clipboard', 'undefined']) {
      await page.evaluate(`Object.defineProperty(navigator, 'clipboard', { value: ${offer}, configurable: true })`);
      await press(page, 'Copy command 2');
      await says(page, 'Copied: command 2.');
      assert.equal(await paste(page), steps[1].command, offer);
      await press(page, 'Copy all commands');
      await says(page, 'Copied: all commands.');
      assert.equal(await paste(page), steps.map(({ command }: { command: string }) => command).join('\n'), offer);
      await page
        .getByText(/^Copied/)
        .first()
        .waitFor({ state: 'detached' });
    }
  });

  test('a router that is away is said to be so, and looked at again', async t => {
    const { app, page } = await desk(t, 'router?tab=plan', {}, BARE_ROUTER);
    await app.router.stopListening();
    app.router.dropConnections();
    await press(page, 'Look at the router again');
    await page.getByRole('alert').waitFor();
    await app.router.startListening();
    await press(page, 'Try again');
    await says(page, 'To be changed on the router');
  });

  test('the settings page says whether the payment key works', async t => {
    const { app, page } = await desk(t, 'settings', {});
    await press(page, 'Check the payment key');
    await says(page, 'sandbox answers and accepts the keys.');
    app.sandbox!.faults.down = true;
    await press(page, 'Check the payment key');
    await says(page, 'sandbox cannot be used now');
  });

  test('who is no owner is offered neither the plan nor the settings', async t => {
    const app = await startApp(t, { router: true });
    const { username } = await hire(app, 'staff');
    const { page, open } = await takeDesk(t, app, { login: { username, password: STAFF_PASSWORD } });
    await open('router?tab=plan');
    await page.getByRole('tab', { name: 'Profiles' }).waitFor();
    assert.equal(await page.getByRole('tab', { name: 'Set-up plan' }).count(), 0);
    assert.equal(await page.getByRole('link', { name: 'Settings' }).count(), 0);
  });

  test('without the stream, the page still tells who is online and what is wrong', async t => {
    const app = await startShop(t);
    const { page, open } = await takeDesk(t, app);
    await page.route('**/api/admin/events/', route => route.fulfill({ status: 503, json: {} }));
    app.clock.jump(30 * 24 * 3_600_000);
    await open('dashboard');
    await page.locator('.pulse').getByText('Every 10 seconds').first().waitFor();
    await says(page, 'The clock jumped');
    const { status } = (await app.get('/api/admin/status/', app.admin)).body;
    assert.ok(status.online > 0);
    assert.equal(
      await page.getByRole('link', { name: 'Online now' }).locator('.nav-count').textContent(),
      `${status.online}`,
    );
  });
});
