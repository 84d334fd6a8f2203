/** A long list, long names and high prices: nothing breaks, and paying stays in sight. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { PORTAL, startAppliance } from './support/appliance.ts';
import { closeBrowser, takePhone } from './support/phone.ts';

const SCREENS = join(import.meta.dirname, '../../build/out/screens/portal');
mkdirSync(SCREENS, { recursive: true });

after(closeBrowser);

const LONG = 'Wochenendfamilienkomfortpauschalangebot'.repeat(2);
const BUNDLES = Array.from({ length: 12 }, (_, n) => ({
  id: n + 1,
  name: n === 1 ? LONG : `Bundle ${n + 1}`,
  description:
    n === 2 ? 'For everybody who stays with us for longer than they had planned to, with all they brought' : '',
  price: n === 3 ? 123_456_789.05 : 500 * (n + 1),
  duration_hours: n + 1,
  is_active: true,
}));

async function openPrices(t: TestContext, width: number, query = ''): Promise<Page> {
  const portal = { ...PORTAL, business_name: `${LONG} & Söhne`, currency: 'KES' };
  const appliance = await startAppliance(t, { bundles: BUNDLES, portal });
  const { page } = await takePhone(t, [appliance.origin], { slowdown: 1, width, height: 640 });
  await page.goto(`${appliance.origin}/?mac=A4:11:22:33:44:55${query}`);
  return page;
}

for (const width of [320, 360]) {
  for (const query of ['', '&lang=ar']) {
    test(`at ${width} px${query} long names and prices break into lines, inside their cards`, async t => {
      const page = await openPrices(t, width, query);
      await page.screenshot({ path: join(SCREENS, `many-${width}${query}.png`), fullPage: true });
      assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0);
      const cut = await page.evaluate(
        "[...document.querySelectorAll('.bundle, .bundle *')].filter(part => part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 0).map(part => part.outerHTML)",
      );
      assert.deepEqual(cut, []);
    });
  }
}

test('with 12 bundles the pay button is in sight from the first to the last, and covers no field', async t => {
  const page = await openPrices(t, 360);
  const inSight = () =>
    page.evaluate<boolean>(
      "(({ top, bottom }) => top >= 0 && bottom <= innerHeight)(document.getElementById('pay').getBoundingClientRect())",
    );
  assert.ok(await inSight(), 'before anything is scrolled');
  for (const radio of [page.getByRole('radio').first(), page.getByRole('radio').last()]) {
    await radio.scrollIntoViewIfNeeded();
    await radio.tap();
    assert.ok(await inSight());
  }
  await page.locator('#pay').tap();
  const [field, button] = [await page.locator('#pay-phone').boundingBox(), await page.locator('#pay').boundingBox()];
  assert.ok(await page.locator('#pay-phone:focus').isVisible(), 'the number is what is missing');
  assert.ok((field?.y ?? 0) + (field?.height ?? 0) <= (button?.y ?? 0), 'the button covers the field');
});

test('a price is said to be for two hours in the Arabic dual', async t => {
  const page = await openPrices(t, 360, '&lang=ar');
  await page.getByRole('radio', { name: 'ساعتان' }).waitFor();
});
