/** A body that is compressed once, and has another end for each who asks. */
import { promisify } from 'node:util';
import { brotliCompress, constants, crc32, gzip } from 'node:zlib';
import type { Encoded, Encoding } from './resource.ts';

export interface OpenEnded {
  readonly start: Required<Encoded>;
  /** The whole body. @param ending at most 65,535 bytes; not empty */
  close(encoding: Encoding, ending: string): Buffer;
}

/** Compresses off the main thread. */
export async function openEnded(text: string): Promise<OpenEnded> {
  const identity = Buffer.from(text);
  // Both are left at the end of a byte, ready for another block.
  const [br, gzipped] = await Promise.all([
    promisify(brotliCompress)(identity, { finishFlush: constants.BROTLI_OPERATION_FLUSH }),
    promisify(gzip)(identity, { finishFlush: constants.Z_SYNC_FLUSH }),
  ]);
  const start = { identity, br, gzip: gzipped };
  const checksum = crc32(identity);
  const blocks: Readonly<Record<Encoding, (ending: Buffer) => Buffer[]>> = {
    identity: ending => [ending],
    br: ending => [brotliHead(ending.length), ending, BROTLI_END],
    gzip: ending => [
      gzipHead(ending.length),
      ending,
      littleEndian(4, crc32(ending, checksum)),
      littleEndian(4, identity.length + ending.length),
    ],
  };
  return {
    start,
    close: (encoding, ending) => Buffer.concat([start[encoding], ...blocks[encoding](Buffer.from(ending))]),
  };
}

/** RFC 7932, 9.2: a meta-block that is not the last, with its length less one in 16 bits, uncompressed. */
const brotliHead = (length: number): Buffer => littleEndian(3, ((length - 1) << 3) | (1 << 19));
/** The last one, which is empty. */
const BROTLI_END = littleEndian(1, 0b11);

/** RFC 1951, 3.2.4: the last block, stored: its length, and the complement of that. */
const gzipHead = (length: number): Buffer =>
  Buffer.concat([littleEndian(1, 0b001), littleEndian(2, length), littleEndian(2, length ^ 0xffff)]);

function littleEndian(bytes: number, value: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntLE(value, 0, bytes);
  return buffer;
}
