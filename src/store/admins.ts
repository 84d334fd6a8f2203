import type { Admin, AdminSession, AdminWrites, Role, SecondFactor } from '../domain/admins.ts';
import type { Instant } from '../domain/time.ts';
import type { Database } from './database.ts';

const ADMIN_COLUMNS =
  'id, username, email, first_name, last_name, role, is_active, totp_confirmed_at, created_at, last_login_at';
const SESSION_COLUMNS =
  'id, admin_id, token_hash, access_hash, created_at, confirmed_at, last_used_at, expires_at, ends_at, ip_address, user_agent';

/** Where an admin logged in, as many as are remembered. */
const MOST_NETWORKS = 50;

interface AdminRow {
  id: number;
  username: string;
  email: string;
  first_name: string;
  last_name: string;
  role: Role;
  is_active: 0 | 1;
  totp_confirmed_at: Instant | null;
  created_at: Instant;
  last_login_at: Instant | null;
}

interface SessionRow {
  id: number;
  admin_id: number;
  token_hash: string;
  access_hash: string;
  created_at: Instant;
  confirmed_at: Instant;
  last_used_at: Instant;
  expires_at: Instant;
  ends_at: Instant;
  ip_address: string | null;
  user_agent: string | null;
}

const toAdmin = (row: AdminRow): Admin => ({
  id: row.id,
  username: row.username,
  email: row.email,
  firstName: row.first_name,
  lastName: row.last_name,
  role: row.role,
  isActive: row.is_active === 1,
  hasTotp: row.totp_confirmed_at !== null,
  createdAt: row.created_at,
  lastLoginAt: row.last_login_at,
});

const toSession = (row: SessionRow): AdminSession => ({
  id: row.id,
  adminId: row.admin_id,
  tokenHash: row.token_hash,
  accessHash: row.access_hash,
  createdAt: row.created_at,
  confirmedAt: row.confirmed_at,
  lastUsedAt: row.last_used_at,
  expiresAt: row.expires_at,
  endsAt: row.ends_at,
  ip: row.ip_address,
  userAgent: row.user_agent,
});

interface FactorRow {
  totp_secret: string | null;
  totp_confirmed_at: Instant | null;
  totp_last_step: number | null;
  recovery_codes: string | null;
}

const toFactor = (row: FactorRow | undefined): SecondFactor => ({
  secret: row?.totp_secret ?? null,
  confirmedAt: row?.totp_confirmed_at ?? null,
  lastStep: row?.totp_last_step ?? null,
  recoveryHashes: JSON.parse(row?.recovery_codes ?? '[]') as string[],
});

