/** The routers of a site besides the default one, whose id is 1. */
export const routers = `
CREATE TABLE routers (
  id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id > 1),
  name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  settings TEXT NOT NULL
) STRICT;
INSERT INTO sqlite_sequence (name, seq) VALUES ('routers', 1);
`;
