/** What other people's services say, before it reaches our log or our staff. */

/** Cuts a provider's text to one short line without phone numbers, keys or tokens. */
export function scrub(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[\w.+-]+@[\w.-]+/g, '…@…')
    .replace(/[A-Za-z0-9_.=*-]{24,}/g, '…')
    .replace(/\+?\d[\d ()-]{5,}\d/g, '…')
    .slice(0, 200);
}
