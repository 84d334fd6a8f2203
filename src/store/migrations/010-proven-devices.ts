/**
 * Whose device is whose: which devices money has named, which were let in on more than a number, and which went from
 * one paying person to another.
 *
 * Of redemptions before this, the books know the device only where it was registered by the redemption itself.
 */
export const provenDevices = `
CREATE TABLE paid_devices (
  user_id INTEGER NOT NULL REFERENCES users (id),
  mac TEXT NOT NULL,
  PRIMARY KEY (user_id, mac)
) STRICT, WITHOUT ROWID;
INSERT OR IGNORE INTO paid_devices SELECT user_id, mac FROM payments
  WHERE status = 'completed' AND mac IS NOT NULL AND user_id IN (SELECT id FROM users WHERE deleted_at IS NULL);
INSERT OR IGNORE INTO paid_devices SELECT devices.user_id, devices.mac
  FROM devices JOIN vouchers ON vouchers.used_by = devices.user_id AND vouchers.used_at = devices.first_connected
  WHERE vouchers.device_allowed = 1 AND devices.user_id IN (SELECT id FROM users WHERE deleted_at IS NULL);

ALTER TABLE devices ADD COLUMN is_proven INTEGER NOT NULL DEFAULT 0 CHECK (is_proven IN (0, 1));
ALTER TABLE devices ADD COLUMN has_moved INTEGER NOT NULL DEFAULT 0 CHECK (has_moved IN (0, 1));
CREATE INDEX devices_moved ON devices (mac, removed_at) WHERE has_moved = 1;
UPDATE devices SET is_proven = 1
  WHERE removed_at IS NULL AND EXISTS (SELECT 1 FROM paid_devices AS paid WHERE paid.user_id = devices.user_id AND paid.mac = devices.mac);
`;
