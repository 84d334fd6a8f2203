import { type Query, withQuery } from '../lib/api.ts';
import { count } from '../lib/format.ts';
import { setQuery, usePageNumber } from '../lib/route.ts';
import { Button } from './button.tsx';

const PAGE_SIZE = 25;

/** The address of a list's page: the one whose number is in the address of this page. */
export const usePagePath = (path: string, filter: Query = {}): string =>
  withQuery(path, { ...filter, page: usePageNumber(), page_size: PAGE_SIZE });

/** The page number is in the address: Back leads to the page before. */
export function Pagination({ total }: { total: number }) {
  const page = usePageNumber();
  const pages = Math.max(1, Math.ceil(total / PAGE_SIZE));
  if (total <= PAGE_SIZE && page === 1) return null;
  const turnTo = (to: number) => {
    setQuery({ page: to === 1 ? null : to });
    document.querySelector('h1')?.focus();
  };
  const first = (page - 1) * PAGE_SIZE + 1;
  return (
    <nav class="pagination" aria-label="Pages">
      <p>
        {count(Math.min(first, total))}–{count(Math.min(page * PAGE_SIZE, total))} of {count(total)}
      </p>
      <div class="actions">
        <Button small icon="back" disabled={page <= 1} onClick={() => turnTo(page - 1)}>
          Previous
        </Button>
        <Button small disabled={page >= pages} onClick={() => turnTo(page + 1)}>
          Next
        </Button>
      </div>
    </nav>
  );
}
