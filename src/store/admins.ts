import type { Admin, AdminSession, AdminWrites, SecondFactor } from '../domain/admins.ts';
import { NO_SECOND_FACTOR } from '../domain/second-factor.ts';
import type { Database } from './database.ts';
import { changes, exists, numberOf } from './statements.ts';
import { type Columns, flag, json, table } from './table.ts';

const ADMIN: Columns<Admin> = {
  id: 'id',
  username: 'username',
  email: 'email',
  firstName: 'first_name',
  lastName: 'last_name',
  role: 'role',
  isActive: flag('is_active'),
  hasTotp: flag('(totp_confirmed_at IS NOT NULL)'),
  createdAt: 'created_at',
  lastLoginAt: 'last_login_at',
};

const FACTOR: Columns<SecondFactor> = {
  secret: 'totp_secret',
  confirmedAt: 'totp_confirmed_at',
  lastStep: 'totp_last_step',
  recoveryHashes: json('recovery_codes'),
};

const SESSION: Columns<AdminSession> = {
  id: 'id',
  adminId: 'admin_id',
  tokenHash: 'token_hash',
  accessHash: 'access_hash',
  createdAt: 'created_at',
  confirmedAt: 'confirmed_at',
  lastUsedAt: 'last_used_at',
  expiresAt: 'expires_at',
  endsAt: 'ends_at',
  ip: 'ip_address',
  userAgent: 'user_agent',
};

/** Where an admin logged in, as many as are remembered. */
const MOST_NETWORKS = 50;

export function adminRepository(db: Database): AdminWrites {
  const admins = table<Admin, { passwordHash: string }>(db, 'admins', ADMIN, {
    hidden: { passwordHash: 'password_hash' },
  });
  const byId = admins.select<[number]>('WHERE id = ?').get;
  const passwordHash = db.prepare<[number], string>('SELECT password_hash FROM admins WHERE id = ?').pluck();
  const factors = table(db, 'admins', FACTOR);
  const factorOf = factors.select<[number]>('WHERE id = ?');
  const sessions = table(db, 'sessions', SESSION);
  const liveSessions = (column: 'id' | 'admin_id' | 'token_hash' | 'access_hash', order = '') =>
    sessions.select<[object]>(`WHERE ${column} = @value AND expires_at > @now AND ends_at > @now ${order}`);
  const byToken = liveSessions('token_hash');
  const byAccess = liveSessions('access_hash');
  const sessionById = liveSessions('id');
  const sessionsOf = liveSessions('admin_id', 'ORDER BY last_used_at DESC, id DESC');
  const upsertNetwork = db.prepare(
    `INSERT INTO admin_networks (admin_id, network, last_login_at) VALUES (@id, @network, @now)
     ON CONFLICT DO UPDATE SET last_login_at = excluded.last_login_at`,
  );
  const forgetNetworks = db.prepare(
    `DELETE FROM admin_networks WHERE admin_id = @id AND network NOT IN
       (SELECT network FROM admin_networks WHERE admin_id = @id ORDER BY last_login_at DESC LIMIT ${MOST_NETWORKS})`,
  );
  const endSession = db.prepare('DELETE FROM sessions WHERE id = ?');

  const withAdmin = (session: AdminSession | null) => {
    const admin = session === null ? null : byId(session.adminId);
    return session !== null && admin?.isActive ? { session, admin } : null;
  };
  return {
    byId,
    byUsername: admins.select<[string]>('WHERE username = ?').get,
    passwordHashOf: id => passwordHash.get(id) ?? null,
    list: admins.select<[]>('ORDER BY username').all,
    count: numberOf(db, 'SELECT count(*) FROM admins'),
    secondFactorOf(id) {
      const factor = factorOf.get(id) ?? NO_SECOND_FACTOR;
      return { ...factor, recoveryHashes: factor.recoveryHashes ?? [] };
    },
    liveSession: (id, now) => withAdmin(sessionById.get({ value: id, now }))?.session ?? null,
    liveSessionsOf: (adminId, now) => sessionsOf.all({ value: adminId, now }),
    sessionByToken: (hash, now) => withAdmin(byToken.get({ value: hash, now })),
    sessionByAccess: (hash, now) => withAdmin(byAccess.get({ value: hash, now })),
    insert: admins.add,
    setPasswordHash: (id, hash) => admins.update(id, { passwordHash: hash }),
    update: admins.update,
    setSecondFactor: factors.update,
    knowsNetwork: exists(db, 'SELECT 1 FROM admin_networks WHERE admin_id = ? AND network = ?'),
    recordLogin(id, network, now) {
      admins.update(id, { lastLoginAt: now });
      if (network === null) return;
      upsertNetwork.run({ id, network, now });
      forgetNetworks.run({ id });
    },
    insertSession: sessions.add,
    confirmSession: (id, now) => sessions.update(id, { confirmedAt: now }),
    touchSession: (id, usedAt, expiresAt) => sessions.update(id, { lastUsedAt: usedAt, expiresAt }),
    endSession: id => void endSession.run(id),
    endSessionsOf: changes(db, 'DELETE FROM sessions WHERE admin_id = ?'),
    pruneSessions: changes(
      db,
      'DELETE FROM sessions WHERE id IN (SELECT id FROM sessions WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)',
    ),
  };
}
