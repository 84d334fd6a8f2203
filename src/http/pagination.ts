/** Pages of lists: the `pagination` object of replies, and headers where the interface wants a bare array. */
import { USUAL_PAGE_SIZE } from '../contract/fields.ts';
import type { Pagination } from '../contract/values.ts';

/** Which page of a list is asked for. */
interface Asked {
  page: number;
  page_size: number;
}

/** The rows that it has. */
export const rowsOf = ({ page, page_size: limit }: Asked) => ({ limit, offset: (page - 1) * limit });

/** The field `pagination` of replies. */
export const paginationOf = ({ page, page_size }: Asked, total: number): Pagination => ({
  total,
  page,
  page_size,
  total_pages: Math.ceil(total / page_size),
});

/** Of a list that is a bare array: without a page, all of it up to a number. */
export function sliceOf(query: { [Name in keyof Asked]?: number | undefined }, atMost: number) {
  const { page = 1, page_size: pageSize } = query;
  const isPaged = query.page !== undefined || pageSize !== undefined;
  const limit = isPaged ? (pageSize ?? USUAL_PAGE_SIZE) : atMost;
  return { page, limit, offset: (page - 1) * limit };
}

interface Page {
  page: number;
  pageSize: number;
  total: number;
}

/** `X-Total-Count` and `Link` (RFC 8288), flat. @param search the query the page was asked for with */
export function pageHeaders(path: string, search: string, { page, pageSize, total }: Page): string[] {
  const linkTo = (number: number, rel: string) => {
    const query = new URLSearchParams(search);
    query.set('page', String(number));
    return `<${path}?${query.toString()}>; rel="${rel}"`;
  };
  const last = Math.ceil(total / pageSize);
  const links = [
    ...(page > 1 ? [linkTo(1, 'first'), linkTo(page - 1, 'prev')] : []),
    ...(page < last ? [linkTo(page + 1, 'next'), linkTo(last, 'last')] : []),
  ];
  const headers = ['X-Total-Count', String(total)];
  return links.length === 0 ? headers : [...headers, 'Link', links.join(', ')];
}
