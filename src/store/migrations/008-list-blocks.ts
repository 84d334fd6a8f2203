/**
 * 002 was changed after files had been made with it: these count lists in blocks of 2,048 ids, where the program looks
 * for blocks of 512, and lack a column in an index. Everything that differs is made anew, so all files are the same.
 */
export const listBlocks = `
DROP INDEX users_by_state;
CREATE INDEX users_by_state ON users (is_active, id, paid_until, deleted_at) WHERE deleted_at IS NULL;

DROP TRIGGER payments_list_insert;
DROP TRIGGER payments_list_update;
DROP TRIGGER users_list_insert;
DROP TRIGGER users_list_block;
DROP TRIGGER users_list_delete;
DELETE FROM list_blocks;
INSERT INTO list_blocks SELECT 'payments', id / 512, count(*) FROM payments GROUP BY 2;
INSERT INTO list_blocks SELECT 'payments.' || status, id / 512, count(*) FROM payments GROUP BY 1, 2;
INSERT INTO list_blocks SELECT 'users', id / 512, count(*) FROM users WHERE deleted_at IS NULL GROUP BY 2;
INSERT INTO list_blocks SELECT 'users.' || is_active, id / 512, count(*) FROM users WHERE deleted_at IS NULL GROUP BY 1, 2;
CREATE TRIGGER payments_list_insert AFTER INSERT ON payments BEGIN
  INSERT INTO list_blocks VALUES ('payments', NEW.id / 512, 1), ('payments.' || NEW.status, NEW.id / 512, 1)
    ON CONFLICT DO UPDATE SET rows = rows + 1;
END;
CREATE TRIGGER payments_list_update AFTER UPDATE OF status ON payments WHEN NEW.status <> OLD.status BEGIN
  UPDATE list_blocks SET rows = rows - 1 WHERE list = 'payments.' || OLD.status AND block = OLD.id / 512;
  INSERT INTO list_blocks VALUES ('payments.' || NEW.status, NEW.id / 512, 1) ON CONFLICT DO UPDATE SET rows = rows + 1;
END;
CREATE TRIGGER users_list_insert AFTER INSERT ON users BEGIN
  INSERT INTO list_blocks VALUES ('users', NEW.id / 512, 1), ('users.' || NEW.is_active, NEW.id / 512, 1)
    ON CONFLICT DO UPDATE SET rows = rows + 1;
END;
CREATE TRIGGER users_list_block AFTER UPDATE OF is_active ON users
WHEN NEW.is_active <> OLD.is_active AND OLD.deleted_at IS NULL AND NEW.deleted_at IS NULL BEGIN
  UPDATE list_blocks SET rows = rows - 1 WHERE list = 'users.' || OLD.is_active AND block = OLD.id / 512;
  INSERT INTO list_blocks VALUES ('users.' || NEW.is_active, NEW.id / 512, 1) ON CONFLICT DO UPDATE SET rows = rows + 1;
END;
CREATE TRIGGER users_list_delete AFTER UPDATE OF deleted_at ON users
WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL BEGIN
  UPDATE list_blocks SET rows = rows - 1 WHERE list IN ('users', 'users.' || OLD.is_active) AND block = OLD.id / 512;
END;
`;
