import { gzipSync } from 'node:zlib';
import { test } from 'tap';

import { zipFile } from '../rules/zip-file.ts';
import { openFiles } from './open-files.ts';

const zipped = (files: Record<string, string | Buffer>): Buffer =>
  Buffer.from(zipFile(Object.entries(files).map(([name, bytes]) => ({ name, bytes: Buffer.from(bytes) }))));
const roomsOf = (...files: string[]) => ({
  files: files.map((file) => ({ kind: 'rooms' as const, file, fields: { roomNumber: 'no', roomType: 'type' } })),
});
const opened = (bytes: Buffer, ...files: string[]) =>
  openFiles(bytes, JSON.stringify(roomsOf(...files)), 1_000_000).then(({ files: of }) =>
    of.map(({ lines }) => [...lines()].map((line) => ('fields' in line ? line.fields['roomNumber'] : line.fault))),
  );

void test('a file of an archive is found by its name, and by its path where two have one name', async (t) => {
  const archive = zipped({ 'north/rooms.csv': 'no,type\n1,STD\n', 'south/rooms.csv': 'no,type\n2,STD\n' });
  t.same(await opened(archive, 'rooms.csv'), [['1']]);
  t.same(await opened(archive, 'south/rooms.csv', 'north/rooms.csv'), [['2'], ['1']]);
  await t.rejects(opened(archive, 'west/rooms.csv'), { code: 'VALIDATION_FAILED' });
});

void test('an archive in an archive is refused as such, and not read as text', async (t) => {
  const inner = zipped({ 'rooms.csv': 'no,type\n1,STD\n' });
  for (const [name, bytes] of [
    ['rooms.zip', inner],
    ['rooms.csv.gz', gzipSync('no,type\n1,STD\n')],
  ] as const)
    await t.rejects(opened(zipped({ [name]: bytes }), name), { code: 'BODY_UNREADABLE', message: /is an archive/ });
});
