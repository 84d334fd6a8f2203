/** Vouchers over the counter: sold in two taps, and counted where money is counted. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startApp } from '../support/app.ts';
import { closeBrowser, takeDesk } from './support/desk.ts';

after(closeBrowser);

test('one voucher is sold in two taps, and the report of the day has it by its own method', async t => {
  const app = await startApp(t);
  const [code] = (await app.issueVouchers({ quantity: 2 })) as [string];
  const { page, open } = await takeDesk(t, app, { size: { width: 360, height: 640 } });
  await open('sell');
  await page.getByRole('button', { name: /TZS 1,000 · 2 left/ }).click();
  await page.getByRole('button', { name: 'Sold', exact: true }).click();
  await page.getByText(code).waitFor();
  await page.getByRole('button', { name: /TZS 1,000 · 1 left/ }).waitFor();
  await open('reports?group=method');
  await page.getByRole('cell', { name: 'Vouchers' }).waitFor();
  const { rows } = (await app.get('/api/admin/reports/revenue/?group=method', app.admin)).body;
  assert.deepEqual([rows.length, rows[0].method, rows[0].net], [1, 'voucher', '1000.00']);
});

test('a reply that is lost sells one voucher, and the question that stays open shows which', async t => {
  const app = await startApp(t);
  const [code] = (await app.issueVouchers({ quantity: 2 })) as [string];
  const { page, open } = await takeDesk(t, app);
  await open('sell');
  await page.route(
    '**/api/admin/voucher-sales/',
    async route => {
      await route.fetch();
      await route.fulfill({ status: 503, body: '' });
    },
    { times: 1 },
  );
  await page.getByRole('button', { name: /TZS 1,000 · 2 left/ }).click();
  const sold = page.getByRole('button', { name: 'Sold', exact: true });
  await sold.click();
  await page.getByText('Lango answered 503.').waitFor();
  await sold.click();
  await page.getByText(code).waitFor();
  await page.getByRole('button', { name: /TZS 1,000 · 1 left/ }).waitFor();
});

test('an owner sees who sold what, and takes back what nobody used of it', async t => {
  const app = await startApp(t);
  const [code] = (await app.issueVouchers({ quantity: 3 })) as [string];
  const { body } = await app.get('/api/admin/voucher-batches/', app.admin);
  const [{ id }] = body.batches;
  await app.post('/api/admin/voucher-sales/', { batch_id: id, all: true }, app.admin);
  await app.redeem(code, '0712345678');
  const { page, open } = await takeDesk(t, app, { size: { width: 360, height: 640 } });
  await open(`batches/${id}`);
  await page.locator('.stat').getByRole('link', { name: '3' }).click();
  await page.getByRole('button', { name: 'Take back' }).click();
  const dialog = page.getByRole('dialog', { name: 'Take 2 unused vouchers back?' });
  await dialog.getByText('TZS 2,000').waitFor();
  await dialog.getByLabel('Reason').fill('They wanted phone money');
  await dialog.getByRole('button', { name: 'Take back' }).click();
  await page.getByText(/^2 by/).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Take back' }).count(), 0, 'nothing is left to take back');
  const { totals } = (await app.get('/api/admin/reports/revenue/', app.admin)).body;
  assert.deepEqual([totals.refunds, totals.net], ['2000.00', '1000.00']);
});
