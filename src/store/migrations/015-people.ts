/**
 * Staff give a person a name and a note. They are searched by any part, along an index that holds only those who have
 * one: names are seldom given.
 */
export const people = `
ALTER TABLE users ADD COLUMN name TEXT;
ALTER TABLE users ADD COLUMN note TEXT;
CREATE INDEX users_described ON users (name, note) WHERE name IS NOT NULL OR note IS NOT NULL;
`;
