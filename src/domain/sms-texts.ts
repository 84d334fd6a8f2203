/**
 * What messages say, per language, and what fits into one message.
 *
 * A message of the GSM alphabet has 160 places; one letter outside of it makes the whole message UCS-2, with 70
 * places, and twice or three times the price. So every message is written in the GSM alphabet: letters with accents
 * that it lacks lose them, and languages that it cannot write at all (Arabic, Hindi) get English.
 */
import { currencyDecimals, withCurrency } from './money.ts';
import type { SmsKind } from './sms.ts';

/** What a text may say; which of it there is depends on what the message is about. */
export interface SmsValues {
  bundle?: string | undefined;
  amount?: string | undefined;
  /** Local time, `2026-11-21 18:20`. */
  until?: string | undefined;
  /** The number of a receipt. */
  receipt?: string | undefined;
  code?: string | undefined;
}

/** Texts with `{amount}`, `{bundle}`, `{until}`, `{receipt}` and `{code}` where the values go. */
type Texts = Readonly<Record<SmsKind, string>>;

/** The business's own texts by language; what is not there is said in the built-in words. */
export type OwnSmsTexts = Readonly<Record<string, Partial<Texts>>>;

const english: Texts = {
  payment_received: 'We received {amount} for {bundle}. Your internet runs until {until}.',
  receipt:
    'Receipt {receipt}: {amount} in cash for {bundle}, until {until}. Join the Wi-Fi and open the portal with this number.',
  voucher_redeemed: 'Your voucher for {bundle} is in use. Your internet runs until {until}.',
  access_ending: 'Your internet ends at {until}. Join the Wi-Fi and open the portal to renew.',
  access_expired: 'Your internet time is over. Join the Wi-Fi and open the portal to buy more.',
  refund: '{amount} for {bundle} is being paid back to you.',
  vouchers: 'Wi-Fi voucher for {bundle}: {code}',
  device_code:
    '{code} is your Wi-Fi code, valid for 10 minutes. Whoever has it can use your internet time: give it to nobody.',
};

const swahili: Texts = {
  payment_received: 'Tumepokea {amount} kwa {bundle}. Intaneti yako inaisha {until}.',
  receipt:
    'Risiti {receipt}: {amount} taslimu kwa {bundle}, hadi {until}. Jiunge na Wi-Fi, fungua ukurasa wetu kwa namba hii.',
  voucher_redeemed: 'Vocha yako ya {bundle} inatumika. Intaneti yako inaisha {until}.',
  access_ending: 'Intaneti yako inaisha {until}. Jiunge na Wi-Fi, fungua ukurasa wetu kuongeza muda.',
  access_expired: 'Muda wako wa intaneti umeisha. Jiunge na Wi-Fi, fungua ukurasa wetu kununua tena.',
  refund: '{amount} ya {bundle} inarudishwa kwako.',
  vouchers: 'Vocha ya Wi-Fi ya {bundle}: {code}',
  device_code:
    '{code} ni namba yako ya Wi-Fi kwa dakika 10. Mwenye namba hii anaweza kutumia muda wako wa intaneti: usimpe mtu.',
};

const french: Texts = {
  payment_received: "Nous avons reçu {amount} pour {bundle}. Votre accès internet dure jusqu'au {until}.",
  receipt:
    "Reçu {receipt} : {amount} en espèces pour {bundle}, jusqu'au {until}. Connectez-vous au Wi-Fi et ouvrez le portail avec ce numéro.",
  voucher_redeemed: "Votre bon {bundle} est activé. Votre accès internet dure jusqu'au {until}.",
  access_ending: 'Votre accès internet finit le {until}. Connectez-vous au Wi-Fi et ouvrez le portail pour prolonger.',
  access_expired: 'Votre accès internet est terminé. Connectez-vous au Wi-Fi et ouvrez le portail pour en racheter.',
  refund: '{amount} pour {bundle} vous sont remboursés.',
  vouchers: 'Bon Wi-Fi pour {bundle} : {code}',
  device_code:
    "{code} est votre code Wi-Fi, valable 10 minutes. Qui l'a peut utiliser votre temps internet : ne le donnez à personne.",
};

const portuguese: Texts = {
  payment_received: 'Recebemos {amount} por {bundle}. A sua internet dura até {until}.',
  receipt:
    'Recibo {receipt}: {amount} em dinheiro por {bundle}, até {until}. Ligue-se ao Wi-Fi e abra o portal com este número.',
  voucher_redeemed: 'O seu voucher {bundle} está em uso. A sua internet dura até {until}.',
  access_ending: 'A sua internet termina em {until}. Ligue-se ao Wi-Fi e abra o portal para renovar.',
  access_expired: 'O seu tempo de internet acabou. Ligue-se ao Wi-Fi e abra o portal para comprar mais.',
  refund: '{amount} por {bundle} estão a ser devolvidos.',
  vouchers: 'Voucher Wi-Fi para {bundle}: {code}',
  device_code:
    '{code} é o seu código Wi-Fi, válido por 10 minutos. Quem o tem pode usar o seu tempo de internet: não o dê a ninguém.',
};

