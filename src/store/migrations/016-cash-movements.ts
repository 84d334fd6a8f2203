/** What is put into a drawer and taken out of it besides sales, with the reason. */
export const cashMovements = `
CREATE TABLE cash_movements (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  shift_id INTEGER NOT NULL REFERENCES shifts (id),
  amount_minor INTEGER NOT NULL CHECK (amount_minor <> 0),
  reason TEXT NOT NULL,
  at TEXT NOT NULL
) STRICT;
CREATE INDEX cash_movements_by_shift ON cash_movements (shift_id, id);
`;
