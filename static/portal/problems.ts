/** From a reply that says no to words that say what happened and what to do. See docs/interface.md: Errors. */
import type { Problem } from './api.ts';
import type { Notice } from './language.ts';
import { duration, fill, text } from './words.ts';

/** Long enough for a limit per minute, when the server does not say. */
const USUAL_WAIT_SECONDS = 60;

export function explain(problem: Problem): Notice {
  const known: Record<string, Notice> = {
    USER_BLOCKED: text.blocked,
    BUNDLE_UNAVAILABLE: text.bundleGone,
    PAYMENT_FAILED: text.paymentRefused,
    PAYMENT_PROVIDER_UNAVAILABLE: text.providerDown,
    VOUCHER_INVALID: text.voucherInvalid,
    VOUCHER_USED: text.voucherUsed,
    VOUCHER_EXPIRED: text.voucherExpired,
    VOUCHER_REVOKED: text.voucherRevoked,
    ROUTER_UNAVAILABLE: text.routerDown,
    SMS_UNAVAILABLE: text.noSms,
  };
  const byCode = known[problem.code];
  if (byCode !== undefined) return byCode;
  if (problem.fields.indexOf('mac_address') >= 0) return text.phoneUnknownToWifi;
  switch (problem.status) {
    case 0:
      return text.offline;
    case 403:
      return text.blocked;
    case 429:
      return withTime(text.tooMany, duration(wholeWait(problem.retryAfter || USUAL_WAIT_SECONDS)));
    case 503:
      return text.routerDown;
    default:
      return text.serverError;
  }
}

/** Rounded up to the unit shown, because a retry that is too early is refused again. */
function wholeWait(seconds: number): number {
  return seconds < 60 ? seconds : Math.ceil(seconds / 60) * 60;
}

/** The router's reason for refusing the phone, from the address (RouterOS, hotspot `errors.txt`). */
export function explainRouterError(error: string): Notice {
  if (/uptime|traffic limit|expired|reached/i.test(error)) return text.timeEnded;
  if (/not responding|timeout|internal|radius/i.test(error)) return text.routerDown;
  return text.routerRefused;
}

export function withTime(notice: Notice, time: string): Notice {
  return [fill(notice[0], { time }), fill(notice[1], { time })];
}
