/** Sales that are sent again because the reply to them was lost. */
import { useState } from 'preact/hooks';
import { post } from './api.ts';

/**
 * Sells; until it is answered, whatever is sold alike is one sale.
 * @returns `sold`: the last answer; `key`: another one after each
 */
export function useSale<Reply>(path: string) {
  const [state, setState] = useState(() => ({ key: newKey(), sold: null as Reply | null }));
  return {
    ...state,
    /** @param alike what tells one sale from another */
    async sell(what: object, alike: readonly unknown[]): Promise<Reply> {
      const sold = await post<Reply>(path, { ...what, idempotency_key: [state.key, ...alike].join(' ') });
      setState({ key: newKey(), sold });
      return sold;
    },
  };
}

const newKey = () => [...crypto.getRandomValues(new Uint32Array(3))].join('-');
