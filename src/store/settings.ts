import type { SettingValues, SettingWrites } from '../domain/settings.ts';
import type { Database } from './database.ts';

export function settingRepository(db: Database): SettingWrites {
  const get = db.prepare<[string], string>('SELECT value FROM settings WHERE name = ?').pluck();
  const set = db.prepare(
    `INSERT INTO settings (name, value, updated_at) VALUES (@name, @value, @now)
     ON CONFLICT (name) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at`,
  );
  const clear = db.prepare('DELETE FROM settings WHERE name = ?');
  return {
    get<Name extends keyof SettingValues>(name: Name) {
      const value = get.get(name);
      return value === undefined ? null : (JSON.parse(value) as SettingValues[Name]);
    },
    set: (name, value, now) => void set.run({ name, value: JSON.stringify(value), now }),
    clear: name => void clear.run(name),
  };
}
