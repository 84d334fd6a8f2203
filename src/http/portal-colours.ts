/** The business's own colour on the portal: readable on any ground, light and dark. */

type Rgb = readonly [number, number, number];

const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];
/** The grounds that the accent must stand out from, `--tint` and `--surface` of the theme at their least favourable. */
const LIGHT_GROUND: Rgb = [251, 234, 219];
const DARK_GROUND: Rgb = [54, 33, 15];
/** WCAG 2, level AA, for text. */
const ENOUGH = 4.5;

/**
 * Any colour is taken as it is for the brand's own surfaces, and moved towards readable for everything else.
 * @param color `#0b6e4f`
 * @returns rules for the end of the style sheet; none for what is no such colour
 */
export function coloursOf(color: string): string {
  const hex = /^#([0-9a-f]{6})$/i.exec(color);
  if (hex === null) return '';
  const value = Number.parseInt(hex[1] ?? '', 16);
  const brand: Rgb = [value >> 16, (value >> 8) & 255, value & 255];
  const onBrand = contrast(brand, WHITE) >= ENOUGH ? '#fff' : '#000';
  const light = css(readable(brand, LIGHT_GROUND, BLACK));
  const dark = css(readable(brand, DARK_GROUND, WHITE));
  return (
    `:root{--brand:${css(brand)};--on-brand:${onBrand};--accent:${light}}` +
    `@media (prefers-color-scheme:dark){:root{--accent:${dark}}}`
  );
}

function readable(color: Rgb, ground: Rgb, towards: Rgb): Rgb {
  let part = 0;
  let mixed = color;
  const mix = (channel: 0 | 1 | 2) => Math.round(color[channel] + (towards[channel] - color[channel]) * part);
  while (contrast(mixed, ground) < ENOUGH && part < 1) {
    part += 0.05;
    mixed = [mix(0), mix(1), mix(2)];
  }
  return mixed;
}

const css = (channels: Rgb): string => `rgb(${channels.join()})`;

function contrast(a: Rgb, b: Rgb): number {
  const [one, other] = [luminance(a), luminance(b)];
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

/** WCAG 2: relative luminance. */
function luminance([r, g, b]: Rgb): number {
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}

function linear(channel: number): number {
  const part = channel / 255;
  return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
}
