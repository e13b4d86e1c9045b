/** Start of a backup, by backup_label. */
type Label = { timeline: number; start: string };

/** @param label text of backup_label @throws Error when its format differs from PostgreSQL 18 */
export function readLabel(label: string): Label {
  const start = /^START WAL LOCATION: ([0-9A-F]+\/[0-9A-F]+) /m.exec(label)?.[1];
  const timeline = Number(/^START TIMELINE: (\d+)$/m.exec(label)?.[1]);
  if (start === undefined || !Number.isSafeInteger(timeline))
    throw new Error(`the server wrote an unknown backup_label: ${label}`);
  return { timeline, start };
}

/**
 * Names of the log files between two positions.
 *
 * @param stop first position that is not needed
 * @param segmentBytes size of a file
 */
export function segmentNames({ timeline, start }: Label, stop: string, segmentBytes: number): string[] {
  const size = BigInt(segmentBytes);
  const perHigh = 0x1_0000_0000n / size;
  const last = (positionOf(stop) - 1n) / size;
  const names: string[] = [];
  for (let n = positionOf(start) / size; n <= last; n += 1n)
    names.push([BigInt(timeline), n / perHigh, n % perHigh].map(hex).join(''));
  return names;
}

function positionOf(lsn: string): bigint {
  const [high = '', low = ''] = lsn.split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}

const hex = (n: bigint): string => n.toString(16).toUpperCase().padStart(8, '0');
