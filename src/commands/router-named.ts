/** Which of the site's routers a command is about: `--router NAME_OR_ID`, the default one without it. */
import { DEFAULT_ROUTER, type Router, routerIn } from '../domain/routers.ts';
import { UsageError } from './command.ts';

/** What to write behind a command so that it is about this router. */
export const routerOption = ({ id }: Router): string => (id === DEFAULT_ROUTER ? '' : ` --router ${id}`);

/** @param wanted null: the default one @throws UsageError it is not among them */
export function routerNamed(routers: readonly Router[], wanted: string | null): Router {
  if (wanted === null) return routerIn(routers, DEFAULT_ROUTER);
  const byName = routers.find(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  const router = byName ?? routers.find(({ id }) => String(id) === wanted);
  if (router !== undefined) return router;
  const known = routers.map(({ id, name }) => `  ${id}  ${name}`);
  throw new UsageError([`There is no router "${wanted}". Give the number or the name of one of these:`, ...known]);
}
