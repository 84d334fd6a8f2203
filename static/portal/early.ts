/** Runs as soon as the first bytes are there: asks for what the page will need while the rest of it is still on its way. */

declare global {
  interface Window {
    early: { portal: Promise<Response>; bundles: Promise<Response> };
  }
}

const ask = (path: string) => {
  const reply = fetch(path);
  // Whoever reads the reply deals with its failure; until then it must not count as unhandled.
  reply.catch(() => undefined);
  return reply;
};

window.early = { portal: ask('api/portal/'), bundles: ask('api/bundles/') };

// Somebody who comes back from the checkout must not see the prices flash by.
document.documentElement.className = /[?&](order|phone)=\w/.test(location.search) ? 'js resume' : 'js';

export {};
