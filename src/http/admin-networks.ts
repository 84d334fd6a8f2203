/** What of the appliance is there for addresses outside the admin networks: everything but the admin API and site. */
import type { Route } from './route.ts';
import type { Mount } from './router.ts';

/** The public routes, without those by which an admin comes in. */
export function publicRoutes(routes: readonly Route[]): Route[] {
  return routes.filter(({ auth, path }) => auth === 'none' && !path.startsWith('/auth/'));
}

/** What is staff's answers as a path at which there is nothing. */
export function publicMounts(mounts: readonly Mount[]): Mount[] {
  return mounts.map(mount =>
    mount.isStaffs ? { ...mount, methods: 'any', handle: (_request, _response, notFound) => notFound() } : mount,
  );
}
