/** What messages say, per language. Each fits one GSM-7 message of 160 characters with its values filled in. */
import type { SmsKind } from './sms.ts';

export interface SmsValues {
  bundle: string;
  amount: string;
  /** Local time, `2026-11-21 18:20`. */
  until: string;
  code?: string;
}

type Texts = Record<SmsKind, (values: SmsValues) => string>;

const english: Texts = {
  payment_received: v => `We received ${v.amount} for ${v.bundle}. Your internet runs until ${v.until}.`,
  voucher_redeemed: v => `Your voucher for ${v.bundle} is in use. Your internet runs until ${v.until}.`,
  access_ending: v => `Your internet ends at ${v.until}. Join the Wi-Fi and open the portal to renew.`,
  access_expired: () => 'Your internet time is over. Join the Wi-Fi and open the portal to buy more.',
  refund: v => `${v.amount} for ${v.bundle} is being paid back to you.`,
  vouchers: v => `Wi-Fi voucher for ${v.bundle}: ${v.code ?? ''}`,
};

const swahili: Texts = {
  payment_received: v => `Tumepokea ${v.amount} kwa ${v.bundle}. Intaneti yako inaisha ${v.until}.`,
  voucher_redeemed: v => `Vocha yako ya ${v.bundle} inatumika. Intaneti yako inaisha ${v.until}.`,
  access_ending: v => `Intaneti yako inaisha ${v.until}. Jiunge na Wi-Fi, fungua ukurasa wetu kuongeza muda.`,
  access_expired: () => 'Muda wako wa intaneti umeisha. Jiunge na Wi-Fi, fungua ukurasa wetu kununua tena.',
  refund: v => `${v.amount} ya ${v.bundle} inarudishwa kwako.`,
  vouchers: v => `Vocha ya Wi-Fi ya ${v.bundle}: ${v.code ?? ''}`,
};

const textsByLanguage: Record<string, Texts> = { en: english, sw: swahili };

/** GSM 03.38's default alphabet, without the extension table: each character takes one of 160 places. */
const GSM_ALPHABET =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const LONGEST = 160;

/** A language without texts of its own gets English. Names are shortened until the message fits. */
export function smsText(kind: SmsKind, language: string, values: SmsValues): string {
  const texts = textsByLanguage[language] ?? english;
  const bundle = toGsm(values.bundle);
  for (let length = bundle.length; ; length -= 1) {
    const text = toGsm(texts[kind]({ ...values, bundle: bundle.slice(0, length) }));
    if (text.length <= LONGEST || length === 0) return text.slice(0, LONGEST);
  }
}

/** Letters outside the alphabet lose their accents; what is still outside becomes a question mark. */
export function toGsm(text: string): string {
  return [...text]
    .map(letter => (GSM_ALPHABET.includes(letter) ? letter : letter.normalize('NFD').replace(/\p{M}/gu, '')))
    .map(letter => ([...letter].every(part => GSM_ALPHABET.includes(part)) ? letter : '?'))
    .join('');
}
