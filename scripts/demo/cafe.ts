/** The café of the demo: what it is called, who works there, what it sells, and who comes. All of it is made up. */
import { type Mac, parseMac } from '../../src/domain/mac.ts';
import { type Phone, parsePhone } from '../../src/domain/phone.ts';
import type { Branding } from '../../src/domain/settings.ts';
import { type Random, seededRandom } from './random.ts';

/** The books are the same for each seed; this one has no meaning. */
export const SEED = 20_261_122;

const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><circle cx="12" cy="12" r="12" fill="#fff"/><path fill="none" stroke="#9a3412" stroke-width="2" stroke-linecap="round" d="M6 12h9v2a4 4 0 0 1-4 4H10a4 4 0 0 1-4-4zm9 1h2a2 2 0 0 1 0 4h-2M9 9q-1-1 0-2t0-2m3 4q-1-1 0-2t0-2"/></svg>';

export const BRANDING: Branding = {
  businessName: 'Mwangaza Café',
  logoUrl: `data:image/svg+xml;base64,${Buffer.from(LOGO).toString('base64')}`,
  primaryColor: '#9a3412',
  supportPhone: '+255 712 000 900',
  networkName: 'Mwangaza Café',
  termsUrl: null,
  language: null,
};

/** By user name. The owner is there from the beginning, the cashiers for the last days. */
export const STAFF = {
  mariam: { role: 'owner', firstName: 'Mariam', lastName: 'Mushi' },
  baraka: { role: 'staff', firstName: 'Baraka', lastName: 'Massawe' },
  daudi: { role: 'cashier', firstName: 'Daudi', lastName: 'Komba' },
  zawadi: { role: 'cashier', firstName: 'Zawadi', lastName: 'Lyimo' },
} as const;
export type Colleague = keyof typeof STAFF;

/** In the order of the portal, with their prices at the beginning. Weights are how often each is bought. */
export const BUNDLES = [
  { name: 'Quick look', description: '', price: 500, hours: 1, weight: 30 },
  { name: 'Evening', description: '', price: 1_000, hours: 4, weight: 20 },
  { name: 'Day pass', description: 'Until this time tomorrow', price: 1_500, hours: 24, weight: 36 },
  { name: 'Week', description: 'For a week’s work', price: 6_000, hours: 168, weight: 11 },
  { name: 'Month', description: '', price: 25_000, hours: 720, weight: 3 },
] as const;
export type BundleName = (typeof BUNDLES)[number]['name'];

export interface Person {
  name: string;
  phone: Phone;
  mac: Mac;
  /** What the phone calls itself on the Wi-Fi. */
  device: string;
  address: string;
  /** What their portal is used in. */
  language: string;
  isRegular: boolean;
}

const PEOPLE = 400;

const FIRST_NAMES =
  'Amani Anna Asha Bakari Catherine Charles Dalili David Elia Esther Fatuma Frank Furaha Gloria Godfrey Grace Hamisi Hawa Ibrahim Imani Irene Jabali James Jamila John Joseph Joyce Juma Khadija Latifa Lucy Makame Mercy Mohamed Mwajuma Neema Nuru Omari Peter Pendo Rahma Rajabu Rehema Salma Samuel Shabani Subira Tatu Upendo Zainabu'.split(
    ' ',
  );
const LAST_NAMES =
  'Abdallah Chuwa Haule Hassan Kaaya Kimaro Kessy Laizer Lema Macha Makundi Massawe Mbwana Minja Mollel Mosha Mrema Msuya Mwakyusa Ndosi Ngowi Nyerere Salum Shayo Swai Temba Tesha Urassa'.split(
    ' ',
  );
const OPERATORS = ['712', '754', '765', '783', '688', '621'];
const DEVICES = [
  'Tecno-Spark-10',
  'Infinix-Hot-30',
  'Galaxy-A14',
  'Redmi-12C',
  'itel-A60',
  'iPhone',
  'Nokia-C21',
  'HUAWEI-Y7',
  'moto-g14',
  'laptop',
];

/** The newcomers at the gate: not online, and one with an order that is not paid yet. */
export const GATE = [
  visitor('Asha', '0712345678', 'A4:83:E7:12:34:56', '10.5.50.11'),
  visitor('Juma', '0754222111', 'B8:27:EB:65:43:21', '10.5.50.12'),
] as const;
/** Whose time is about to end. */
export const NEEMA = visitor('Neema', '0765222333', '3C:5A:B4:0F:1E:2D', '10.5.50.13');

function visitor(name: string, phone: string, mac: string, address: string): Person {
  const numbers = { phone: phoneOf(phone), mac: macOf(mac) };
  return { name, ...numbers, address, device: `${name}s-phone`, language: 'en', isRegular: false };
}

/** A third of them come again and again. */
export function peopleOf(seed: number): Person[] {
  const random = seededRandom(seed);
  return Array.from({ length: PEOPLE }, (_, place) => ({
    name: `${random.pick(FIRST_NAMES)} ${random.pick(LAST_NAMES)}`,
    phone: phoneOf(`0${random.pick(OPERATORS)}000${String(place).padStart(3, '0')}`),
    mac: randomMac(random, place),
    device: random.pick(DEVICES),
    address: `10.5.50.${20 + (place % 230)}`,
    language: random.next() < 0.7 ? 'sw' : 'en',
    isRegular: place % 3 === 0,
  }));
}

/** Most phones make up an address for each Wi-Fi: the second hex digit is 2, 6, A or E. */
function randomMac(random: Random, place: number): Mac {
  const bytes = [random.int(0, 63) * 4 + 2, random.int(0, 255), random.int(0, 255), 0x50, place >> 8, place & 255];
  return macOf(bytes.map(byte => byte.toString(16).padStart(2, '0')).join(':'));
}

function phoneOf(text: string): Phone {
  const phone = parsePhone(text, 'TZ');
  if (phone === null) throw new Error(`${text} is no mobile number.`);
  return phone;
}

function macOf(text: string): Mac {
  const mac = parseMac(text);
  if (mac === null) throw new Error(`${text} is no MAC address.`);
  return mac;
}
