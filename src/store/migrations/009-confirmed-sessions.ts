/** When each session's password was given last, and from where each admin has logged in. */
export const confirmedSessions = `
ALTER TABLE sessions ADD COLUMN confirmed_at TEXT NOT NULL DEFAULT '';
UPDATE sessions SET confirmed_at = created_at;
CREATE TABLE admin_networks (
  admin_id INTEGER NOT NULL REFERENCES admins (id),
  network TEXT NOT NULL,
  last_login_at TEXT NOT NULL,
  PRIMARY KEY (admin_id, network)
) STRICT, WITHOUT ROWID;
CREATE INDEX admin_networks_by_login ON admin_networks (admin_id, last_login_at);
`;
