/** So that a device is shown the order that it has open, whosever number it was made with. */
export const ordersOfDevices = `
CREATE INDEX payments_open_of_device ON payments (mac, made_from) WHERE method = 'online' AND status = 'pending';
`;
