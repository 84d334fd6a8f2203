/** Time that was given or taken back. */
import * as contract from '../../contract/grants.ts';
import type { Grant } from '../../domain/access.ts';
import { SECONDS_PER_HOUR } from '../../domain/time.ts';
import { viewOf } from '../names.ts';

const plain = viewOf(contract.Grant);

export const grantView = (grant: Grant): contract.Grant => ({
  ...plain(grant),
  hours: grant.seconds / SECONDS_PER_HOUR,
  created_at: grant.at,
});
