import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compileQuery } from './query.ts';
import { Trap } from './trap.ts';

type Expression =
  | { not: Expression }
  | { and: [Expression, Expression] }
  | { or: [Expression, Expression] }
  | { has: string };
type Row = Record<string, string>;

const names = ['type', 'name', 'comment', 'mtu'];
const { expression } = fc.letrec<{ expression: Expression }>(tie => ({
  expression: fc.oneof(
    { maxDepth: 5 },
    fc.record({ has: fc.constantFrom(...names) }),
    fc.record({ not: tie('expression') }),
    fc.record({ and: fc.tuple(tie('expression'), tie('expression')) }),
    fc.record({ or: fc.tuple(tie('expression'), tie('expression')) }),
  ),
}));
const anyRow = fc.dictionary(fc.constantFrom(...names), fc.string(), { noNullPrototype: true });

/** The expression as query words, operands first. */
function words(of: Expression): string[] {
  if ('has' in of) return [of.has];
  if ('not' in of) return [...words(of.not), '#!'];
  const [left, right] = 'and' in of ? of.and : of.or;
  return [...words(left), ...words(right), 'and' in of ? '#&' : '#|'];
}

function truth(of: Expression, row: Row): boolean {
  if ('has' in of) return of.has in row;
  if ('not' in of) return !truth(of.not, row);
  if ('and' in of) return of.and.every(part => truth(part, row));
  return of.or.some(part => truth(part, row));
}

const matches = (queries: string[], row: Row): boolean => compileQuery(queries)(name => row[name]);

test('any boolean expression, written as query words, selects the rows for which it is true', () => {
  fc.assert(
    fc.property(expression, anyRow, (wanted, row) => assert.equal(matches(words(wanted), row), truth(wanted, row))),
    { numRuns: 500 },
  );
});

test('query words without an operation must all hold', () => {
  fc.assert(
    fc.property(fc.array(expression, { maxLength: 4 }), anyRow, (wanted, row) =>
      assert.equal(
        matches(wanted.flatMap(words), row),
        wanted.every(part => truth(part, row)),
      ),
    ),
  );
});

test('no query selects every row', () => assert.equal(matches([], {}), true));

test('equality holds for the very text, and not for a row without the property', () => {
  assert.equal(matches(['name=a=b'], { name: 'a=b' }), true);
  assert.equal(matches(['=name=x'], { name: 'x' }), true);
  assert.equal(matches(['name=X'], { name: 'x' }), false);
  assert.equal(matches(['name='], {}), false);
  assert.equal(matches(['.id=*1A'], { '.id': '*1A' }), true);
});

test('presence and absence are told apart', () => {
  assert.equal(matches(['comment'], { comment: '' }), true);
  assert.equal(matches(['comment'], {}), false);
  assert.equal(matches(['-comment'], {}), true);
  assert.equal(matches(['-comment'], { comment: '' }), false);
});

test('greater and less compare numbers, durations and addresses by size, and text by letters', () => {
  assert.equal(matches(['>mtu=900'], { mtu: '1500' }), true);
  assert.equal(matches(['<uptime=1h'], { uptime: '59m' }), true);
  assert.equal(matches(['>address=10.5.50.9'], { address: '10.5.50.10' }), true);
  assert.equal(matches(['>comment='], { comment: 'lango' }), true);
  assert.equal(matches(['>comment='], { comment: '' }), false);
  assert.equal(matches(['>mtu=1'], {}), false);
  assert.equal(matches(['<mtu=1'], {}), false);
});

test("the manual's example: interfaces that are ether or vlan", () => {
  const query = ['type=ether', 'type=vlan', '#|'];
  assert.deepEqual(
    ['ether', 'vlan', 'bridge'].map(type => matches(query, { type })),
    [true, true, false],
  );
  assert.deepEqual(
    ['ether', 'vlan', 'bridge'].map(type => matches(['type=ether', 'type=vlan', '#|!'], { type })),
    [false, false, true],
  );
});

test('an index that ends the word keeps that value alone; elsewhere it pushes a copy', () => {
  const row = { yes: '' };
  assert.equal(matches(['no', 'yes', '#0'], row), true);
  assert.equal(matches(['yes', 'no', '#1'], row), true);
  assert.equal(matches(['yes', 'no', '#1.&|'], row), true);
  assert.equal(matches(['no', 'yes', '#1.&|'], row), false);
  assert.equal(matches(['yes', '#.!|'], row), true);
  assert.equal(matches(['no', '#.!|'], row), true);
});

test("operations that want more values than there are find true, as the manual's endless stack has it", () => {
  const row = { yes: '' };
  for (const [query, wanted] of [
    [['#&'], true],
    [['#!'], false],
    [['#3'], true],
    [['#.'], true],
    [['no', '#&'], false],
    [['no', '#|'], true],
    [['yes', '#&'], true],
    [['no', '#1'], true],
    [['no', 'yes', '#&&'], false],
  ] as [string[], boolean][])
    assert.equal(matches(query, row), wanted, query.join());
});

test('operations that nobody knows are refused', () => {
  assert.throws(() => compileQuery(['#x']), Trap);
});
