/** What somebody made lately, and what was sold in somebody's shifts, without looking at all of it. */
export const makersOfBatches = `
CREATE INDEX voucher_batches_by_maker ON voucher_batches (created_by, created_at);
CREATE INDEX shifts_by_admin ON shifts (admin_id, id);
`;