export function adminRepository(db: Database): AdminWrites {
  const byId = db.prepare<[number], AdminRow>(`SELECT ${ADMIN_COLUMNS} FROM admins WHERE id = ?`);
  const byUsername = db.prepare<[string], AdminRow>(`SELECT ${ADMIN_COLUMNS} FROM admins WHERE username = ?`);
  const passwordHash = db.prepare<[number], string>('SELECT password_hash FROM admins WHERE id = ?').pluck();
  const list = db.prepare<[], AdminRow>(`SELECT ${ADMIN_COLUMNS} FROM admins ORDER BY username`);
  const count = db.prepare<[], number>('SELECT count(*) FROM admins').pluck();
  const liveSessions = (column: 'id' | 'admin_id' | 'token_hash' | 'access_hash', order = '') =>
    db.prepare<[object], SessionRow>(
      `SELECT ${SESSION_COLUMNS} FROM sessions WHERE ${column} = @value AND expires_at > @now AND ends_at > @now ${order}`,
    );
  const byToken = liveSessions('token_hash');
  const byAccess = liveSessions('access_hash');
  const sessionById = liveSessions('id');
  const sessionsOf = liveSessions('admin_id', 'ORDER BY last_used_at DESC, id DESC');
  const insert = db.prepare<[object], AdminRow>(
    `INSERT INTO admins (username, email, first_name, last_name, role, is_active, created_at, password_hash)
     VALUES (@username, @email, @firstName, @lastName, @role, @isActive, @createdAt, @passwordHash) RETURNING ${ADMIN_COLUMNS}`,
  );
  const setPasswordHash = db.prepare('UPDATE admins SET password_hash = @hash WHERE id = @id');
  const update = db.prepare(
    `UPDATE admins SET email = @email, first_name = @firstName, last_name = @lastName, role = @role, is_active = @isActive
     WHERE id = @id`,
  );
  const factor = db.prepare<[number], FactorRow>(
    'SELECT totp_secret, totp_confirmed_at, totp_last_step, recovery_codes FROM admins WHERE id = ?',
  );
  const setFactor = db.prepare(
    `UPDATE admins SET totp_secret = @secret, totp_confirmed_at = @confirmedAt, totp_last_step = @lastStep,
       recovery_codes = @recoveryCodes
     WHERE id = @id`,
  );
  const noteLogin = db.prepare('UPDATE admins SET last_login_at = @now WHERE id = @id');
  const noteNetwork = db.prepare(
    `INSERT INTO admin_networks (admin_id, network, last_login_at) VALUES (@id, @network, @now)
     ON CONFLICT DO UPDATE SET last_login_at = excluded.last_login_at`,
  );
  const forgetNetworks = db.prepare(
    `DELETE FROM admin_networks WHERE admin_id = @id AND network NOT IN
       (SELECT network FROM admin_networks WHERE admin_id = @id ORDER BY last_login_at DESC LIMIT ${MOST_NETWORKS})`,
  );
  const knowsNetwork = db
    .prepare<[number, string], 1>('SELECT 1 FROM admin_networks WHERE admin_id = ? AND network = ?')
    .pluck();
  const insertSession = db.prepare<[object], SessionRow>(
    `INSERT INTO sessions (admin_id, token_hash, access_hash, created_at, confirmed_at, last_used_at, expires_at, ends_at, ip_address, user_agent)
     VALUES (@adminId, @tokenHash, @accessHash, @createdAt, @confirmedAt, @lastUsedAt, @expiresAt, @endsAt, @ip, @userAgent)
     RETURNING ${SESSION_COLUMNS}`,
  );
  const confirmSession = db.prepare('UPDATE sessions SET confirmed_at = @now WHERE id = @id');
  const touchSession = db.prepare('UPDATE sessions SET last_used_at = @usedAt, expires_at = @expiresAt WHERE id = @id');
  const endSession = db.prepare('DELETE FROM sessions WHERE id = ?');
  const endSessionsOf = db.prepare('DELETE FROM sessions WHERE admin_id = ?');
  const prune = db.prepare(
    'DELETE FROM sessions WHERE id IN (SELECT id FROM sessions WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)',
  );

  const find = (row: AdminRow | undefined): Admin | null => (row === undefined ? null : toAdmin(row));
  const withAdmin = (row: SessionRow | undefined) => {
    const admin = row === undefined ? undefined : byId.get(row.admin_id);
    return row === undefined || admin === undefined || admin.is_active === 0
      ? null
      : { session: toSession(row), admin: toAdmin(admin) };
  };
  return {
    byId: id => find(byId.get(id)),
    byUsername: username => find(byUsername.get(username)),
    passwordHashOf: id => passwordHash.get(id) ?? null,
    list: () => list.all().map(toAdmin),
    count: () => count.get() as number,
    secondFactorOf: id => toFactor(factor.get(id)),
    liveSession: (id, now) => withAdmin(sessionById.get({ value: id, now }))?.session ?? null,
    liveSessionsOf: (adminId, now) => sessionsOf.all({ value: adminId, now }).map(toSession),
    sessionByToken: (hash, now) => withAdmin(byToken.get({ value: hash, now })),
    sessionByAccess: (hash, now) => withAdmin(byAccess.get({ value: hash, now })),
    insert: admin => toAdmin(insert.get({ ...admin, isActive: Number(admin.isActive) }) as AdminRow),
    setPasswordHash: (id, hash) => void setPasswordHash.run({ id, hash }),
    update(id, { email, firstName, lastName, role, isActive }) {
      update.run({ id, email, firstName, lastName, role, isActive: Number(isActive) });
    },
    setSecondFactor(id, { secret, confirmedAt, lastStep, recoveryHashes }) {
      const recoveryCodes = recoveryHashes.length === 0 ? null : JSON.stringify(recoveryHashes);
      setFactor.run({ id, secret, confirmedAt, lastStep, recoveryCodes });
    },
    knowsNetwork: (adminId, network) => knowsNetwork.get(adminId, network) !== undefined,
    noteLogin(id, network, now) {
      noteLogin.run({ id, now });
      if (network === null) return;
      noteNetwork.run({ id, network, now });
      forgetNetworks.run({ id });
    },
    insertSession: session => toSession(insertSession.get(session) as SessionRow),
    confirmSession: (id, now) => void confirmSession.run({ id, now }),
    touchSession: (id, usedAt, expiresAt) => void touchSession.run({ id, usedAt, expiresAt }),
    endSession: id => void endSession.run(id),
    endSessionsOf: adminId => endSessionsOf.run(adminId).changes,
    pruneSessions: (now, limit) => prune.run(now, limit).changes,
  };
}
