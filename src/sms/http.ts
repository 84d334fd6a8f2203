/**
 * Any provider that takes one HTTP request a message. Placeholders in the address and in the body:
 * `{to}` +255712345678, `{digits}` 255712345678, `{text}`, `{sender}`, `{username}`, `{key}`; each is escaped for
 * the place it stands in. Without a body the request is a GET, with one a POST: JSON where the body begins with
 * `{` or `[`, else a form. A key that no placeholder takes up is sent as `Authorization`: Basic where there is a
 * user name, Bearer where there is none. A reply of 2xx counts as accepted, of 4xx as refused.
 */
import * as v from 'valibot';
import { needed, optional } from '../outbound/settings.ts';
import { smsDriver } from './driver.ts';
import { accepted, answer, basicAuth } from './transmit.ts';

type Values = Readonly<Record<string, string>>;

export const http = smsDriver({
  name: 'http',
  settings: v.pipe(
    v.object({
      apiUrl: needed('the address with its placeholders'),
      /** null: GET. */
      apiBody: optional('the body with its placeholders'),
      apiKey: optional('the key'),
      username: optional('the user name'),
      senderId: optional('the sender'),
    }),
    v.check(
      ({ apiUrl, apiBody }) => namesPersonAndText(`${apiUrl}${apiBody ?? ''}`),
      'LANGO_SMS_API_URL and LANGO_SMS_API_BODY hold no {to} (or {digits}) and {text}: nothing says whom to send what.',
    ),
  ),
  sender: ({ apiUrl, apiBody, apiKey, username, senderId }, transmit) => {
    const isJson = apiBody !== null && /^\s*[{[]/.test(apiBody);
    const takesKey = `${apiUrl}${apiBody ?? ''}`.includes('{key}');
    const headers =
      apiKey === null || takesKey
        ? {}
        : { authorization: username === null ? `Bearer ${apiKey}` : basicAuth(username, apiKey) };
    return ({ to, text }) => {
      const own = { sender: senderId ?? '', username: username ?? '', key: apiKey ?? '' };
      const values = { to, digits: to.slice(1), text, ...own };
      const url = filled(apiUrl, values, encodeURIComponent);
      const body =
        apiBody === null
          ? {}
          : {
              body: isJson
                ? { type: 'application/json', text: filled(apiBody, values, insideJson) }
                : { type: 'application/x-www-form-urlencoded', text: filled(apiBody, values, encodeURIComponent) },
            };
      return transmit({ method: apiBody === null ? 'GET' : 'POST', url, headers, ...body }, reply =>
        reply.status < 300 ? accepted(null) : answer('refused', `${reply.status} ${reply.text}`),
      );
    };
  },
});

function namesPersonAndText(template: string): boolean {
  return /\{(to|digits)\}/.test(template) && template.includes('{text}');
}

function filled(template: string, values: Values, escape: (value: string) => string): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return value === undefined ? whole : escape(value);
  });
}

/** For a place between the quotes of a JSON string. */
function insideJson(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}
