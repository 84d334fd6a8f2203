/** Vouchers over the counter: two taps for the next card of a bundle, or the code of the card in one's hand. */
import type { Bundle } from '../../../src/contract/bundles.ts';
import type { ReplyOf } from '../../../src/contract/endpoint.ts';
import type { sellVouchers } from '../../../src/contract/voucher-sales.ts';
import { count, date, money } from '../lib/format.ts';
import { useSale } from '../lib/sale.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { ask } from '../ui/confirm.tsx';
import { Empty } from '../ui/empty.tsx';
import { Field } from '../ui/form.tsx';
import { Notice } from '../ui/notice.tsx';
import { Section } from '../ui/page.tsx';

type Sold = ReplyOf<typeof sellVouchers>;

interface SellVoucherProps {
  bundles: readonly Bundle[];
  /** What is in stock has changed, and what is in the drawer. */
  reload: () => void;
}

export function SellVoucher({ bundles, reload }: SellVoucherProps) {
  const { sold, sell: send } = useSale<Sold>('/admin/voucher-sales/');
  const stocked = bundles.filter(bundle => bundle.vouchers_in_stock > 0);
  async function sell(what: object) {
    await send(what, Object.values(what));
    reload();
  }
  const askFor = (bundle: Bundle) =>
    ask({
      title: `Sell one voucher: ${bundle.name}`,
      text: (
        <p>
          Take <strong>{money(bundle.voucher_price ?? 0)}</strong>. The code shows next.
        </p>
      ),
      act: 'Sold',
      kind: 'primary',
      run: () => sell({ bundle_id: bundle.id }),
    });
  const askForCard = () =>
    ask({
      title: 'Sell the card in your hand',
      fields: <Field name="code" label="Code on the card" required autoFocus autoComplete="off" code />,
      act: 'Sold',
      kind: 'primary',
      run: sell,
    });
  return (
    <Section title="Sell a voucher">
      {sold?.vouchers[0] !== undefined && <SoldVoucher sold={sold} />}
      {stocked.length === 0 ? (
        <Empty icon="vouchers" title="No voucher is in stock.">
          <a href="#/vouchers">Make some</a>
        </Empty>
      ) : (
        <div class="actions">
          {stocked.map(bundle => (
            <Button key={bundle.id} onClick={() => askFor(bundle)}>
              {bundle.name} · {money(bundle.voucher_price ?? 0)} · {count(bundle.vouchers_in_stock)} left
            </Button>
          ))}
          <Button kind="quiet" onClick={askForCard}>
            By its code
          </Button>
        </div>
      )}
    </Section>
  );
}

function SoldVoucher({ sold: { sale, vouchers } }: { sold: Sold }) {
  const [voucher] = vouchers;
  return (
    <Notice tone="good">
      <p>
        Sold for {money(sale.total)}, serial {voucher?.id}: <strong class="code">{voucher?.code}</strong>
      </p>
      <p>Use it before {date(voucher?.expires_at)}.</p>
      <LinkButton small icon="print" href={`#/print/${sale.batch_id}?sale=${sale.id}&paper=receipt`}>
        Print it
      </LinkButton>
    </Notice>
  );
}
