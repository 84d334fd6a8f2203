/** Filters of the payment list as SQL. */
import type { PaymentFilter } from '../domain/payments.ts';
import type { TextSearch } from '../domain/phone.ts';
import { anyOf, type Conditions, phoneTerm, termsOf } from './filters.ts';

/** Past every character of a reference. */
const AFTER = '~';

const TERMS = {
  status: 'status = @status',
  bundleId: 'bundle_id = @bundleId',
  userId: 'user_id = @userId',
  method: 'method = @method',
  from: 'created_day >= @from',
  to: 'created_day <= @to',
  soldInShiftsOf: 'shift_id IN (SELECT id FROM shifts WHERE admin_id = @soldInShiftsOf)',
  soldInClosedShiftsOf:
    'shift_id IN (SELECT id FROM shifts WHERE admin_id = @soldInClosedShiftsOf AND closed_at IS NOT NULL)',
};

/** The rows of a filter. */
export function conditionsOf(filter: PaymentFilter, as: 'set' | 'row'): Conditions {
  const params: Conditions['params'] = { ...filter };
  const terms = termsOf(filter, TERMS);
  if (filter.inReview !== undefined) terms.push(`review IS ${filter.inReview ? 'NOT NULL' : 'NULL'}`);
  if (filter.phone !== undefined) terms.push(phoneTerm(filter.phone, 'phone', params));
  if (filter.search !== undefined) terms.push(anyOf(searchTerms(filter.search, params), 'payments', as));
  return { terms, params };
}

function searchTerms({ text, phone }: TextSearch, params: Conditions['params']): string[] {
  Object.assign(params, { order: text.toUpperCase(), orderEnd: text.toUpperCase() + AFTER, reference: text });
  return [
    'order_reference >= @order AND order_reference < @orderEnd',
    'payment_reference IN (@reference, @order)',
    'transaction_id IN (@reference, @order)',
    'receipt_number = @reference',
    ...(phone === null ? [] : [phoneTerm(phone, 'searchPhone', params)]),
  ];
}

/** True when every condition of the filter is one of these. */
export function onlyBy(filter: PaymentFilter, ...names: (keyof PaymentFilter)[]): boolean {
  return (Object.keys(filter) as (keyof PaymentFilter)[]).every(
    name => filter[name] === undefined || names.includes(name),
  );
}

/** The index that a page of the filter is found in; empty where the planner may choose. */
export function pageIndex(filter: PaymentFilter): string {
  if (onlyBy(filter)) return 'INDEXED BY payments_listed';
  const isByDay = filter.from !== undefined || filter.to !== undefined;
  if (isByDay && onlyBy(filter, 'from', 'to', 'status', 'bundleId', 'method')) return 'INDEXED BY payments_by_day';
  if (filter.bundleId !== undefined && onlyBy(filter, 'bundleId', 'status', 'method')) {
    return 'INDEXED BY payments_by_bundle';
  }
  if (filter.phone !== undefined) return 'INDEXED BY payments_by_phone';
  return '';
}
