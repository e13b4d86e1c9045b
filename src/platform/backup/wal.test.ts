import t from 'tap';

import { readLabel, segmentNames } from './wal.ts';

const MB16 = 16 * 1024 * 1024;

t.test('the beginning is read from the label of the server', async (t) => {
  const label = `START WAL LOCATION: 12/A000028 (file 00000001000000120000000A)
CHECKPOINT LOCATION: 12/A000080
BACKUP METHOD: streamed
BACKUP FROM: primary
START TIME: 2026-11-21 11:00:00 UTC
LABEL: innkeeper
START TIMELINE: 1
`;
  t.same(readLabel(label), { timeline: 1, start: '12/A000028' });
  t.throws(() => readLabel('LABEL: innkeeper\n'), /unknown backup_label/);
});

t.test('every file between both positions is named, also over the end of the lower half', async (t) => {
  const from = (start: string, stop: string) => segmentNames({ timeline: 1, start }, stop, MB16);
  t.same(from('0/2000028', '0/2000158'), ['000000010000000000000002']);
  t.same(from('0/2000028', '0/3000000'), ['000000010000000000000002'], 'a stop at a boundary needs no further file');
  t.same(from('0/FE000028', '1/1'), [
    '0000000100000000000000FE',
    '0000000100000000000000FF',
    '000000010000000100000000',
  ]);
  t.same(segmentNames({ timeline: 11, start: '0/0' }, '0/1', MB16 * 4), ['0000000B0000000000000000']);
});
