import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { frame } from './raw-api-client.ts';
import { encodeSentence, FramingError, SentenceDecoder, SentenceEncoder } from './wire.ts';

const word = fc.oneof(fc.string({ minLength: 1, unit: 'grapheme' }), fc.string({ minLength: 120, maxLength: 300 }));
const sentences = fc.array(fc.array(word, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 5 });

test('sentences come out whole however TCP cuts their bytes', () => {
  fc.assert(
    fc.property(sentences, fc.array(fc.nat()), (sent, cuts) => {
      const bytes = Buffer.concat(sent.map(encodeSentence));
      const places = [...new Set(cuts.map(cut => cut % bytes.length))].toSorted((a, b) => a - b);
      const decoder = new SentenceDecoder();
      const received: string[][] = [];
      for (const [index, place] of [0, ...places].entries())
        received.push(...decoder.push(bytes.subarray(place, places[index] ?? bytes.length)));
      assert.deepEqual(received, sent);
    }),
    { numRuns: 300 },
  );
});

test('sentences come out whole when every byte arrives alone', () => {
  const sent = [['/login', '=name=Åsa ☕'], ['x'.repeat(200), 'y'.repeat(20_000)], ['!done']];
  const decoder = new SentenceDecoder();
  const received = Array.from(Buffer.concat(sent.map(encodeSentence))).flatMap(byte =>
    decoder.push(Buffer.from([byte])),
  );
  assert.deepEqual(received, sent);
});

test('the encoder frames as an independent implementation of the manual does', () => {
  fc.assert(fc.property(fc.array(word), words => assert.deepEqual(encodeSentence(words), frame(words))));
});

for (const [length, prefix] of [
  [0x7f, '7f'],
  [0x80, '8080'],
  [0x3fff, 'bfff'],
  [0x4000, 'c04000'],
  [0x1fffff, 'dfffff'],
  [0x200000, 'e0200000'],
] as const) {
  test(`a word of ${length} bytes is announced as ${prefix} and read back`, () => {
    const bytes = encodeSentence(['w'.repeat(length)]);
    assert.equal(bytes.subarray(0, prefix.length / 2).toString('hex'), prefix);
    assert.equal(new SentenceDecoder().push(bytes)[0]?.[0]?.length, length);
  });
}

test('a length in the five-byte form is understood, whatever it says', () => {
  const bytes = Buffer.concat([Buffer.from('f000000005', 'hex'), Buffer.from('/quit'), Buffer.from([0])]);
  assert.deepEqual(new SentenceDecoder().push(bytes), [['/quit']]);
});

test('lengths count bytes, not characters', () => {
  assert.deepEqual([...encodeSentence(['é☕'])], [5, 0xc3, 0xa9, 0xe2, 0x98, 0x95, 0]);
});

test('empty sentences are passed over', () => {
  assert.deepEqual(new SentenceDecoder().push(Buffer.from([0, 0, 2, 0x2f, 0x61, 0, 0])), [['/a']]);
});

test('a reserved length byte is an error and not a guess', () => {
  for (const byte of [0xf8, 0xfe, 0xff])
    assert.throws(() => new SentenceDecoder().push(Buffer.from([byte])), FramingError);
});

test('an encoder that was emptied starts anew and leaves what it gave away untouched', () => {
  const encoder = new SentenceEncoder(4);
  const first = encoder.sentence(['first']).take();
  const second = encoder.sentence(['second']).take();
  assert.deepEqual(new SentenceDecoder().push(Buffer.concat([first, second])), [['first'], ['second']]);
});
