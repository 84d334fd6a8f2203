/** Somebody on the way through the pages: what it costs them is counted, and no page on the way may be a dead end. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Locator, Page } from 'playwright-core';

/** Taps; fields typed into or chosen from. */
export type Costs = readonly [taps: number, entries: number];

export interface Walk {
  page: Page;
  /** Waits for words on the page, which then has to have a way on. */
  sees(words: string | RegExp): Promise<void>;
  /** @param what a button in front by what it says, or anything else; `then`: what the page says after it */
  press(what: string | Locator, then: string | RegExp): Promise<void>;
  /** @param field by its label, in front */
  type(field: string | Locator, text: string): Promise<void>;
  choose(label: string, option: string): Promise<void>;
  /** Tells what it cost, seconds too; only these depend on the machine. */
  assertCosts(expected: Costs): void;
}

/** @param look at each page that is come to */
export function takeWalk(t: TestContext, page: Page, look: () => Promise<void> = async () => {}): Walk {
  const start = performance.now();
  let taps = 0;
  let entries = 0;
  const waysOn = 'a[href], button:enabled, [type="search"]';
  /** The dialog that is open, else the page. */
  const front = () => page.locator('dialog[open], main').last();
  const sees: Walk['sees'] = async words => {
    await page.getByText(words).filter({ visible: true }).first().waitFor();
    await front().locator(waysOn).filter({ visible: true }).first().waitFor();
    await look();
  };
  const enter = (field: string | Locator): Locator => {
    entries += 1;
    return typeof field === 'string' ? front().getByLabel(field) : field;
  };
  return {
    page,
    sees,
    async press(what, then) {
      taps += 1;
      const named = (name: string) => front().getByRole('button', { name, exact: true }).first();
      await (typeof what === 'string' ? named(what) : what).click();
      await sees(then);
    },
    type: (field, text) => enter(field).fill(text),
    choose: async (label, option) => void (await enter(label).selectOption({ label: option })),
    assertCosts(expected) {
      const seconds = ((performance.now() - start) / 1_000).toFixed(1);
      t.diagnostic(`journey: ${t.name}: ${taps} taps, ${entries} entries, ${seconds} s`);
      assert.deepEqual([taps, entries], expected, 'taps, entries');
    },
  };
}
