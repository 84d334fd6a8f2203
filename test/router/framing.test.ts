import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { encodeWord, FramingError, LONGEST_WORD, SentenceReader } from '../../src/router/framing.ts';

function encode(sentences: readonly (readonly string[])[]): Buffer {
  return Buffer.concat(sentences.flatMap(words => [...words.map(encodeWord), encodeWord('')]));
}

function readAll(pieces: readonly Buffer[]): string[][] {
  const reader = new SentenceReader();
  const sentences: string[][] = [];
  for (const piece of pieces) {
    reader.push(piece);
    for (let next = reader.next(); next !== null; next = reader.next()) sentences.push(next);
  }
  return sentences;
}

/** Cuts at each of the given offsets. */
function cut(bytes: Buffer, offsets: readonly number[]): Buffer[] {
  const edges = [0, ...offsets.toSorted((a, b) => a - b), bytes.length];
  return edges.slice(1).map((end, index) => bytes.subarray(edges[index], end));
}

const WORDS = fc.string({ minLength: 1, maxLength: 300, unit: 'grapheme' });
const SENTENCES = fc.array(fc.array(WORDS, { minLength: 1, maxLength: 8 }), { maxLength: 6 });

test('each length is written and read with the prefix that the manual gives it', () => {
  const prefixes: [length: number, prefix: number[]][] = [
    [0x01, [0x01]],
    [0x7f, [0x7f]],
    [0x80, [0x80, 0x80]],
    [0x3fff, [0xbf, 0xff]],
    [0x4000, [0xc0, 0x40, 0x00]],
    [0x1f_ffff, [0xdf, 0xff, 0xff]],
    [0x20_0000, [0xe0, 0x20, 0x00, 0x00]],
  ];
  for (const [length, prefix] of prefixes) {
    const word = encodeWord('x'.repeat(length));
    assert.deepEqual([...word.subarray(0, prefix.length)], prefix);
    assert.equal(word.length, prefix.length + length);
    assert.equal(readAll([word, encodeWord('')])[0]?.[0]?.length, length);
  }
});

test('a five-byte length is read', () => {
  assert.deepEqual(readAll([Buffer.from([0xf0, 0, 0, 0, 2, 0x68, 0x69, 0])]), [['hi']]);
});

test('lengths count bytes, not characters', () => {
  assert.deepEqual([...encodeWord('é')], [2, 0xc3, 0xa9]);
});

test('any sentences survive being cut anywhere', () => {
  fc.assert(
    fc.property(SENTENCES, fc.array(fc.nat(), { maxLength: 20 }), (sentences, cuts) => {
      const bytes = encode(sentences);
      const offsets = cuts.map(offset => offset % (bytes.length + 1));
      assert.deepEqual(readAll(cut(bytes, offsets)), sentences);
    }),
    { numRuns: 300 },
  );
});

test('a reply is the same at every split position and at every piece size, down to one byte', () => {
  const long = `=comment=${'å'.repeat(200)}`;
  const sentences = [
    ['!re', '.tag=a1', '=user=Ásha', long],
    ['!re', '=user=', '.tag=a1'],
    ['!done', '.tag=a1'],
  ];
  const bytes = encode(sentences);
  for (let at = 0; at <= bytes.length; at += 1)
    assert.deepEqual(readAll(cut(bytes, [at])), sentences, `split at ${at}`);
  for (let size = 1; size <= bytes.length; size += 1) {
    const offsets = Array.from({ length: Math.floor(bytes.length / size) }, (_, index) => index * size);
    assert.deepEqual(readAll(cut(bytes, offsets)), sentences, `pieces of ${size}`);
  }
});

test('an empty sentence is no sentence', () => {
  assert.deepEqual(readAll([Buffer.of(0, 0), encode([['!done']])]), [['!done']]);
});

test('a reserved first byte or an absurd length is refused, not waited for', () => {
  assert.throws(() => readAll([Buffer.of(0xf8)]), FramingError);
  assert.throws(() => readAll([Buffer.of(0xff)]), FramingError);
  const absurd = Buffer.alloc(5, 0xf0);
  absurd.writeUInt32BE(LONGEST_WORD + 1, 1);
  assert.throws(() => readAll([absurd]), FramingError);
});
