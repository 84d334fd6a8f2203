/** Free bundles: how often each is given, and to whom it was. */
export const freeAccess = `
ALTER TABLE bundles ADD COLUMN free_every_hours INTEGER NOT NULL DEFAULT 24 CHECK (free_every_hours BETWEEN 1 AND 8760);
CREATE TABLE free_claims (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  bundle_id INTEGER NOT NULL REFERENCES bundles (id),
  user_id INTEGER NOT NULL REFERENCES users (id),
  mac TEXT NOT NULL,
  at TEXT NOT NULL
) STRICT;
CREATE INDEX free_claims_of_device ON free_claims (mac, bundle_id, at);
CREATE INDEX free_claims_of_user ON free_claims (user_id, bundle_id, at);
CREATE INDEX free_claims_of_bundle ON free_claims (bundle_id);
CREATE INDEX free_claims_by_age ON free_claims (at);
`;
