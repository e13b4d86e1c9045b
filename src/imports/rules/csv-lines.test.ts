import fc from 'fast-check';
import t from 'tap';

import { type CsvLine, csvLines, delimiterOf } from './csv-lines.ts';

const read = (text: string, delimiter = ','): CsvLine[] => [...csvLines([text], delimiter)];

void t.test('records have the number of the line that they begin on', async (t) => {
  t.same(read('a,b\r\n\r\n1,"x\n""y"""\n2,\n'), [
    { line: 1, cells: ['a', 'b'] },
    { line: 3, cells: ['1', 'x\n"y"'] },
    { line: 5, cells: ['2', ''] },
  ]);
});

void t.test('a line that cannot be read costs no other line', async (t) => {
  t.same(read('a,b\n"open,2\n3,4\n"x"y,6\n7,8'), [
    { line: 1, cells: ['a', 'b'] },
    { line: 2, fault: 'a quoted field has text after its quotes' },
    { line: 3, cells: ['3', '4'] },
    { line: 4, fault: 'a quoted field has text after its quotes' },
    { line: 5, cells: ['7', '8'] },
  ]);
  const long = read(`"open,2\n${'3,4\n'.repeat(20_000)}"5,6\n`);
  t.same(long[0], { line: 1, fault: 'a quote is not closed' });
  t.same(long[1], { line: 2, cells: ['3', '4'] });
  t.equal(long.length, 20_002);
});

void t.test('a line of a million fields is one line that is too long', async (t) => {
  t.same(read(`a,b\n${','.repeat(1_000_000)}\n1,2`), [
    { line: 1, cells: ['a', 'b'] },
    { line: 2, fault: 'is too long' },
    { line: 3, cells: ['1', '2'] },
  ]);
  t.equal(delimiterOf(`a;b${','.repeat(1_000_000)}`), ',');
});

void t.test('a file in pieces has the records of the whole, wherever it is cut', async (t) => {
  const cell = fc.oneof(
    fc.constantFrom('', 'a', '"x"', '"x\ny"', '"', '"a""b"', 'Zoë', 'x'.repeat(70_000)),
    fc.string(),
  );
  const file = fc
    .array(fc.array(cell, { maxLength: 4 }).map((cells) => cells.join(',')))
    .map((all) => all.join('\n'));
  fc.assert(
    fc.property(file, fc.integer({ min: 1, max: 50_000 }), (text, size) => {
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, n) =>
        text.slice(n * size, (n + 1) * size),
      );
      t.same([...csvLines(pieces, ',')], read(text));
    }),
    { numRuns: 60 },
  );
});

void t.test('of a file in pieces only what a record needs is read', async (t) => {
  let given = 0;
  const pieces = (function* (): Generator<string> {
    for (; given < 1_000; given += 1) yield 'a,b\n'.repeat(10_000);
  })();
  const lines = csvLines(pieces, ',');
  for (let n = 0; n < 10; n += 1) lines.next();
  t.ok(given < 10, `${given} pieces`);
});

void t.test('the delimiter is the one that the header has most of', async (t) => {
  t.equal(delimiterOf('a;b;c,d'), ';');
  t.equal(delimiterOf('a\tb'), '\t');
  t.equal(delimiterOf('only'), ',');
});

void t.test('whatever stands in quotes is read as it was', async () => {
  const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 2, maxLength: 4 }), (cells) => {
      const [record] = read(cells.map(quoted).join(','));
      return JSON.stringify(record) === JSON.stringify({ line: 1, cells });
    }),
  );
});
