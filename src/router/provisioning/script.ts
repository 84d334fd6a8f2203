/**
 * The whole set-up as a script for the console of a router that Lango cannot reach yet. It may be run as often as one
 * likes: what is there already is left as it is. Source: RouterOS manual, "Scripting".
 */
import type { RouterSettings } from '../../domain/ports.ts';
import type { PortalPlace, RouterNeeds } from '../../domain/provisioning.ts';
import { consoleLine, consolePath, quoted } from './commands.ts';
import { loginPage, PAGE_MARK } from './login-page.ts';
import { applianceBinding, newProfile, openPlaces } from './rows.ts';
import { pageFiles } from './survey.ts';

/** What the account of the appliance may do on the router. */
const POLICIES = 'api,read,write,reboot,test,sensitive';

/**
 * @param settings of the router, for the account of the appliance; null: the script makes none
 * @returns RouterOS script; it holds the account's password
 */
export function provisioningScript(
  needs: RouterNeeds & { portal: PortalPlace },
  settings: RouterSettings | null,
): string {
  const { portal, profile, hotspot } = needs;
  const parts = [
    [
      '# Sets a router up for Lango: paste it into its terminal. It can be run again; what is there is left as it is.',
      '# The hotspot itself must be there before: /ip hotspot setup',
    ],
    settings === null ? [] : accountLines(settings, portal),
    [
      '# The profile of people who paid. Its rate-limit is yours to set.',
      addOnce('/ip/hotspot/user/profile', 'name', newProfile(profile)),
    ],
    [
      '# What phones reach before they are online.',
      ...openPlaces(needs).map(row => addOnce(row.menu, 'comment', row.values)),
    ],
    portal.isAddress ? bindingLines(portal) : [],
    pageLines(portal, hotspot),
  ];
  return parts
    .filter(lines => lines.length > 0)
    .map(lines => `${lines.join('\n')}\n`)
    .join('\n');
}

function accountLines({ username, password, ssl }: RouterSettings, portal: PortalPlace): string[] {
  const service = ssl ? 'api-ssl' : 'api';
  const only = portal.isAddress ? { address: `${portal.host}/32` } : {};
  const opening = consoleLine({ menu: '/ip/service', verb: 'set', id: service, values: { disabled: 'no', ...only } });
  return [
    '# The account of the appliance, and the service it comes in by.',
    addOnce('/user/group', 'name', { name: 'lango', policy: POLICIES }),
    addOnce('/user', 'name', { name: username, group: 'lango', password, ...only }),
    `:if ([/ip service get ${service} disabled]) do={ ${opening} }`,
  ];
}

function bindingLines(portal: PortalPlace): string[] {
  const { menu, values } = applianceBinding(portal);
  return [
    '# The appliance itself needs no login. Leave this out when it stands elsewhere than on the network of the hotspot.',
    addOnce(menu, 'comment', values),
  ];
}

/** In quotes throughout: an address, bare, would be compared as an address with a text. */
function addOnce(menu: string, key: string, values: Readonly<Record<string, string>>): string {
  const find = `${consolePath(menu)} find where ${key}=${quoted(values[key] ?? '')}`;
  return `:if ([:len [${find}]] = 0) do={ ${consoleLine({ menu, verb: 'add', values })} }`;
}

/** The folder of the pages is only known on the router. A page that cannot be kept beside ours is not replaced. */
function pageLines(portal: PortalPlace, hotspot: string | null): string[] {
  const { page, kept } = pageFiles('');
  const which = hotspot === null ? '' : ` where name=${quoted(hotspot)}`;
  return [
    `# The page that sends phones to the portal. What is there now is kept as ${kept.slice(1)}.`,
    `:foreach server in=[/ip hotspot find${which}] do={`,
    `  :local html ${quoted(loginPage(portal))}`,
    '  :local settings [/ip hotspot profile find where name=[/ip hotspot get $server profile]]',
    '  :local folder [/ip hotspot profile get $settings html-directory]',
    '  :local instead ""',
    '  :do { :set instead [/ip hotspot profile get $settings html-directory-override] } on-error={}',
    '  :if ([:len $instead] > 0) do={ :set folder $instead }',
    `  :local page ($folder . ${quoted(page)})`,
    `  :local kept ($folder . ${quoted(kept)})`,
    '  :if ([:len [/file find where name=$page]] = 0) do={',
    '    /file add name=$page contents=$html',
    '  } else={',
    '    :local before [/file get [/file find where name=$page] contents]',
    `    :local ours [:len [:find $before ${quoted(PAGE_MARK)}]]`,
    '    :local taken [:len [/file find where name=$kept]]',
    '    :if (($ours = 0) and (($taken > 0) or ([:len $before] = 0))) do={',
    '      :put ("Lango leaves " . $page . " as it is: save it elsewhere, remove it, and run this again.")',
    '    } else={',
    '      :if ($ours = 0) do={ /file add name=$kept contents=$before }',
    '      /file set [/file find where name=$page] contents=$html',
    '    }',
    '  }',
    '}',
  ];
}
