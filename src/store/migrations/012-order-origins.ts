/** Where orders were made, so that strangers use up neither a person's open orders nor the questions about them. */
export const orderOrigins = `
ALTER TABLE payments ADD COLUMN made_from TEXT;
CREATE INDEX payments_open_by_origin ON payments (user_id, made_from) WHERE method = 'online' AND status = 'pending';
`;
