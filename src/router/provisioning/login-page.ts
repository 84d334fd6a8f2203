/**
 * The page of the hotspot that sends a phone to the portal. The router puts its values in the place of `$(…)`; those
 * that end in `-esc` come ready for a URL. Source: RouterOS manual, "HotSpot customisation", "Variables".
 */
import type { PortalPlace } from '../../domain/provisioning.ts';

/** A page with it is ours, and may be replaced. */
export const PAGE_MARK = '<!-- lango:login -->';

export function loginPage(portal: PortalPlace): string {
  const place = escaped(portal.url);
  const person = 'mac=$(mac-esc)&amp;ip=$(ip)';
  const links = 'link-login-only=$(link-login-only)&amp;link-orig=$(link-orig-esc)&amp;error=$(error-orig)';
  return [
    '<!doctype html>',
    PAGE_MARK,
    `<meta http-equiv="refresh" content="0; url=${place}?${person}&amp;${links}">`,
    `<a href="${place}?${person}">Continue</a>`,
    '',
  ].join('\n');
}

export function isOurPage(contents: string): boolean {
  return contents.includes(PAGE_MARK);
}

/** Whether a page of somebody else's does what ours does: it leads to the portal, and says which phone comes. */
export function leadsToPortal(contents: string, portal: PortalPlace): boolean {
  return contents.includes(`${portal.url}?`) && /\$\(mac(?:-esc)?\)/.test(contents);
}

/** The router's own `$(` must not be found in a URL, nor HTML's signs. */
function escaped(url: string): string {
  return url.replaceAll('$', '%24').replaceAll('&', '&amp;').replaceAll('"', '%22');
}
