import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { fromBufferPromise, type Entry, type ZipFile } from 'yauzl';

import { DomainError } from '../../kernel/rules/domain-error.ts';
import { MAX_IMPORT_FILES } from '../rules/import.ts';

/** A file of an archive; `path` is its name with the folders it lies in. */
export type ArchivedFile = { name: string; path?: string; bytes: Buffer };

/** In every file of a spreadsheet program, which is an archive too. */
const WORKBOOK = '[Content_Types].xml';

const unzipped = promisify(gunzip);

const isZip = (bytes: Buffer): boolean => bytes.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004';
const isGzip = (bytes: Buffer): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

const unreadable = (detail: string): DomainError => new DomainError('BODY_UNREADABLE', detail);

/**
 * The files of what was sent: those of a zip, or the only one, which may be compressed by gzip. What is unpacked has
 * at most `maxBytes`, whatever the archive says of itself.
 * @throws DomainError BODY_UNREADABLE
 */
export async function readArchive(bytes: Buffer, maxBytes: number): Promise<ArchivedFile[]> {
  if (isZip(bytes)) return zipFiles(bytes, maxBytes);
  if (!isGzip(bytes)) return [{ name: '', bytes }];
  try {
    return [{ name: '', bytes: await unzipped(bytes, { maxOutputLength: maxBytes }) }];
  } catch {
    throw unreadable(`The body is no file of gzip, or has more than ${maxBytes} bytes.`);
  }
}

async function zipFiles(bytes: Buffer, maxBytes: number): Promise<ArchivedFile[]> {
  const files: ArchivedFile[] = [];
  let left = maxBytes;
  let zip: ZipFile | undefined;
  try {
    zip = await fromBufferPromise(bytes, { lazyEntries: true });
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName === WORKBOOK) throw unreadable('The body is a workbook: save its sheet as CSV in UTF-8.');
      const name = entry.fileName.split('/').at(-1) ?? '';
      // Folders, and what systems add by themselves.
      if (name === '' || name.startsWith('.') || entry.fileName.startsWith('__MACOSX/')) continue;
      if (files.length >= MAX_IMPORT_FILES + 1) throw unreadable(`An archive has at most ${MAX_IMPORT_FILES} files.`);
      const read = await entryBytes(zip, entry, left);
      if (isZip(read) || isGzip(read))
        throw unreadable('A file in the archive is an archive: send its files themselves.');
      left -= read.length;
      files.push({ name, path: entry.fileName, bytes: read });
    }
  } catch (error) {
    throw error instanceof DomainError ? error : unreadable('The body is no archive that can be read.');
  } finally {
    zip?.close();
  }
  if (files.length === 0) throw unreadable('The archive has no file.');
  return files;
}

/** @throws DomainError BODY_UNREADABLE once it has more than is left */
async function entryBytes(zip: ZipFile, entry: Entry, left: number): Promise<Buffer> {
  const tooLarge = unreadable('What is in the archive is too large.');
  if (entry.uncompressedSize > left) throw tooLarge;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of await zip.openReadStreamPromise(entry)) {
    size += (chunk as Buffer).length;
    if (size > left) throw tooLarge;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}
