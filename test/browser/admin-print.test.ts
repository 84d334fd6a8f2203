/** Vouchers on paper, read back from the PDF that Chromium prints: every code as text, every QR code by a decoder. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { startApp } from '../support/app.ts';
import { hire } from '../support/staff.ts';
import { closeBrowser, takeDesk } from './support/desk.ts';

/** Its types describe a module of the other kind. */
type Decode = (data: Uint8ClampedArray, width: number, height: number) => { data: string } | null;
const decode: Decode = createRequire(import.meta.url)('jsqr');

const OUT = join(import.meta.dirname, '../../build/out/screens/admin');
const DPI = 300;
const PORTAL = 'http://wifi.bahari.example';
const CODE = /[2-9A-HJ-NP-Z]{4}(?:-[2-9A-HJ-NP-Z]{4}){2}/g;
mkdirSync(OUT, { recursive: true });

after(closeBrowser);

interface Picture {
  width: number;
  height: number;
  /** One byte a point. */
  grey: Buffer;
}

interface Printed {
  codes: string[];
  pages: Picture[];
}

async function printed(
  t: TestContext,
  paper: 'a4' | 'receipt',
  quantity: number,
): Promise<Printed & { made: string[] }> {
  const app = await startApp(t, { environment: { LANGO_BASE_URL: PORTAL } });
  const branding = { business_name: 'Bahari View Guest House and Café', primary_color: '#000000' };
  const known = { network_name: 'Bahari-WiFi', support_phone: '0755 000 000' };
  await app.post('/api/admin/settings/branding/', { ...branding, ...known }, app.admin);
  const made = await app.issueVouchers({ quantity, hours: 24 });
  const ids = (await app.get('/api/admin/voucher-batches/1/codes/', app.admin)).body.vouchers.map(
    ({ id }: { id: number }) => `No. ${id}`,
  );
  const { page, open } = await takeDesk(t, app);
  await open(`print/1?paper=${paper}`);
  await page.getByRole('button', { name: `Print ${quantity} vouchers` }).waitFor();
  const pdf = join(OUT, `vouchers-${paper}.pdf`);
  await page.pdf({ path: pdf, preferCSSPageSize: true });

  const folder = mkdtempSync(join(tmpdir(), 'lango-print-'));
  t.after(() => rmSync(folder, { recursive: true }));
  execFileSync('pdftoppm', ['-gray', '-r', String(DPI), pdf, join(folder, 'page')]);
  const files = readdirSync(folder).toSorted();
  const text = execFileSync('pdftotext', ['-layout', pdf, '-'], { encoding: 'utf8' });
  assert.match(text, /Gives internet for/);
  assert.match(text, /Use the code before/);
  for (const words of [/Price: TZS 1,000/g, /Wi-Fi: Bahari-WiFi/g, /Help: 0755 000 000/g]) {
    assert.equal(text.match(words)?.length, quantity, `${words} on each`);
  }
  const serials = text.match(/No\. \d+/g) ?? [];
  assert.deepEqual(serials.toSorted(), ids.toSorted());
  return {
    made: made.toSorted(),
    codes: (text.match(CODE) ?? []).toSorted(),
    pages: files.map(file => readPgm(join(folder, file))),
  };
}

/** Portable grey map, binary: a header of three numbers, then the points. */
function readPgm(path: string): Picture {
  const bytes = readFileSync(path);
  const [header = '', width, height] =
    /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(bytes.subarray(0, 60).toString('latin1')) ?? [];
  return { width: Number(width), height: Number(height), grey: bytes.subarray(header.length) };
}

const points = (millimetres: number) => Math.round((millimetres / 25.4) * DPI);

/** What the QR code in that part of the page says; lengths in millimetres. */
function read(page: Picture, part: { x: number; y: number; width: number; height: number }): string | null {
  const [x, y, width, height] = [part.x, part.y, part.width, part.height].map(points) as [
    number,
    number,
    number,
    number,
  ];
  const colours = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      const point = page.grey[(y + row) * page.width + x + column] ?? 255;
      colours.fill(point, (row * width + column) * 4, (row * width + column) * 4 + 3);
    }
  }
  return decode(colours, width, height)?.data ?? null;
}

