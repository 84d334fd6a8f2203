/**
 * Scripts of a profile that tell Lango at once who came and went, before its next reading of the router.
 * Values are joined to texts from outside: `$"mac-address"` within a text is one reading of the console's rules, and
 * by another one its quotation mark ends the text. Source: RouterOS manual, "HotSpot", "User profiles"; "Scripting".
 */
import type { PortalPlace } from '../../domain/provisioning.ts';
import { quoted } from './commands.ts';

export function sessionScripts(portal: Pick<PortalPlace, 'url'>): { 'on-login': string; 'on-logout': string } {
  const tell = (path: string, data: string, failure: string) => {
    const url = quoted(new URL(path, portal.url).href);
    const fetch = `/tool fetch url=${url} http-method=post http-data=(${data}) output=none`;
    // A refusal makes fetch fail, and leaves no body to read.
    return `:do { ${fetch} } on-error={ :log info ${quoted(`lango: ${failure}`)} }`;
  };
  const person = '"username=" . $user . "&ip=" . $address';
  return {
    'on-login': tell('api/router/auth/', `${person} . "&mac=" . $"mac-address"`, 'no answer, or not allowed'),
    'on-logout': tell('api/router/logout/', person, 'no answer'),
  };
}
