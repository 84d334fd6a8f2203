/** What people type into forms: numbers in each of their spellings, and refusals that show at their field. */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import type { Page } from 'playwright-core';
import { readNumber, writeNumber } from '../../static/admin/lib/numbers.ts';
import { startApp } from '../support/app.ts';
import { closeBrowser, takeDesk } from './support/desk.ts';

after(closeBrowser);

test('a number is read in each of its spellings, by the language only where both could be meant', () => {
  const amounts: [typed: string, read: string][] = [
    ['20,000', '20000'],
    ['20.000', '20000'],
    ['20 000', '20000'],
    ['20\u00a0000', '20000'],
    ['20’000', '20000'],
    ['20,000/=', '20000'],
    ['1.000.000', '1000000'],
    ['1,00,000', '100000'],
    ['20,000.50', '20000.50'],
    ['20.000,50', '20000.50'],
    ['20 000,5', '20000.5'],
    ['٢٠٬٠٠٠', '20000'],
    ['٢٠٫٥', '20.5'],
    ['२०,०००', '20000'],
    ['.5', '0.5'],
    ['-5', '-5'],
    ['', ''],
  ];
  for (const [typed, read] of amounts) {
    for (const language of ['en', 'es', 'fr', 'sw', 'ar', 'hi']) assert.equal(readNumber(typed, 2, language), read);
  }
  for (const typed of ['cheap', '1,2,3', '20,0000', '1.000,000.5', '20 0', '5-', '2 000 00']) {
    assert.equal(readNumber(typed, 2, 'en'), typed, 'what is no number is sent as it is, and refused');
  }
  const byLanguage = (language: string) => ['1.250', '1,250', '0.125'].map(typed => readNumber(typed, 3, language));
  assert.deepEqual(byLanguage('en'), ['1.250', '1250', '0.125']);
  assert.deepEqual(byLanguage('fr'), ['1250', '1.250', '0.125']);
  for (const language of ['en', 'fr', 'pt', 'es', 'sw']) {
    for (const value of ['1.255', '20000', '0.5']) {
      assert.equal(readNumber(writeNumber(value, language), 3, language), value, 'what a field shows is read as it is');
    }
  }
});

const dialog = (page: Page) => page.getByRole('dialog');
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click();

async function answer(page: Page, fields: Record<string, string>, act: string): Promise<void> {
  for (const [name, value] of Object.entries(fields)) await dialog(page).locator(`[name="${name}"]`).fill(value);
  await dialog(page).getByRole('button', { name: act, exact: true }).click();
}

suite('fields', { concurrency: 2 }, () => {
  for (const [locale, price, hours, many] of [
    ['en-GB', 'TZS 20,000', '1.5', '1,000'],
    ['es-ES', '20.000', '1,5', '1.000'],
    ['fr-FR', '20 000,00', '1,5', '1 000'],
  ] as const) {
    test(`prices, hours, counts and cash are read as people write them in ${locale}`, async t => {
      const app = await startApp(t);
      const { page, open } = await takeDesk(t, app, { locale });
      await open('bundles');
      await press(page, 'Add bundle');
      await answer(page, { name: 'Long', price, duration_hours: hours }, 'Add bundle');
      await page.getByText('Long is added.').waitFor();
      const [bundle] = (await app.get('/api/bundles/')).body;
      assert.deepEqual([bundle.price, bundle.duration_hours], [20_000, 1.5]);
      await press(page, 'Edit Long');
      await answer(page, { name: 'Longer' }, 'Save bundle');
      await page.getByText('Longer is saved.').waitFor();
      const [kept] = (await app.get('/api/bundles/')).body;
      assert.deepEqual([kept.price, kept.duration_hours], [20_000, 1.5], 'what a field shows is what it sends');

      await open('vouchers');
      await press(page, 'Make vouchers');
      await answer(page, { quantity: many }, 'Make vouchers');
      await page.getByText('1,000 vouchers made.').waitFor();

      await open('sell');
      await page.locator('[name="opening_float"]').fill(price);
      await press(page, 'Open a shift');
      await press(page, 'Take cash out');
      await answer(page, { amount: price, reason: 'to the owner' }, 'Take out');
      await dialog(page).waitFor({ state: 'detached' });
      await press(page, 'Count and close');
      await answer(page, { counted: '0' }, 'Close shift');
      await page.getByText('It adds up.').waitFor();
      const [shift] = (await app.get('/api/admin/shifts/', app.admin)).body.shifts;
      assert.deepEqual([shift.opening_float, shift.cash_out], ['20000.00', '20000.00']);
    });
  }

  test('an emptied field is not saved as it was before: it is asked for', async t => {
    const app = await startApp(t);
    await app.createBundle({ name: 'Day', price: 1_000 });
    const { page, open } = await takeDesk(t, app);
    await open('bundles');
    await press(page, 'Edit Day');
    await answer(page, { price: '', duration_hours: ' ' }, 'Save bundle');
    for (const name of ['price', 'duration_hours']) {
      await page
        .locator(`.field:has([name="${name}"][aria-invalid="true"]) .problem`)
        .getByText('Fill this in.')
        .waitFor();
    }
    await answer(page, { price: '1.200', duration_hours: '24' }, 'Save bundle');
    await page.getByText('Day is saved.').waitFor();
    assert.equal((await app.get('/api/bundles/')).body[0].price, 1_200);
  });

  test('a filter that the server refuses is marked, with what to do', async t => {
    const app = await startApp(t);
    const { page, open } = await takeDesk(t, app);
    const marked = (name: string, words: string) =>
      page.locator(`.field:has([name="${name}"][aria-invalid="true"]) .problem`).getByText(words).waitFor();
    await open('reports?from=2026-11-20&to=2026-11-10');
    await marked('from', 'The first day must not be after the last one.');
    await page.getByRole('alert').getByText('From: The first day must not be after the last one.').waitFor();
    await open(`vouchers?tab=codes&code=${'A'.repeat(61)}`);
    await marked('code', 'Give 1 to 60 characters on one line.');
  });

  test('what is refused shows at a box to tick as well, and names a field that the form has not', async t => {
    const app = await startApp(t);
    const { page, open } = await takeDesk(t, app);
    await open('settings?tab=rules');
    const details = { sell_within_shift: ['Give true or false.'], most_sales: ['Give a number.'] };
    const message = 'Some fields need attention.';
    await page.route('**/api/admin/settings/cashiers/', route =>
      route.fulfill({ status: 400, json: { error: message, message, details } }),
    );
    const form = page.locator('form:has([name="sell_within_shift"])');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.locator('.check:has([aria-invalid="true"])').getByText('Give true or false.').waitFor();
    await form.getByRole('alert').getByText('Most sales: Give a number.').waitFor();
    assert.equal(await page.getByText(message).count(), 0);
  });
});
