/**
 * Cuts off everything the kernel does not load: debug information, symbol names and the section table. Done
 * here, not by `strip`, because it works for any processor with nothing to install.
 */
import { readFileSync, writeFileSync } from 'node:fs';

// Offsets of the 64-bit little-endian ELF header (System V ABI, chapter 4).
const PROGRAM_HEADERS = 0x20;
const SECTION_HEADERS = 0x28;
const PROGRAM_HEADER_SIZE = 0x36;
const PROGRAM_HEADER_COUNT = 0x38;
const SECTION_COUNT = 0x3c;
const SECTION_NAMES = 0x3e;
// Within one program header.
const FILE_OFFSET = 0x08;
const FILE_SIZE = 0x20;

/** @throws Error when the file is not a 64-bit little-endian ELF program. */
export function strip(from: string, to: string): void {
  const elf = readFileSync(from);
  if (elf.readUInt32BE(0) !== 0x7f454c46 || elf[4] !== 2 || elf[5] !== 1) throw new Error(`${from} is no ELF program.`);

  const first = Number(elf.readBigUInt64LE(PROGRAM_HEADERS));
  const size = elf.readUInt16LE(PROGRAM_HEADER_SIZE);
  let end = 0;
  for (let n = 0; n < elf.readUInt16LE(PROGRAM_HEADER_COUNT); n++) {
    const at = first + n * size;
    end = Math.max(end, Number(elf.readBigUInt64LE(at + FILE_OFFSET) + elf.readBigUInt64LE(at + FILE_SIZE)));
  }

  elf.writeBigUInt64LE(0n, SECTION_HEADERS);
  elf.writeUInt16LE(0, SECTION_COUNT);
  elf.writeUInt16LE(0, SECTION_NAMES);
  writeFileSync(to, elf.subarray(0, end), { mode: 0o755 });
}
