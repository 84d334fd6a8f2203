/** What is for sale. */
import * as v from 'valibot';

import { endpoint } from './endpoint.ts';
import * as value from './values.ts';

export const BundleForSale = v.object({
  id: value.id,
  name: value.text,
  /** Major units of the currency. */
  price: value.number,
  duration_hours: value.number,
  description: value.text,
  is_active: value.flag,
});
export type BundleForSale = v.InferOutput<typeof BundleForSale>;

export const listBundlesForSale = endpoint({
  method: 'GET',
  path: '/bundles/',
  summary: 'What is for sale',
  auth: 'none',
  reply: v.array(BundleForSale),
});
