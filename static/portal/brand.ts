/** The business's name, logo, colour, support and terms. The page is whole without any of them. */
import type { Portal } from '../../src/contract/portal.ts';
import { byId } from './page.ts';
import { fill, text } from './words.ts';

export function applyBrand(portal: Portal): void {
  if (portal.business_name) byId('business').textContent = portal.business_name;
  if (portal.primary_color) paint(portal.primary_color);
  showLogo(portal.logo_url);
  byId('sandbox').hidden = !portal.sandbox;

  if (portal.support_phone) {
    const call = byId<HTMLAnchorElement>('call');
    call.href = `tel:${portal.support_phone.replace(/[^+\d]/g, '')}`;
    call.textContent = fill(text.help, { phone: portal.support_phone });
    call.dir = 'auto';
    byId('support').hidden = false;
  }
  if (/^(https?:\/\/|\/(?!\/))/.test(portal.terms_url || '')) {
    byId<HTMLAnchorElement>('terms-link').href = portal.terms_url as string;
    byId('terms-page').hidden = false;
  }
}

/** Only from the appliance itself: a phone that is not online yet reaches nothing else. */
function showLogo(url: string | null): void {
  if (!url || !(url.startsWith('data:image/') || new URL(url, location.href).origin === location.origin)) return;
  const logo = byId<HTMLImageElement>('logo');
  logo.onload = () => {
    logo.hidden = false;
    ((logo.parentNode as Element).querySelector('svg') as Element).remove();
  };
  logo.src = url;
}

type Rgb = readonly [number, number, number];

const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];
/** The grounds that the accent must stand out from, `--tint` and `--surface` of the theme at their least favourable. */
const LIGHT_GROUND: Rgb = [251, 234, 219];
const DARK_GROUND: Rgb = [54, 33, 15];
/** WCAG 2, level AA, for text. */
const ENOUGH = 4.5;

/** Any colour is taken as it is for the brand's own surfaces, and moved towards readable for everything else. */
function paint(color: string): void {
  const hex = /^#?([0-9a-f]{6})$/i.exec(color.trim().replace(/^#?([0-9a-f])([0-9a-f])([0-9a-f])$/i, '$1$1$2$2$3$3'));
  if (hex === null) return;
  const value = Number.parseInt(hex[1] as string, 16);
  const brand: Rgb = [value >> 16, (value >> 8) & 255, value & 255];
  const style = document.documentElement.style;
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const apply = () => {
    style.setProperty('--brand', css(brand));
    style.setProperty('--on-brand', contrast(brand, WHITE) >= ENOUGH ? '#fff' : '#000');
    style.setProperty(
      '--accent',
      css(dark.matches ? readable(brand, DARK_GROUND, WHITE) : readable(brand, LIGHT_GROUND, BLACK)),
    );
  };
  apply();
  dark.addListener(apply);
}

function readable(color: Rgb, ground: Rgb, towards: Rgb): Rgb {
  let part = 0;
  let mixed = color;
  while (contrast(mixed, ground) < ENOUGH && part < 1) {
    part += 0.05;
    mixed = color.map((channel, i) =>
      Math.round(channel + ((towards[i] as number) - channel) * part),
    ) as unknown as Rgb;
  }
  return mixed;
}

function css([r, g, b]: Rgb): string {
  return `rgb(${r},${g},${b})`;
}

function contrast(a: Rgb, b: Rgb): number {
  const [lower, higher] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (higher + 0.05) / (lower + 0.05);
}

/** WCAG 2: relative luminance. */
function luminance(color: Rgb): number {
  const [r, g, b] = color.map(channel => {
    const part = channel / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
