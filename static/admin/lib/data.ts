/** What pages ask of the API while they show. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, get, getPage, type RowPage } from './api.ts';
import { live } from './live.ts';
import { useRoute } from './route.ts';

export interface Loaded<Data> {
  data: Data | null;
  error: ApiError | null;
  /** Also while newer data is on its way. */
  loading: boolean;
  reload: () => void;
}

interface Options {
  /** Asked again that often, while the page is visible. */
  everyMs?: number;
}

/** @param path null: nothing is asked for */
export const useApi = <Data>(path: string | null, options: Options = {}): Loaded<Data> =>
  useLoaded<Data>(path, get, options);

export const usePage = <Row>(path: string | null, options: Options = {}): Loaded<RowPage<Row>> =>
  useLoaded(path, getPage<Row>, options);

/** The old data stays in view until the new has come: a list that is typed into must not flicker. */
function useLoaded<Data>(
  path: string | null,
  load: (path: string, signal: AbortSignal) => Promise<Data>,
  { everyMs }: Options,
): Loaded<Data> {
  const [state, setState] = useState<Omit<Loaded<Data>, 'reload'>>({ data: null, error: null, loading: path !== null });
  const [turn, setTurn] = useState(0);
  const loader = useRef(load);

  useEffect(() => {
    if (path === null) return;
    const controller = new AbortController();
    setState(before => ({ ...before, loading: true }));
    loader
      .current(path, controller.signal)
      .then(data => setState({ data, error: null, loading: false }))
      .catch((error: unknown) => {
        if (controller.signal.aborted) return;
        setState(before => ({ data: before.data, error: asApiError(error), loading: false }));
      });
    return () => controller.abort();
  }, [path, turn]);

  const reload = useCallback(() => setTurn(count => count + 1), []);
  // What was shown while Lango was gone is old, or the news that nothing came.
  const wasLost = useRef(live.get().by === 'lost');
  useEffect(
    () =>
      live.watch(() => {
        const isLost = live.get().by === 'lost';
        if (wasLost.current && !isLost) reload();
        wasLost.current = isLost;
      }),
    [reload],
  );
  useEffect(() => {
    if (everyMs === undefined) return;
    const timer = setInterval(() => document.visibilityState === 'visible' && reload(), everyMs);
    return () => clearInterval(timer);
  }, [everyMs, reload]);

  return { ...state, reload };
}

export const asApiError = (error: unknown): ApiError =>
  error instanceof ApiError ? error : new ApiError('Something went wrong in this page. Reload it and try again.', -1);

const DEBOUNCE_MS = 250;

/** The value, debounced: what is typed asks the server once, not at every key. */
function useDebounced(value: string): string {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return debounced;
}

/**
 * The filters of a list as the API calls them, once what is typed has rested.
 * @param names the API's, by those of the address
 */
export function useFilters(names: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { query } = useRoute();
  const given = Object.entries(names).map(([name, parameter]) => [parameter, query.get(name) ?? '']);
  // As text: an object would be another one each time, and never rest.
  return JSON.parse(useDebounced(JSON.stringify(Object.fromEntries(given)))) as Record<string, string>;
}
