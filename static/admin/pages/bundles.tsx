/** What is for sale. */
import type { Bundle, listBundles } from '../../../src/contract/bundles.ts';
import type { ReplyOf } from '../../../src/contract/endpoint.ts';
import { post, put, remove } from '../lib/api.ts';
import { useApi } from '../lib/data.ts';
import { count, hours, money } from '../lib/format.ts';
import { may } from '../lib/session.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { ask } from '../ui/confirm.tsx';
import { Empty } from '../ui/empty.tsx';
import { Amount, Check, Field, Select, TextArea } from '../ui/form.tsx';
import { Page } from '../ui/page.tsx';
import { List } from '../ui/table.tsx';
import { showError, showToast } from '../ui/toast.tsx';
import { RouterProfile } from './router-profile.tsx';

export function Bundles() {
  const bundles = useApi<ReplyOf<typeof listBundles>>('/admin/bundles/');

  async function setActive(bundle: Bundle, isActive: boolean) {
    await put(`/admin/bundles/${bundle.id}/`, { is_active: isActive });
    bundles.reload();
  }
  const hideOrShow = (bundle: Bundle) =>
    setActive(bundle, !bundle.is_active).then(
      () =>
        showToast(bundle.is_active ? `${bundle.name} is no longer sold.` : `${bundle.name} is on sale.`, () =>
          setActive(bundle, bundle.is_active),
        ),
      showError,
    );
  const drop = (bundle: Bundle) =>
    ask({
      title: `Delete ${bundle.name}?`,
      text: (
        <>
          <p>It leaves every list. Nobody loses time that is already paid for, and past sales keep its name.</p>
          <p>To stop selling it for a while, hide it instead.</p>
        </>
      ),
      act: 'Delete bundle',
      run: async () => {
        await remove(`/admin/bundles/${bundle.id}/`);
        bundles.reload();
        showToast(`${bundle.name} is deleted.`);
      },
    });

  const add = (
    <Button kind="primary" icon="plus" onClick={() => edit(null, bundles.reload)}>
      Add bundle
    </Button>
  );
  return (
    <Page title="Bundles" actions={may('staff') && add}>
      <List
        label="Bundles"
        from={bundles}
        rowsOf={data => data.bundles}
        id={bundle => bundle.id}
        empty={
          <Empty icon="bundles" title="Nothing is for sale yet.">
            <p>A bundle is an amount of time at a price. Add the first one, and the portal sells it at once.</p>
          </Empty>
        }
        columns={[
          {
            label: 'Bundle',
            cell: bundle => (
              <>
                {bundle.name}
                {bundle.description !== '' && <small>{bundle.description}</small>}
              </>
            ),
          },
          {
            label: 'State',
            cell: bundle => (
              <Badge tone={bundle.is_active ? 'good' : 'off'}>{bundle.is_active ? 'On sale' : 'Hidden'}</Badge>
            ),
          },
          { label: 'Gives internet for', cell: bundle => hours(bundle.duration_hours) },
          { label: 'Price', number: true, cell: bundle => money(bundle.price) },
          { label: 'Sold', number: true, cell: bundle => count(bundle.total_purchases) },
          { label: 'Revenue', number: true, cell: bundle => money(bundle.revenue) },
        ]}
        actions={
          may('staff')
            ? bundle => (
                <>
                  <Button small label={`Edit ${bundle.name}`} onClick={() => edit(bundle, bundles.reload)}>
                    Edit
                  </Button>
                  <Button small onClick={() => hideOrShow(bundle)}>
                    {bundle.is_active ? 'Hide' : 'Sell'}
                  </Button>
                  <Button small kind="danger" label={`Delete ${bundle.name}`} onClick={() => drop(bundle)}>
                    Delete
                  </Button>
                </>
              )
            : undefined
        }
      />
    </Page>
  );
}

const UNITS = { minutes: 1 / 60, hours: 1, days: 24 } as const;

/** 0.5 h → 30 minutes; 48 h → 2 days. */
function inUnit(durationHours: number): { amount: number; unit: keyof typeof UNITS } {
  if (durationHours < 1 || durationHours % 1 !== 0)
    return { amount: +(durationHours * 60).toFixed(4), unit: 'minutes' };
  return durationHours >= 48 && durationHours % 24 === 0
    ? { amount: durationHours / 24, unit: 'days' }
    : { amount: durationHours, unit: 'hours' };
}

/** @param bundle null: a new one */
function edit(bundle: Bundle | null, done: () => void): void {
  const shown = inUnit(bundle?.duration_hours ?? 24);
  ask({
    title: bundle === null ? 'Add bundle' : `Edit ${bundle.name}`,
    act: bundle === null ? 'Add bundle' : 'Save bundle',
    kind: 'primary',
    columns: true,
    run: async values => {
      const { unit, duration_hours: length = '', ...rest } = values;
      const durationHours = Number(length || Number.NaN) * UNITS[unit as keyof typeof UNITS];
      const body = {
        ...rest,
        // What is no number goes as it was typed: the refusal then names the field.
        duration_hours: Number.isNaN(durationHours) ? length : Math.round(durationHours * 3_600) / 3_600,
        display_order: values['display_order'] || 0,
        free_every_hours: values['free_every_hours'] || 24,
        is_active: 'is_active' in values,
        router_profile: values['router_profile'] || null,
      };
      if (bundle === null) await post('/admin/bundles/', body);
      else await put(`/admin/bundles/${bundle.id}/`, { ...body, expected_version: bundle.version });
      done();
      showToast(bundle === null ? `${rest['name']} is added.` : `${rest['name']} is saved.`);
    },
    fields: (
      <>
        <div class="wide">
          <Field name="name" label="Name" value={bundle?.name} hint="As customers see it: Day pass" required />
        </div>
        <Amount name="price" label="Price" value={bundle?.price} required />
        <Field
          name="display_order"
          label="Place in the list"
          value={bundle?.display_order ?? 0}
          number="whole"
          hint="The smallest number comes first."
        />
        <Field
          name="duration_hours"
          label="Gives internet for"
          value={shown.amount}
          number="decimal"
          hint="Counts from the moment of paying, also while the phone is off."
          required
        />
        <Select
          name="unit"
          label="Unit"
          value={shown.unit}
          options={[
            ['minutes', 'minutes'],
            ['hours', 'hours'],
            ['days', 'days'],
          ]}
        />
        <div class="wide">
          <Field
            name="free_every_hours"
            label="Free once in so many hours"
            value={bundle?.free_every_hours ?? 24}
            number="whole"
            hint="Where the price is 0: for each phone and each number."
          />
        </div>
        <div class="wide">
          <TextArea name="description" label="Description" value={bundle?.description} />
        </div>
        <div class="wide">
          <RouterProfile value={bundle?.router_profile ?? ''} />
        </div>
        <div class="wide">
          <Check name="is_active" label="On sale" checked={bundle?.is_active ?? true} />
        </div>
      </>
    ),
  });
}
