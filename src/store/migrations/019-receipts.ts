/** Receipts that number themselves; numbers that were typed have no place in the sequence. */
export const receipts = `
ALTER TABLE payments ADD COLUMN receipt_sequence INTEGER;
CREATE UNIQUE INDEX payments_by_receipt ON payments (receipt_sequence) WHERE receipt_sequence IS NOT NULL;
`;
