/** What other people's services say, before it reaches our log or our staff. */

/** Cuts a provider's text to one short line without phone numbers, keys or tokens. */
export function scrub(text: string): string {
  return beginning(text)
    .replace(/\s+/g, ' ')
    .replace(/[\w.+-]+@[\w.-]+/g, '…@…')
    .replace(/[A-Za-z0-9_.=*-]{24,}/g, '…')
    .replace(/\+?\d[\d ()-]{5,}\d/g, '…')
    .slice(0, 200);
}

/** Far more than is shown; the patterns above take the square of it. */
const LONGEST_READ = 2_000;

/** Ends between words: half a key would not be known for one. */
function beginning(text: string): string {
  return text.length <= LONGEST_READ ? text : text.slice(0, LONGEST_READ).replace(/\S*$/, '…');
}
