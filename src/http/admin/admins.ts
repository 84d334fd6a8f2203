/** Who may log in, with which role, and where they are logged in. See docs/rules.md: Admins. */
import {
  type ChangedAdmin,
  createAdmin,
  endAdminSession,
  listAdminSessions,
  listAdmins,
  setAdminPassword,
  updateAdmin,
} from '../../contract/admins.ts';
import { type Admin, requireAdmin } from '../../domain/admins.ts';
import { invalid, LangoError } from '../../domain/errors.ts';
import { attempt, requireConfirmed, sessionSubject } from '../confirmation.ts';
import type { Context } from '../context.ts';
import type { Caller } from '../credentials.ts';
import { type CamelCased, camelCased } from '../names.ts';
import { paginationOf, rowsOf } from '../pagination.ts';
import type { Api } from '../route.ts';
import { adminRecordView, adminSessionView } from '../views/admins.ts';

export function adminRoutes(api: Api, context: Context): void {
  const { reads, commit, clock, passwords, limits } = context;
  /** @throws LangoError VALIDATION it is wrong */
  const requirePassword = (adminId: number, password: string) =>
    attempt(limits.adminAttempts.take(null, sessionSubject(adminId)), async () => {
      const isRight = await passwords.verify(reads.admins.passwordHashOf(adminId), password);
      if (!isRight) invalid('current_password', 'This is not your password.');
    });

  api.handle(listAdmins, ({ query }) => {
    const admins = reads.admins.list();
    const shown = pageOf(admins, query).map(adminRecordView);
    return { success: true, admins: shown, pagination: paginationOf(query, admins.length) };
  });

  api.handle(createAdmin, async ({ body: { username, password, email = '', role }, caller, actor }) => {
    requireConfirmed(context, caller);
    const passwordHash = await passwords.hash(password);
    const admin = await commit('createAdmin', { username, passwordHash, email, role, onlyFirst: false }, actor);
    return { success: true, message: 'The admin was created.', admin: adminRecordView(admin) };
  });

  api.handle(updateAdmin, async ({ params: { admin_id: adminId }, body, caller, actor }) => {
    const change = camelCased(body);
    if (changesPowers(requireAdmin(reads, adminId), change)) requireConfirmed(context, caller);
    const admin = await commit('updateAdmin', { adminId, change }, actor);
    return { success: true, message: 'The admin was updated.', admin: adminRecordView(admin) };
  });

  api.handle(
    setAdminPassword,
    async ({ params: { admin_id: adminId }, body, caller, actor }) => {
      requireOwnerOrSelf(caller, adminId);
      requireAdmin(reads, adminId);
      if (isSelf(caller, adminId)) await requirePassword(adminId, body.current_password ?? '');
      else requireConfirmed(context, caller);
      const passwordHash = await passwords.hash(body.password);
      await commit('setAdminPassword', { adminId, passwordHash }, actor);
      return { success: true, message: 'The password was changed, and every session of this admin has ended.' };
    },
    { limit: limits.login },
  );

  api.handle(listAdminSessions, ({ params: { admin_id: adminId }, query, caller }) => {
    requireOwnerOrSelf(caller, adminId);
    requireAdmin(reads, adminId);
    const sessions = reads.admins.liveSessionsOf(adminId, clock.now());
    const current = caller.kind === 'session' ? caller.session.id : null;
    const shown = pageOf(sessions, query).map(session => adminSessionView(session, current));
    return { success: true, sessions: shown, pagination: paginationOf(query, sessions.length) };
  });

  api.handle(endAdminSession, async ({ params: { session_id: sessionId }, caller, actor }) => {
    const session = reads.admins.liveSession(sessionId, clock.now());
    // To others than owners, a session of somebody else is as good as none.
    if (session === null || !(isOwner(caller) || isSelf(caller, session.adminId))) {
      throw new LangoError('NOT_FOUND', 'There is no session with this id.');
    }
    if (!isSelf(caller, session.adminId)) requireConfirmed(context, caller);
    await commit('endAdminSession', { sessionId }, actor);
    return { success: true, message: 'The session has ended.' };
  });
}

function pageOf<Row>(all: readonly Row[], query: Parameters<typeof rowsOf>[0]): Row[] {
  const { offset, limit } = rowsOf(query);
  return all.slice(offset, offset + limit);
}

/** Who may do what. */
const changesPowers = (admin: Admin, { role, isActive }: CamelCased<ChangedAdmin>): boolean =>
  (role ?? admin.role) !== admin.role || (isActive ?? admin.isActive) !== admin.isActive;

const isOwner = (caller: Caller): boolean => caller.kind === 'static-token' || caller.session.admin.role === 'owner';

const isSelf = (caller: Caller, adminId: number): boolean =>
  caller.kind === 'session' && caller.session.admin.id === adminId;

/** @throws LangoError FORBIDDEN */
function requireOwnerOrSelf(caller: Caller, adminId: number): void {
  if (isOwner(caller) || isSelf(caller, adminId)) return;
  throw new LangoError('FORBIDDEN', 'Only an owner may do this for another admin.');
}
