/** Between our money and a provider's numerals. Text is shifted, never multiplied: no floating point. */
import { formatAmount, type Money, parseAmount } from '../domain/money.ts';

/** An amount in major units with a currency, as a provider wrote them; null when that is no amount. */
export function readMoney(amount: string | null, currency: string | null): Money | null {
  const code = currency?.toUpperCase() ?? '';
  return amount !== null && /^[A-Z]{3}$/.test(code) ? parseAmount(amount, code) : null;
}

/**
 * Whole units of `decimals` places: `{minor: 100000, currency: 'TZS'}` with 2 → `'100000'`, with 0 → `'1000'`.
 * @returns null when the provider's unit is too coarse for the amount
 */
export function toUnits(money: Money, decimals: number): string | null {
  const [whole = '', fraction = ''] = formatAmount(money).split('.');
  if (/[1-9]/.test(fraction.slice(decimals))) return null;
  return `${whole}${fraction.slice(0, decimals).padEnd(decimals, '0')}`.replace(/^0+(?=\d)/, '');
}

/** The reverse of {@link toUnits}; null when the text is not a whole number of units. */
export function fromUnits(units: string | null, decimals: number, currency: string | null): Money | null {
  if (units === null || !/^\d{1,15}$/.test(units)) return null;
  const digits = units.padStart(decimals + 1, '0');
  const split = digits.length - decimals;
  return readMoney(decimals === 0 ? digits : `${digits.slice(0, split)}.${digits.slice(split)}`, currency);
}

/** Major units without a needless fraction: `1000.00` → `1000`, `10.50` → `10.50`. */
export function majorUnits(money: Money): string {
  return formatAmount(money).replace(/\.0+$/, '');
}
