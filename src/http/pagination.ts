/** Pages of lists: the `pagination` object of replies, and headers where the interface wants a bare array. */

export interface Page {
  page: number;
  pageSize: number;
  total: number;
}

export const totalPages = ({ total, pageSize }: Page): number => Math.ceil(total / pageSize);

/** The field `pagination` of replies. */
export const paginationView = (page: Page) => ({
  total: page.total,
  page: page.page,
  page_size: page.pageSize,
  total_pages: totalPages(page),
});

/** `X-Total-Count` and `Link` (RFC 8288), flat. @param search the query the page was asked for with */
export function pageHeaders(path: string, search: string, page: Page): string[] {
  const linkTo = (number: number, rel: string) => {
    const query = new URLSearchParams(search);
    query.set('page', String(number));
    return `<${path}?${query.toString()}>; rel="${rel}"`;
  };
  const last = totalPages(page);
  const links = [
    ...(page.page > 1 ? [linkTo(1, 'first'), linkTo(page.page - 1, 'prev')] : []),
    ...(page.page < last ? [linkTo(page.page + 1, 'next'), linkTo(last, 'last')] : []),
  ];
  const headers = ['X-Total-Count', String(page.total)];
  return links.length === 0 ? headers : [...headers, 'Link', links.join(', ')];
}