const addresses = (codes: readonly string[]) => codes.map(code => `${PORTAL}/?code=${code}`);

test('a hundred vouchers on A4: a hundred codes, and a hundred QR codes that open the portal with them', async t => {
  const { made, codes, pages } = await printed(t, 'a4', 100);
  assert.deepEqual(codes, made);
  assert.equal(pages.length, 5);
  const cell = { width: 63.3, height: 34.5 };
  const found: string[] = [];
  for (const page of pages) {
    assert.deepEqual(
      [page.width, page.height].map(size => Math.round((size / DPI) * 25.4)),
      [210, 297],
    );
    for (let row = 0; row < 8; row += 1) {
      for (let column = 0; column < 3; column += 1) {
        const text = read(page, { x: 10 + column * cell.width, y: 10 + row * cell.height, width: 28, height: 27 });
        if (text !== null) found.push(text);
      }
    }
  }
  assert.deepEqual(found.toSorted(), addresses(made));
});

test('receipts of 58 mm: one voucher a page, each QR code opens the portal with its code', async t => {
  const { made, codes, pages } = await printed(t, 'receipt', 5);
  assert.deepEqual(codes, made);
  const found = pages.map(page => read(page, { x: 0, y: 0, width: 58, height: 60 }) ?? '');
  assert.deepEqual(found.toSorted(), addresses(made));
  assert.equal(Math.round(((pages[0]?.width ?? 0) / DPI) * 25.4), 58);
});

const LONG_NOTE = 'I think I gave change for 1,000 twice when the queue was long';

test('a receipt and the slip of a shift are 58 mm wide, and say on which day they were made', async t => {
  const app = await startApp(t);
  const bundle = await app.createBundle({ name: 'Day pass', price: 1_500, hours: 24 });
  const { headers } = await hire(app, 'cashier');
  await app.post('/api/admin/shifts/open/', { opening_float: 0 }, headers);
  const sale = { phone_number: '+255712345678', bundle_id: bundle.id };
  const { body: sold } = await app.post('/api/admin/sales/', sale, headers);
  const { body: mistaken } = await app.post('/api/admin/sales/', sale, headers);
  const refund = { reason: 'sold twice', from_drawer: true };
  await app.post(`/api/admin/payments/${mistaken.payment.id}/refund/`, refund, app.admin);
  await app.post('/api/admin/shifts/close/', { counted: 1_400, note: LONG_NOTE }, headers);
  const { page, open } = await takeDesk(t, app);
  const onPaper = async (hash: string, button: string) => {
    await open(hash);
    await page.getByRole('button', { name: button }).waitFor();
    const pdf = join(OUT, `${hash.replace('/', '-')}.pdf`);
    await page.pdf({ path: pdf, preferCSSPageSize: true });
    const [width] = /(?<=Page size: +)[\d.]+/.exec(execFileSync('pdfinfo', [pdf], { encoding: 'utf8' })) ?? [];
    assert.equal(Math.round((Number(width) / 72) * 25.4), 58);
    return execFileSync('pdftotext', ['-layout', pdf, '-'], { encoding: 'utf8' }).replaceAll(/\s+/g, ' ');
  };
  const receipt = await onPaper(`receipts/${sold.payment.id}`, 'Print the receipt');
  assert.match(receipt, /Receipt R00001 When 21 Nov 2026, 13:00 .*Paid TZS 1,500 .*What to do now: join the Wi-Fi/);
  const slip = await onPaper('shifts/1', 'Print the slip');
  assert.match(slip, /Shift 1 .*Closed 21 Nov 2026, 13:00 .*Difference TZS -100 .*Signed/);
  assert.match(slip, /Sold for cash \(2\) TZS 3,000 Given back \(1\) TZS 1,500 Should be there TZS 1,500/);
  assert.match(slip, /\bNote\b/);
});
