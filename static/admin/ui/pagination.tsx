import { count } from '../lib/format.ts';
import { setQuery, usePageNumber } from '../lib/route.ts';
import { Button } from './button.tsx';

export const PAGE_SIZE = 25;

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
