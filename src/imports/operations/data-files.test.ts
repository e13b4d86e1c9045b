import t from 'tap';

import { type DataFile, openDataFile } from './data-files.ts';

const open = (text: string): DataFile => openDataFile({ bytes: Buffer.from(text) }, { encoding: 'utf-8' });
const texts = (file: DataFile, column: string) =>
  [...file.lines()].map((one) => ('fault' in one ? one.fault : one.text(column)));

void t.test('lines end with LF, CR LF, or CR alone', async (t) => {
  for (const end of ['\n', '\r\n', '\r']) {
    const file = open(['no;name', '1;Ada', '2;Ben', ''].join(end));
    t.same(file.columns, ['no', 'name']);
    t.same(texts(file, 'name'), ['Ada', 'Ben']);
    t.same(texts(open(['{"no":1}', '{"no":2}'].join(end)), 'no'), ['1', '2']);
  }
});

void t.test('a header that nobody can read is named, and a long object is a fault of its line', async (t) => {
  t.throws(() => open(','.repeat(1_000_000)), { code: 'BODY_UNREADABLE', message: /header line .* is too long/ });
  t.throws(() => open('"a"b,c\n1,2'), { code: 'BODY_UNREADABLE', message: /after its quotes/ });
  const long = JSON.stringify({ no: 'x'.repeat(100_000) });
  t.same(texts(open(`{"no":1}\n${long}\n{"no":3}`), 'no'), ['1', 'is too long', '3']);
});