const spanish: Texts = {
  payment_received: 'Recibimos {amount} por {bundle}. Su internet dura hasta {until}.',
  receipt:
    'Recibo {receipt}: {amount} en efectivo por {bundle}, hasta {until}. Conéctese al Wi-Fi y abra el portal con este número.',
  voucher_redeemed: 'Su vale de {bundle} está en uso. Su internet dura hasta {until}.',
  access_ending: 'Su internet termina el {until}. Conéctese al Wi-Fi y abra el portal para renovar.',
  access_expired: 'Su tiempo de internet terminó. Conéctese al Wi-Fi y abra el portal para comprar más.',
  refund: 'Se le devuelven {amount} por {bundle}.',
  vouchers: 'Vale Wi-Fi para {bundle}: {code}',
  device_code:
    '{code} es su código Wi-Fi, válido 10 minutos. Quien lo tenga puede usar su tiempo de internet: no lo dé a nadie.',
};

/** Every other language gets English. */
const textsByLanguage: Readonly<Record<string, Texts>> = {
  en: english,
  sw: swahili,
  fr: french,
  pt: portuguese,
  es: spanish,
};

/** What a message of a kind can tell. */
export const SMS_PLACEHOLDERS: Readonly<Record<SmsKind, readonly (keyof SmsValues)[]>> = {
  payment_received: ['amount', 'bundle', 'until'],
  receipt: ['receipt', 'amount', 'bundle', 'until'],
  voucher_redeemed: ['bundle', 'until'],
  access_ending: ['until'],
  access_expired: ['until'],
  refund: ['amount', 'bundle'],
  vouchers: ['bundle', 'code'],
  device_code: ['code'],
};

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

/** The words that are sent where the business has none of its own. */
export function builtInText(kind: SmsKind, language: string): string {
  return (textsByLanguage[language] ?? english)[kind];
}

/** @returns a text of the GSM alphabet that fits one message: names are shortened, the rest is kept. */
export function smsText(kind: SmsKind, language: string, values: SmsValues, own: OwnSmsTexts | null = null): string {
  const spoken = Object.hasOwn(textsByLanguage, language) ? language : 'en';
  const template = own?.[spoken]?.[kind] ?? builtInText(kind, spoken);
  const write = (bundle: string) => filled(template, { ...values, bundle });
  const bundle = toGsm(values.bundle ?? '');
  let text = write(bundle);
  for (let length = bundle.length - 1; length >= 0 && gsmPlaces(text) > PLACES; length -= 1) {
    text = write(bundle.slice(0, length).trimEnd());
  }
  return cut(text);
}

/** In one go: what stands in a value is never taken for a placeholder. */
function filled(template: string, values: SmsValues): string {
  return toGsm(
    template.replace(/\{(amount|bundle|until|receipt|code)\}/g, (_, name: keyof SmsValues) => values[name] ?? ''),
  );
}

/** As long as a business sends them; of a bundle's name at least its beginning is to be read. */
const exampleValues = (currency: string): SmsValues => ({
  bundle: 'Two months',
  amount: withCurrency({ minor: million(currency), currency }),
  until: '2026-11-21 18:20',
  receipt: 'R00042',
  code: 'ABCD-EFGH-2345',
});

const million = (currency: string) => 10 ** (6 + currencyDecimals(currency));

/** With the decimals, where the currency has any. */
const longestValues = (currency: string): SmsValues => ({
  ...exampleValues(currency),
  amount: withCurrency({ minor: million(currency) + 1, currency }),
});

/** A message with example values. */
export function smsExample(kind: SmsKind, language: string, currency: string, own: OwnSmsTexts | null): string {
  return smsText(kind, language, exampleValues(currency), own);
}

/** @returns why a text of the business's own cannot be sent; null: it can */
export function textProblem(kind: SmsKind, text: string, currency: string): string | null {
  const known = SMS_PLACEHOLDERS[kind].map(name => `{${name}}`);
  const rest = known.reduce((left, placeholder) => left.replaceAll(placeholder, ''), text);
  if (/[{}]/.test(rest)) return `In braces, this message knows only ${known.join(', ')}.`;
  if (SMS_PLACEHOLDERS[kind].includes('code') && !text.includes('{code}'))
    return 'Without {code}, nobody gets the code.';
  if (/\p{Cc}/u.test(text)) return 'Give one line, without control characters.';
  const lost = [...new Set([...rest.normalize('NFC')].filter(letter => letter !== '?' && toGsm(letter).includes('?')))];
  if (lost.length > 0) return `A message of one part cannot show ${lost.slice(0, 10).join(' ')}.`;
  const places = gsmPlaces(filled(text, longestValues(currency)));
  if (places > PLACES) {
    return `Filled in, this takes ${places} of the ${PLACES} places of a message. Make it ${places - PLACES} shorter.`;
  }
  return null;
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
