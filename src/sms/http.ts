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
import { accepted, answer, authorization, type RequestBody } from './transmit.ts';

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
  request({ to, text }, { apiUrl, apiBody, apiKey, username, senderId }) {
    const takesKey = `${apiUrl}${apiBody ?? ''}`.includes('{key}');
    const headers = apiKey === null || takesKey ? {} : { authorization: authorization(username, apiKey) };
    const own = { sender: senderId ?? '', username: username ?? '', key: apiKey ?? '' };
    const values = { to, digits: to.slice(1), text, ...own };
    const url = filled(apiUrl, values, encodeURIComponent);
    return { url, headers, ...(apiBody === null ? {} : { body: filledBody(apiBody, values) }) };
  },
  readAnswer: reply => (reply.status < 300 ? accepted(null) : answer('refused', `${reply.status} ${reply.text}`)),
});

function namesPersonAndText(template: string): boolean {
  return /\{(to|digits)\}/.test(template) && template.includes('{text}');
}

function filledBody(template: string, values: Values): RequestBody {
  return /^\s*[{[]/.test(template)
    ? { type: 'application/json', text: filled(template, values, insideJson) }
    : { type: 'application/x-www-form-urlencoded', text: filled(template, values, encodeURIComponent) };
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
