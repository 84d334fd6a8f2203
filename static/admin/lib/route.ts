/** The page is named by the address's hash, since the server has one document: `#/users/12?tab=devices`. */
import { createStore, useStore } from './store.ts';

export interface Route {
  /** `['users', '12']` */
  path: readonly string[];
  query: URLSearchParams;
}

const read = (): Route => {
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?', 2);
  return { path: path.split('/').filter(Boolean).map(decodeURIComponent), query: new URLSearchParams(query) };
};

const route = createStore<Route>(read());
addEventListener('hashchange', () => route.set(read()));

export const useRoute = (): Route => useStore(route);

export const go = (path: string): void => {
  location.hash = path;
};

/** Changes the query of the page that is open, without a step in the history; empty values leave. */
export function setQuery(change: Readonly<Record<string, string | number | null>>): void {
  const { path, query } = read();
  for (const [name, value] of Object.entries(change)) {
    if (value === null || value === '') query.delete(name);
    else query.set(name, String(value));
  }
  const text = query.toString();
  history.replaceState(null, '', `#/${path.map(encodeURIComponent).join('/')}${text === '' ? '' : `?${text}`}`);
  route.set(read());
}

/** A filter of a list, kept in the address so that Back and Reload keep it; changing it goes to the first page. */
export function useFilter(name: string): [value: string, set: (value: string) => void] {
  const { query } = useRoute();
  return [query.get(name) ?? '', value => setQuery({ [name]: value, page: null })];
}

export function usePageNumber(): number {
  return Math.max(1, Number(useRoute().query.get('page') ?? 1) || 1);
}
