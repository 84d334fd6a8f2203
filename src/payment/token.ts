/** Access tokens that providers hand out for a while: one at a time, kept, renewed in time and when refused. */
import type { Clock } from '../domain/time.ts';
import type { Exchange, Reply } from './http.ts';

export interface TokenKeeper {
  /**
   * Sends a request with a token; when the provider refuses the token, once more with a new one.
   * @throws LangoError PAYMENT_PROVIDER_UNAVAILABLE as well when the new token is refused
   */
  send(exchange: Exchange, request: (token: string) => Promise<Reply>): Promise<Reply>;
}

export interface TokenOptions {
  /** Asks the provider for a token. */
  fetch(exchange: Exchange): Promise<string>;
  /** How long a token is used, in seconds: less than it lives. */
  keepSeconds: number;
  /** Whether a reply says that the token is not accepted (any more). */
  isRefusal(reply: Reply): boolean;
}

export function createTokenKeeper(options: TokenOptions, clock: Clock): TokenKeeper {
  let kept: { token: string; until: number } | null = null;
  let underWay: Promise<string> | null = null;

  function renew(exchange: Exchange): Promise<string> {
    // Callers that come meanwhile share the request: tokens count against the provider's budget.
    underWay ??= options
      .fetch(exchange)
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
    async send(exchange, request) {
      const token = kept !== null && clock.monotonic() < kept.until ? kept.token : await renew(exchange);
      const reply = await request(token);
      if (!options.isRefusal(reply)) return reply;
      if (kept?.token === token) kept = null;
      const again = await request(kept?.token ?? (await renew(exchange)));
      if (options.isRefusal(again)) exchange.keysRefused(again);
      return again;
    },
  };
}
