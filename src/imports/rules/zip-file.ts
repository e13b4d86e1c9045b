/** A file of an archive. */
type ZipEntry = { name: string; bytes: Uint8Array };

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value >>> 0;
});

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ TABLE[(crc ^ byte) & 0xff]!;
  return (crc ^ 0xffffffff) >>> 0;
}

/** UTF-8 names. */
const FLAGS = 0x0800;
const VERSION = 20;

/** An archive of files as they are, without compression: for those who send several files as one. */
export function zipFile(entries: readonly ZipEntry[]): Uint8Array {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let at = 0;
  for (const { name, bytes } of entries) {
    const named = new TextEncoder().encode(name);
    const common = [
      ...[VERSION, FLAGS, 0, 0, 0].map(short),
      long(crc32(bytes)),
      long(bytes.length),
      long(bytes.length),
    ];
    const local = joined([long(0x04034b50), ...common, short(named.length), short(0), named]);
    directory.push(
      joined([
        long(0x02014b50),
        short(VERSION),
        ...common,
        short(named.length),
        ...[0, 0, 0, 0].map(short),
        long(0),
        long(at),
        named,
      ]),
    );
    parts.push(local, bytes);
    at += local.length + bytes.length;
  }
  const central = joined(directory);
  const counts = [short(entries.length), short(entries.length), long(central.length), long(at), short(0)];
  return joined([...parts, central, long(0x06054b50), short(0), short(0), ...counts]);
}

const short = (value: number): Uint8Array => Uint8Array.of(value & 0xff, (value >>> 8) & 0xff);
const long = (value: number): Uint8Array => joined([short(value & 0xffff), short(value >>> 16)]);

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
