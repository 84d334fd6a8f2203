/** Comma-separated values (RFC 4180) that a spreadsheet opens without being tricked into running them. */

import { Reply, streamed } from './reply.ts';

export type Cell = string | number | boolean | null;

/** A reply that browsers keep as `name.csv`. */
export function csvFile(name: string, content: string | AsyncIterable<string>): Reply<never> {
  const headers = ['Content-Disposition', `attachment; filename="${name}.csv"`];
  return typeof content === 'string' ? new Reply(200, 'csv', content, headers) : streamed('csv', content, headers);
}

export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(cellText).join(',')}\r\n`;
}

function cellText(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const harmless = withoutFormulas(cell);
  return /[",;\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** A phone number or an amount: whatever a spreadsheet makes of it is a number. */
const NUMBER = /^[+-]?\d+(\.\d+)?$/;
/**
 * Where a formula could begin: at the start of the cell, and after each character that some spreadsheet takes for the
 * end of a cell. Spaces, quotes and characters that nobody sees may stand before it; full-width signs count too.
 */
const FORMULA_START = /(?<=^|[,;|\t\r\n])(?=[\s"\p{Cf}]*[=+\-@＝＋－＠])/gu;

/** Text that a spreadsheet would take for a formula begins with an apostrophe instead. */
function withoutFormulas(text: string): string {
  if (NUMBER.test(text)) return text;
  const guarded = text.replaceAll(FORMULA_START, "'");
  return /^[\t\r]/.test(guarded) ? `'${guarded}` : guarded;
}
