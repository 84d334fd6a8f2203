/** Networks and addresses as RouterOS writes them: `10.5.50.1/24`, `10.5.50.10-10.5.50.254`. */
import ipaddr from 'ipaddr.js';

export function contains(network: string, address: string): boolean {
  if (!ipaddr.IPv4.isValidCIDR(network) || !ipaddr.IPv4.isValid(address)) return false;
  return ipaddr.IPv4.parse(address).match(ipaddr.IPv4.parseCIDR(network));
}

/** `10.5.50.1/24` → `10.5.50.0/24` */
export function networkOf(address: string): string {
  return `${ipaddr.IPv4.networkAddressFromCIDR(address).toString()}/${address.split('/')[1]}`;
}

/** @param ranges of a pool, separated by commas */
export function poolContains(ranges: string, address: string): boolean {
  const wanted = numberOf(address);
  return ranges.split(',').some(range => {
    if (range.includes('/')) return contains(range, address);
    const [first = '', last = first] = range.split('-');
    return numberOf(first) <= wanted && wanted <= numberOf(last);
  });
}

function numberOf(address: string): number {
  return address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
}
