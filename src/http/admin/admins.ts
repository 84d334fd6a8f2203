/** Who may log in, with which role, and where they are logged in. See docs/rules.md: Admins. */
import type * as v from 'valibot';
import { type Admin, ROLES, requireAdmin } from '../../domain/admins.ts';
import { invalid, LangoError } from '../../domain/errors.ts';
import { attempt, requireConfirmed, sessionSubject } from '../confirmation.ts';
import type { Context } from '../context.ts';
import type { Caller } from '../credentials.ts';
import {
  bool,
  email,
  fields,
  idText,
  newPassword,
  oneOf,
  optional,
  pageSizeText,
  pageText,
  secret,
  text,
  username,
} from '../fields.ts';
import { paginationView } from '../pagination.ts';
import { json } from '../reply.ts';
import { type Api, route } from '../route.ts';
import { adminRecordView, adminSessionView } from '../views/admins.ts';

const Page = fields({ page: pageText(), page_size: pageSizeText() });
const OneAdmin = fields({ admin_id: idText() });
const OneSession = fields({ session_id: idText() });
const Create = fields({ username: username(), password: newPassword(), email: optional(email()), role: oneOf(ROLES) });
const Update = fields({
  email: optional(email()),
  first_name: optional(text(100)),
  last_name: optional(text(100)),
  role: optional(oneOf(ROLES)),
  is_active: optional(bool()),
});
const Password = fields({ password: newPassword(), current_password: optional(secret(1_024)) });

export function adminRoutes(api: Api, context: Context): void {
  const { reads, commit, clock, passwords, limits } = context;
  /** @throws LangoError VALIDATION it is wrong */
  const requirePassword = (adminId: number, password: string) =>
    attempt(limits.adminAttempts.take(null, sessionSubject(adminId)), async () => {
      const isRight = await passwords.verify(reads.admins.passwordHashOf(adminId), password);
      if (!isRight) invalid('current_password', 'This is not your password.');
    });

  api.get(
    '/admin/admins/',
    route({ auth: 'owner', query: Page }, ({ query }) => {
      const { rows, pagination } = pageOf(reads.admins.list(), query);
      return json(200, { success: true, admins: rows.map(adminRecordView), pagination });
    }),
  );

  api.post(
    '/admin/admins/',
    route({ auth: 'owner', body: Create }, async ({ body, caller, actor }) => {
      requireConfirmed(context, caller);
      const input = {
        username: body.username,
        passwordHash: await passwords.hash(body.password),
        email: body.email ?? '',
        role: body.role,
        onlyFirst: false,
      };
      const admin = await commit('createAdmin', input, actor);
      return json(201, { success: true, message: 'The admin was created.', admin: adminRecordView(admin) });
    }),
  );

  api.put(
    '/admin/admins/:admin_id/',
    route({ auth: 'owner', params: OneAdmin, body: Update }, async ({ params, body, caller, actor }) => {
      if (changesPowers(requireAdmin(reads, params.admin_id), body)) requireConfirmed(context, caller);
      const { email: address, role, first_name: firstName, last_name: lastName, is_active: isActive } = body;
      const input = { adminId: params.admin_id, change: { email: address, firstName, lastName, role, isActive } };
      const admin = await commit('updateAdmin', input, actor);
      return json(200, { success: true, message: 'The admin was updated.', admin: adminRecordView(admin) });
    }),
  );

  api.post(
    '/admin/admins/:admin_id/password/',
    route(
      { auth: 'cashier', params: OneAdmin, body: Password, limit: limits.login },
      async ({ params, body, caller, actor }) => {
        const adminId = params.admin_id;
        requireOwnerOrSelf(caller, adminId);
        requireAdmin(reads, adminId);
        if (isSelf(caller, adminId)) await requirePassword(adminId, body.current_password ?? '');
        else requireConfirmed(context, caller);
        const passwordHash = await passwords.hash(body.password);
        await commit('setAdminPassword', { adminId, passwordHash }, actor);
        const message = 'The password was changed, and every session of this admin has ended.';
        return json(200, { success: true, message });
      },
    ),
  );

  api.get(
    '/admin/admins/:admin_id/sessions/',
    route({ auth: 'cashier', params: OneAdmin, query: Page }, ({ params, query, caller }) => {
      requireOwnerOrSelf(caller, params.admin_id);
      requireAdmin(reads, params.admin_id);
      const { rows, pagination } = pageOf(reads.admins.liveSessionsOf(params.admin_id, clock.now()), query);
      const current = caller.kind === 'session' ? caller.session.id : null;
      return json(200, { success: true, sessions: rows.map(row => adminSessionView(row, current)), pagination });
    }),
  );

  api.post(
    '/admin/sessions/:session_id/end/',
    route({ auth: 'cashier', params: OneSession }, async ({ params, caller, actor }) => {
      const sessionId = params.session_id;
      const session = reads.admins.liveSession(sessionId, clock.now());
      // To others than owners, a session of somebody else is as good as none.
      if (session === null || !(isOwner(caller) || isSelf(caller, session.adminId))) {
        throw new LangoError('NOT_FOUND', 'There is no session with this id.');
      }
      if (!isSelf(caller, session.adminId)) requireConfirmed(context, caller);
      await commit('endAdminSession', { sessionId }, actor);
      return json(200, { success: true, message: 'The session has ended.' });
    }),
  );
}

function pageOf<Row>(all: readonly Row[], { page, page_size: pageSize }: { page: number; page_size: number }) {
  const rows = all.slice((page - 1) * pageSize, page * pageSize);
  return { rows, pagination: paginationView({ page, pageSize, total: all.length }) };
}

/** Who may do what. */
const changesPowers = (admin: Admin, { role, is_active: isActive }: v.InferOutput<typeof Update>): boolean =>
  (role ?? admin.role) !== admin.role || (isActive ?? admin.isActive) !== admin.isActive;

const isOwner = (caller: Caller): boolean => caller.kind === 'static-token' || caller.session.admin.role === 'owner';

const isSelf = (caller: Caller, adminId: number): boolean =>
  caller.kind === 'session' && caller.session.admin.id === adminId;

/** @throws LangoError FORBIDDEN */
function requireOwnerOrSelf(caller: Caller, adminId: number): void {
  if (isOwner(caller) || isSelf(caller, adminId)) return;
  throw new LangoError('FORBIDDEN', 'Only an owner may do this for another admin.');
}
