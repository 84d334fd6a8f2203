/**
 * What messages say, per language, and what fits into one message.
 *
 * A message of the GSM alphabet has 160 places; one letter outside of it makes the whole message UCS-2, with 70
 * places, and twice or three times the price. So every message is written in the GSM alphabet: letters with accents
 * that it lacks lose them, and languages that it cannot write at all (Arabic, Hindi) get English.
 */
import type { SmsKind } from './sms.ts';

export interface SmsValues {
  bundle: string;
  amount: string;
  /** Local time, `2026-11-21 18:20`. */
  until: string;
  code?: string;
}

type Texts = Readonly<Record<SmsKind, (values: SmsValues) => string>>;

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

const french: Texts = {
  payment_received: v => `Nous avons reçu ${v.amount} pour ${v.bundle}. Votre accès internet dure jusqu'au ${v.until}.`,
  voucher_redeemed: v => `Votre bon ${v.bundle} est activé. Votre accès internet dure jusqu'au ${v.until}.`,
  access_ending: v =>
    `Votre accès internet finit le ${v.until}. Connectez-vous au Wi-Fi et ouvrez le portail pour prolonger.`,
  access_expired: () =>
    'Votre accès internet est terminé. Connectez-vous au Wi-Fi et ouvrez le portail pour en racheter.',
  refund: v => `${v.amount} pour ${v.bundle} vous sont remboursés.`,
  vouchers: v => `Bon Wi-Fi pour ${v.bundle} : ${v.code ?? ''}`,
};

const portuguese: Texts = {
  payment_received: v => `Recebemos ${v.amount} por ${v.bundle}. A sua internet dura até ${v.until}.`,
  voucher_redeemed: v => `O seu voucher ${v.bundle} está em uso. A sua internet dura até ${v.until}.`,
  access_ending: v => `A sua internet termina em ${v.until}. Ligue-se ao Wi-Fi e abra o portal para renovar.`,
  access_expired: () => 'O seu tempo de internet acabou. Ligue-se ao Wi-Fi e abra o portal para comprar mais.',
  refund: v => `${v.amount} por ${v.bundle} estão a ser devolvidos.`,
  vouchers: v => `Voucher Wi-Fi para ${v.bundle}: ${v.code ?? ''}`,
};

const spanish: Texts = {
  payment_received: v => `Recibimos ${v.amount} por ${v.bundle}. Su internet dura hasta ${v.until}.`,
  voucher_redeemed: v => `Su vale de ${v.bundle} está en uso. Su internet dura hasta ${v.until}.`,
  access_ending: v => `Su internet termina el ${v.until}. Conéctese al Wi-Fi y abra el portal para renovar.`,
  access_expired: () => 'Su tiempo de internet terminó. Conéctese al Wi-Fi y abra el portal para comprar más.',
  refund: v => `Se le devuelven ${v.amount} por ${v.bundle}.`,
  vouchers: v => `Vale Wi-Fi para ${v.bundle}: ${v.code ?? ''}`,
};

const textsByLanguage: Readonly<Record<string, Texts>> = {
  en: english,
  sw: swahili,
  fr: french,
  pt: portuguese,
  es: spanish,
};

/** Languages with texts of their own; every other one gets English. */
export const SMS_LANGUAGES: readonly string[] = Object.keys(textsByLanguage);

/** GSM 03.38's default alphabet: each letter takes one of 160 places. */
const ALPHABET = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
/** Its extension table: two places each. */
const EXTENSION = new Set('\f^{}\\[~]|€');
const PLACES = 160;

const TYPEWRITER: Readonly<Record<string, string>> = {
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
  '–': '-',
  '—': '-',
  '…': '...',
};

/** @returns a text of the GSM alphabet that fits one message: names are shortened, the rest is kept. */
export function smsText(kind: SmsKind, language: string, values: SmsValues): string {
  const texts = textsByLanguage[language] ?? english;
  const write = (bundle: string) => toGsm(texts[kind]({ ...values, bundle }));
  const bundle = toGsm(values.bundle);
  let text = write(bundle);
  for (let length = bundle.length - 1; length >= 0 && gsmPlaces(text) > PLACES; length -= 1) {
    text = write(bundle.slice(0, length).trimEnd());
  }
  return cut(text);
}

/** How many of the 160 places a text of the GSM alphabet takes. */
export function gsmPlaces(text: string): number {
  return [...text].reduce((places, letter) => places + (EXTENSION.has(letter) ? 2 : 1), 0);
}

/** Letters outside the alphabet lose their accents; what is still outside becomes a question mark. */
export function toGsm(text: string): string {
  return [...text.normalize('NFC').replace(/\s/g, ' ')].map(gsmLetter).join('');
}

function gsmLetter(letter: string): string {
  if (ALPHABET.has(letter) || EXTENSION.has(letter)) return letter;
  const plain = TYPEWRITER[letter] ?? letter.normalize('NFKD').replace(/\p{M}/gu, '');
  return [...plain].every(part => ALPHABET.has(part)) ? plain : '?';
}

function cut(text: string): string {
  let places = 0;
  let end = 0;
  for (const letter of text) {
    places += gsmPlaces(letter);
    if (places > PLACES) break;
    end += letter.length;
  }
  return text.slice(0, end);
}
