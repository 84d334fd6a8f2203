/** Counts edits by staff: who edits an older version is told so, as with users. */
export const bundleVersions = `
ALTER TABLE bundles ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
`;
