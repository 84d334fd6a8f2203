import { LinkButton } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { Page } from '../ui/page.tsx';

export function NotFound() {
  return (
    <Page title="No such page">
      <Empty icon="search" title="There is nothing at this address.">
        <LinkButton href="#/dashboard">Open the dashboard</LinkButton>
      </Empty>
    </Page>
  );
}
