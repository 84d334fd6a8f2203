/** The pages of the sandbox checkout. Plain forms: they work without a script and under a strict CSP. */
import { formatAmount } from '../domain/money.ts';
import type { SandboxCheckout } from './checkouts.ts';

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);
}

/** @param styleUrl path of {@link STYLE} as the browser sees it */
export function checkoutPage(checkout: SandboxCheckout, styleUrl: string): string {
  const amount = formatAmount({ minor: checkout.minor, currency: checkout.currency });
  const rows: readonly [string, string][] = [
    ['For', checkout.description],
    ['Phone', checkout.phone],
    ['Order', checkout.orderReference],
    ['Status', checkout.status],
  ];
  const form =
    checkout.status === 'COMPLETED'
      ? `<p>This order is paid.</p><p><a href="${escapeHtml(checkout.returnUrl)}">Back to the shop</a></p>`
      : FORM;
  return page(
    styleUrl,
    `<h1>${escapeHtml(checkout.currency)} ${amount}</h1>
<dl>${rows.map(([term, text]) => `<dt>${term}</dt><dd>${escapeHtml(text)}</dd>`).join('')}</dl>
${form}`,
  );
}

export function messagePage(message: string, styleUrl: string): string {
  return page(styleUrl, `<h1>${escapeHtml(message)}</h1>`);
}

const FORM = `<form method="post">
<label for="webhook">Notification to the shop</label>
<select id="webhook" name="webhook">
<option value="">at once</option>
<option value="late">five seconds late</option>
<option value="twice">twice</option>
<option value="never">never</option>
</select>
<button name="outcome" value="completed" class="pay">Pay now</button>
<button name="outcome" value="failed">Let the payment fail</button>
<button name="outcome" value="cancelled">Cancel</button>
</form>`;

function page(styleUrl: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>SANDBOX checkout</title>
<link rel="stylesheet" href="${escapeHtml(styleUrl)}">
</head>
<body>
<p class="banner"><strong>SANDBOX</strong> No real money moves here.</p>
<main>
${content}
</main>
</body>
</html>
`;
}

export const STYLE = `:root { color-scheme: light dark; --line: #c9cdd3; --pay: #14693a; }
* { box-sizing: border-box; }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; }
.banner { margin: 0; padding: .75rem 1rem; background: #ffd84d; color: #221c00; text-align: center; }
main { max-width: 26rem; margin: 0 auto; padding: 1rem; }
h1 { margin: .5rem 0 1rem; font-size: 1.75rem; }
dl { display: grid; grid-template-columns: auto 1fr; gap: .25rem 1rem; margin: 0 0 1.5rem; }
dd { margin: 0; overflow-wrap: anywhere; }
label, select, button { display: block; width: 100%; font: inherit; }
select, button { min-height: 2.75rem; margin: .25rem 0 .75rem; padding: 0 .75rem; border: 1px solid var(--line); border-radius: .5rem; }
.pay { border-color: var(--pay); background: var(--pay); color: #fff; font-weight: 600; }
:focus-visible { outline: 3px solid #2f6fde; outline-offset: 2px; }
`;
