/** The page that sends phones to the portal. Whatever page is there now is kept beside ours. */
import type { PortalPlace } from '../../domain/provisioning.ts';
import { type Command, quoted } from './commands.ts';
import type { PlanContext } from './draft.ts';
import { isOurPage, leadsToPortal, loginPage } from './login-page.ts';
import { pageFiles } from './survey.ts';
import { isAtLeast } from './version.ts';

/** The first that can make a file by command. */
const FILES_VERSION = [7, 9] as const;

export function planPage({ found, draft }: PlanContext, portal: PortalPlace, folder: string): void {
  const { version } = found;
  const pages = found.rows('/file');
  const files = pageFiles(folder);
  const contents = loginPage(portal);
  const page = pages.find(({ name }) => name === files.page);
  const kept = pages.find(({ name }) => name === files.kept);
  const current = page?.['contents'] ?? '';
  const isForeign = page !== undefined && !isOurPage(current);
  if (current.trim() === contents.trim() || (isForeign && leadsToPortal(current, portal))) return;

  const obstacle = (): string | null => {
    if ((page === undefined || isForeign) && !isAtLeast(version, FILES_VERSION)) {
      return `RouterOS ${version} cannot make files by command`;
    }
    if (isForeign && current === '') return 'the page there now cannot be read, to be kept safe first';
    if (isForeign && kept !== undefined && kept['contents'] !== current) {
      return `the page there now is not Lango's, nor the one that was kept before as ${files.kept}`;
    }
    return null;
  };
  const why = obstacle();
  if (why !== null) {
    draft.missing.push(
      `${files.page} must send phones to the portal, and ${why}: save the page of the README ("On your router") by hand, with WinBox or FTP.`,
    );
    return;
  }
  const commands: Command[] = [];
  if (isForeign && kept === undefined) {
    commands.push({
      menu: '/file',
      verb: 'add',
      values: { name: files.kept, contents: current },
      expressions: { contents: `[/file get [find name=${quoted(files.page)}] contents]` },
    });
  }
  commands.push(
    page === undefined
      ? { menu: '/file', verb: 'add', values: { name: files.page, contents } }
      : { menu: '/file', verb: 'set', id: page['.id'] ?? '', values: { contents } },
  );
  draft.changes.push({
    what: `Let ${files.page} send phones to the portal${isForeign ? `; the page there now is kept as ${files.kept}` : ''}.`,
    why: 'It is what a phone is shown when it joins the Wi-Fi.',
    commands,
  });
}
