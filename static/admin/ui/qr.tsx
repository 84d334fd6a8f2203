/** A QR code as one path. Only pages that come when they are opened use it: the encoder stays out of the first load. */
import { encode } from 'uqr';

/** @param text an address; medium correction, with the quiet edge of four modules that readers want */
export function Qr({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 4 });
  const path = data.flatMap((row, y) => [...runs(row)].map(([x, length]) => `M${x} ${y}h${length}v1h-${length}z`));
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shape-rendering="crispEdges">
      <path d={path.join('')} />
    </svg>
  );
}

/** Dark modules side by side are one rectangle: less to draw, and no hairlines between them on paper. */
function* runs(row: readonly boolean[]): Generator<readonly [x: number, length: number]> {
  for (let x = 0; x < row.length; x += 1) {
    if (!row[x]) continue;
    let end = x;
    while (row[end]) end += 1;
    yield [x, end - x];
    x = end;
  }
}
