/** The router's reason for refusing the phone, from the address, in plain words (RouterOS, hotspot `errors.txt`). */
import type { Notice } from '../../src/contract/words.ts';
import { text } from './words.ts';

export function explainRouterError(error: string): Notice {
  if (/uptime|traffic limit|expired|reached/i.test(error)) return text.timeEnded;
  if (/not responding|timeout|internal|radius/i.test(error)) return text.refusals.ROUTER_UNAVAILABLE as Notice;
  return text.routerRefused;
}
