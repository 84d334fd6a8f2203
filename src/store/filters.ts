/** What filters of lists share, as SQL. */
import type { PhoneSearch } from '../domain/phone.ts';

export interface Sql {
  text: string;
  params: Record<string, string | number>;
}

/** @param name of the parameter, which is added to `params` */
export function phoneTerm(phone: PhoneSearch, name: string, params: Sql['params']): string {
  // Canonical numbers that hold these digits. A deleted person's column holds no number, so never fits.
  params[name] = 'is' in phone ? phone.is : `+*${phone.contains}*`;
  return 'is' in phone ? `phone = @${name}` : `phone GLOB @${name}`;
}
