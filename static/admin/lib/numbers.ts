/** Numbers as people type them: `20,000`, `20 000`, `20.000`, `1,5`, `٢٠٬٠٠٠`, `20,000/=`. */

/**
 * A sign before three digits groups thousands, unless as many decimals are possible and the language has it there.
 * @param decimals that the number may have
 * @returns what the API reads, as `20000` or `1.5`; the text itself where it is no such number: the refusal tells why
 */
export function readNumber(typed: string, decimals: number, language: string): string {
  const text = typed
    .replace(/[^\P{Nd}0-9]/gu, digitOf)
    .replace(/\s*\/[=-]$/, '')
    .replace(/[\s'’٬](?=\d{3}(?!\d))/g, '')
    .replace('٫', '.');
  const at = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','));
  const sign = text.charAt(at);
  const isOnly = at >= 0 && text.indexOf(sign) === at;
  const groups = /^-?[1-9]\d{0,2}[.,]\d{3}$/.test(text) && (decimals < 3 || sign !== decimalSign(language));
  const whole = isOnly && !groups ? text.slice(0, at) : text;
  const fraction = text.slice(whole.length + 1);
  const isWhole = /^-?(\d*|[1-9]\d{0,2}([.,]\d{2,3})*[.,]\d{3})$/.test(whole) && !/,.*\.|\..*,/.test(whole);
  if (!isWhole || !/^\d*$/.test(fraction) || fraction.length > decimals || !/\d/.test(text)) return typed;
  return `${whole.replaceAll(/[.,]/g, '') || '0'}${fraction === '' ? '' : `.${fraction}`}`;
}

/** As `readNumber` reads it, and without groups: easier to change. */
export const writeNumber = (value: string | number, language: string): string =>
  String(Number(value)).replace('.', decimalSign(language));

const decimalSign = (language: string) => (/\d,\d/.test((1.5).toLocaleString(language)) ? ',' : '.');

/** The decimal digits of a script are ten in a row; what comes before them is none. */
function digitOf(digit: string): string {
  const point = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(point - value - 1))) value += 1;
  return String(value % 10);
}
