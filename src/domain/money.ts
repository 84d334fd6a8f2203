/** Money: whole minor units plus a currency inside, the currency's own decimals at the edges. */
import { memoize } from './memoize.ts';

export interface Money {
  /** Whole minor units (cents, senti); never a fraction. */
  readonly minor: number;
  /** ISO 4217 code, upper case. */
  readonly currency: string;
}

/** Decimals of a currency as the interface writes it: ISO 4217's, and two for TZS as its listings show. */
export const currencyDecimals = memoize((currency: string): number => {
  const { maximumFractionDigits } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions();
  return currency === 'TZS' ? 2 : (maximumFractionDigits ?? 2);
});

export function isCurrency(code: string): boolean {
  return Intl.supportedValuesOf('currency').includes(code);
}

/** `{minor: 100000, currency: 'TZS'}` → `'1000.00'`. */
export function formatAmount(money: Money): string {
  const decimals = currencyDecimals(money.currency);
  const digits = String(Math.abs(money.minor)).padStart(decimals + 1, '0');
  const sign = money.minor < 0 ? '-' : '';
  if (decimals === 0) return sign + digits;
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** As people read it: `'1,000'`, `'1,750.50'`; the decimals show only where there are any. */
export function readableAmount(money: Money): string {
  return formatAmount(money)
    .replace(/\.0+$/, '')
    .replaceAll(/\d(?=(\d{3})+(\.|$))/g, '$&,');
}

/** `'TZS 1,000'`. */
export function withCurrency(money: Money): string {
  return `${money.currency} ${readableAmount(money)}`;
}

/** The amount as a JSON number, in major units. Only for replies that the interface types as a number. */
export function amountNumber(money: Money): number {
  return Number(formatAmount(money));
}

/**
 * Reads an amount in major units, from a decimal string or a JSON number, without floating-point arithmetic.
 * @returns null when it is not a plain decimal, or the currency cannot express it, or it is beyond a safe integer.
 */
export function parseAmount(value: string | number, currency: string): Money | null {
  const match = /^(-?)(\d{1,15})(?:\.(\d+))?$/.exec(String(value).trim());
  if (match === null) return null;
  const decimals = currencyDecimals(currency);
  const fraction = (match[3] ?? '').replace(/0+$/, '');
  if (fraction.length > decimals) return null;
  const minor = Number(`${match[1]}${match[2]}${fraction.padEnd(decimals, '0')}`);
  return Number.isSafeInteger(minor) ? { minor: minor === 0 ? 0 : minor, currency } : null;
}
