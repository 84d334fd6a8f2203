/** Access tokens that providers hand out for a while: one at a time, kept, renewed in time and when refused. */
import type { Clock } from '../domain/time.ts';
import type { ProviderCall, ProviderReply } from './client.ts';

export interface TokenKeeper {
  /**
   * Sends a request with a token; when the provider refuses the token, once more with a new one.
   * @throws LangoError PAYMENT_PROVIDER_UNAVAILABLE as well when the new token is refused
   */
  send(call: ProviderCall, request: (token: string) => Promise<ProviderReply>): Promise<ProviderReply>;
}

export interface TokenOptions {
  /** Asks the provider for a token. */
  fetch(call: ProviderCall): Promise<string>;
  /** How long a token is used, in seconds: less than it lives. */
  keepSeconds: number;
  /** Whether a reply says that the token is not accepted (any more). */
  isRefusal(reply: ProviderReply): boolean;
}

export function createTokenKeeper(options: TokenOptions, clock: Clock): TokenKeeper {
  let kept: { token: string; until: number } | null = null;
  let underWay: Promise<string> | null = null;

  function renew(call: ProviderCall): Promise<string> {
    // Callers that come meanwhile share the request: tokens count against the provider's budget.
    underWay ??= options
      .fetch(call)
      .then(token => {
        kept = { token, until: clock.monotonic() + options.keepSeconds * 1_000 };
        return token;
      })
      .finally(() => {
        underWay = null;
      });
    return underWay;
  }

  return {
    async send(call, request) {
      const token = kept !== null && clock.monotonic() < kept.until ? kept.token : await renew(call);
      const reply = await request(token);
      if (!options.isRefusal(reply)) return reply;
      if (kept?.token === token) kept = null;
      const again = await request(kept?.token ?? (await renew(call)));
      if (options.isRefusal(again)) call.keysRefused(again);
      return again;
    },
  };
}
