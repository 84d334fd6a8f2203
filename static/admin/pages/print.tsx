/** A batch on paper: A4 with 24 codes a page, or one code a page for a 58 mm receipt printer. */

import { useEffect, useState } from 'preact/hooks';
import type { ReplyOf } from '../../../src/contract/endpoint.ts';
import type { listCodes, VoucherBatch } from '../../../src/contract/voucher-batches.ts';
import type { Voucher } from '../../../src/contract/vouchers.ts';
import { useApi } from '../lib/data.ts';
import { business, count, date, hours, many, money } from '../lib/format.ts';
import { useFilter } from '../lib/route.ts';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { Select } from '../ui/form.tsx';
import { Problem } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Qr } from '../ui/qr.tsx';
import { Skeleton } from '../ui/table.tsx';

/** More on one go would keep a shop's computer busy for too long. */
const PART = 480;
/** Drawn between two frames of the screen. */
const STEP = 48;

const PAPERS = [
  ['a4', 'A4, 24 to a page'],
  ['receipt', '58 mm receipt'],
] as const;

export function PrintSheet({ id }: { id: string }) {
  const codes = useApi<ReplyOf<typeof listCodes>>(`/admin/voucher-batches/${id}/codes/`);
  const [chosenPaper, setPaper] = useFilter('paper');
  const [part, setPart] = useFilter('part');
  /** Only what was sold at once. */
  const [sale] = useFilter('sale');
  const paper = chosenPaper === 'receipt' ? 'receipt' : 'a4';
  const portal = useApi<{ 'user-portal-url': string }>('/captive-portal/');
  const error = codes.error ?? portal.error;

  const batch = codes.data?.batch;
  const ready =
    codes.data?.vouchers.filter(
      voucher => !voucher.is_used && !voucher.is_revoked && (sale === '' || voucher.sale_id === Number(sale)),
    ) ?? [];
  const isMasked = ready.some(voucher => voucher.code_masked);
  const parts = Math.max(1, Math.ceil(ready.length / PART));
  const start = Math.min(parts - 1, Number(part) || 0) * PART;
  const shown = ready.slice(start, start + PART);
  const drawn = useGrowing(shown.length, `${paper} ${start}`);
  const isDrawn = drawn >= shown.length;

  return (
    <Page
      title="Print vouchers"
      parent={['Batch', `#/batches/${id}`]}
      actions={
        <Button
          kind="primary"
          icon="print"
          disabled={!isDrawn || shown.length === 0 || isMasked}
          onClick={() => print()}
        >
          Print {many(shown.length, 'voucher')}
        </Button>
      }
    >
      {error !== null && <Problem error={error} retry={codes.reload} />}
      {error === null && (codes.data === null || portal.data === null) && <Skeleton />}
      {codes.data !== null && ready.length === 0 && (
        <Empty icon="vouchers" title="Every code of this batch is used or revoked." />
      )}
      {isMasked && (
        <Empty icon="vouchers" title="Somebody else made these codes.">
          <p>Who made them prints them, or a colleague who is no cashier.</p>
        </Empty>
      )}
      {batch !== undefined && portal.data !== null && ready.length > 0 && !isMasked && (
        <>
          <div class="filters no-print">
            <Select name="paper" label="Paper" value={paper} options={PAPERS} onChange={setPaper} />
            {parts > 1 && (
              <Select
                name="part"
                label="Codes"
                value={part}
                onChange={setPart}
                options={Array.from({ length: parts }, (_, index) => [
                  index,
                  `${count(index * PART + 1)} to ${count(Math.min(ready.length, (index + 1) * PART))}`,
                ])}
              />
            )}
          </div>
          {!isDrawn && <progress class="no-print" max={shown.length} value={drawn} aria-label="Drawing the vouchers" />}
          <div class="sheet-box" tabIndex={0} role="region" aria-label="Print sheet">
            <div class={`sheet ${paper}`}>
              {shown.slice(0, drawn).map(voucher => (
                <Ticket
                  key={voucher.id}
                  voucher={voucher}
                  address={`${portal.data?.['user-portal-url']}?code=${voucher.code}`}
                  batch={batch}
                />
              ))}
            </div>
          </div>
        </>
      )}
    </Page>
  );
}

interface TicketProps {
  voucher: Voucher;
  /** Of the portal, as phones reach it: this page may have come another way. */
  address: string;
  batch: VoucherBatch;
}

function Ticket({ voucher, address, batch }: TicketProps) {
  const { name, networkName, supportPhone } = business.get();
  return (
    <article class="voucher">
      <Qr text={address} label={`Opens the portal with the code ${voucher.code}`} />
      <div>
        <h2>{name}</h2>
        <p>
          Gives internet for <strong>{hours(batch.duration_hours)}</strong>
        </p>
        {batch.kind === 'stock' && <p class="one-line">Price: {money(voucher.price ?? batch.price)}</p>}
        <p>
          Use the code before <strong>{date(voucher.expires_at)}</strong>
        </p>
      </div>
      <p class="voucher-foot">
        <span class="voucher-code">{voucher.code}</span> <span>No. {voucher.id}</span>
      </p>
      <p class="voucher-foot">
        {networkName !== null && <span class="one-line">Wi-Fi: {networkName}</span>}{' '}
        {supportPhone !== null && <span>Help: {supportPhone}</span>}
      </p>
    </article>
  );
}

/** How many of them may be drawn by now; starts again with another key. */
function useGrowing(total: number, key: string): number {
  const [grown, setGrown] = useState({ key, to: STEP });
  const to = grown.key === key ? grown.to : STEP;
  useEffect(() => {
    if (to >= total) return;
    const frame = requestAnimationFrame(() => setGrown({ key, to: to + STEP }));
    return () => cancelAnimationFrame(frame);
  }, [to, total, key]);
  return Math.min(to, total);
}
