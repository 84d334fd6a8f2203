/** Names of fields that no reply may have. */

const FORBIDDEN_FIELD = /hash|secret|password|token|cookie|api_?key/i;
/** Whether there is one, or, in the replies that exist for nothing else, the thing itself. */
const TOLD_ON_PURPOSE = new Set(['password_configured', 'api_key_configured', 'secret']);

/** @returns those in a reply, wherever they are; a problem with a field that was sent may name it */
export function forbiddenFields(value: unknown, sent = false): string[] {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const isForbidden = !sent && !Array.isArray(value) && FORBIDDEN_FIELD.test(name) && !TOLD_ON_PURPOSE.has(name);
    return [...(isForbidden ? [name] : []), ...forbiddenFields(inner, name === 'details')];
  });
}
