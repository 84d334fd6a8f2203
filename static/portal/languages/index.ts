/** Every language of the portal, in the order in which they are offered. */
import type { Language as Code } from '../../../src/contract/settings.ts';
import type { Language } from '../language.ts';
import { ar } from './ar.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { hi } from './hi.ts';
import { pt } from './pt.ts';
import { sw } from './sw.ts';

export const languages: Readonly<Record<Code, Language>> = { en, sw, fr, pt, es, ar, hi };
