/** The languages that an owner chooses from. */
import type { Language } from '../../../src/contract/settings.ts';

/** Each named in itself, as the portal's readers know it. */
export const LANGUAGES: readonly (readonly [Language, string])[] = [
  ['en', 'English'],
  ['sw', 'Kiswahili'],
  ['fr', 'Français'],
  ['pt', 'Português'],
  ['es', 'Español'],
  ['ar', 'العربية'],
  ['hi', 'हिन्दी'],
];
