/**
 * Any provider that takes one HTTP request a message. Placeholders in the address and in the body:
 * `{to}` +255712345678, `{digits}` 255712345678, `{text}`, `{sender}`, `{username}`, `{key}`; each is escaped for
 * the place it stands in. Without a body the request is a GET, with one a POST: JSON where the body begins with
 * `{` or `[`, else a form. A key that no placeholder takes up is sent as `Authorization`: Basic where there is a
 * user name, Bearer where there is none. A reply of 2xx counts as accepted, of 4xx as refused.
 */
import type { SmsProvider } from '../domain/ports.ts';
import { accepted, answer, basicAuth, createTransmit, type SmsTools } from './transmit.ts';

export interface HttpSmsOptions {
  apiUrl: string;
  /** null: GET. */
  apiBody: string | null;
  apiKey: string | null;
  username: string | null;
  senderId: string | null;
}

type Values = Readonly<Record<string, string>>;

export function createHttpSmsProvider(options: HttpSmsOptions, tools: SmsTools): SmsProvider {
  const { apiUrl, apiBody, apiKey, username, senderId } = options;
  const transmit = createTransmit('http', tools);
  const isJson = apiBody !== null && /^\s*[{[]/.test(apiBody);
  const takesKey = `${apiUrl}${apiBody ?? ''}`.includes('{key}');
  const headers =
    apiKey === null || takesKey
      ? {}
      : { authorization: username === null ? `Bearer ${apiKey}` : basicAuth(username, apiKey) };

  return {
    name: 'http',
    send({ to, text }) {
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
    },
  };
}

/** Whether address and body together name the person and the text. */
export function namesPersonAndText(apiUrl: string, apiBody: string | null): boolean {
  const template = `${apiUrl}${apiBody ?? ''}`;
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
