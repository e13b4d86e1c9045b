import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { v7 as uuidv7 } from 'uuid';

import { letOthersRun } from '../../kernel/operations/let-others-run.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { ImportQuery, ImportRunBody, UploadQuery } from '../contracts/imports.ts';
import { importMapping } from '../contracts/mapping.ts';
import type { ImportRun, StoredImport } from '../ports.ts';
import { MAX_IMPORT_FILES, UPLOAD_GONE } from '../rules/import.ts';
import type { ImportMapping } from '../rules/mapping.ts';
import { encodingOf, openDataFile } from './data-files.ts';
import { dataIn, type OpenedFile, openFiles } from './open-files.ts';
import { readArchive } from './read-archive.ts';

/** Characters of the name of a file. */
const MAX_NAME = 200;
/** Size of a stored part of what was sent, before it is sealed. */
const PART_BYTES = 1024 * 1024;
/** Lines that are counted before the event loop goes on. */
const COUNTED_AT_ONCE = 20_000;
/** More lines than this are divided into several files. */
const MAX_LINES = 2_000_000;

/**
 * Takes files of another system (docs/reference/import.md#requests): they are checked against their mapping, stored
 * sealed, and imported behind the answer.
 * @throws DomainError PROPERTY_NOT_FOUND, BODY_UNREADABLE, VALIDATION_FAILED, INVALID_STATE while another import runs
 */
export async function beginImport(
  services: Services,
  caller: Caller,
  { propertyId, dryRun, mapping: said }: ImportQuery,
  bytes: Buffer,
): Promise<StoredImport> {
  const { tenantId } = caller;
  await services.properties.view({ tenantId, propertyId });
  const { mapping, files } = await openFiles(bytes, said, services.importMaxBytes);
  const lines = await countLines(files);
  const importId = uuidv7();
  const parts = await sealedParts(services, importId, bytes);
  const bodyHash = await hashOf(bytes, mapping);
  return services.imports.begin(caller, { importId, propertyId, dryRun, lines, mapping, bodyHash, parts });
}

/**
 * Stores files of another system, to be looked at, mapped and run later (docs/reference/import.md#file-first).
 * @throws DomainError PROPERTY_NOT_FOUND, BODY_UNREADABLE
 */
export async function uploadImport(
  services: Services,
  caller: Caller,
  { propertyId, name }: UploadQuery,
  bytes: Buffer,
): Promise<StoredImport> {
  const { tenantId } = caller;
  await services.properties.view({ tenantId, propertyId });
  const files = dataIn(await readArchive(bytes, services.importMaxBytes));
  if (files.length === 0 || files.length > MAX_IMPORT_FILES || files.some(({ name: own }) => own.length > MAX_NAME))
    throw new DomainError(
      'BODY_UNREADABLE',
      `An archive has 1 to ${MAX_IMPORT_FILES} files beside its mapping, with names of up to ${MAX_NAME} characters.`,
    );
  // What cannot be read is named at once; a sample reads the rest.
  for (const file of files) openDataFile(file, { encoding: encodingOf(file.bytes) });
  const named = files.map((file) => ({ kind: 'reservations' as const, file: file.name || name, fields: {} }));
  const mapping = importMapping.parse({ files: named });
  const importId = uuidv7();
  const parts = await sealedParts(services, importId, bytes);
  const run = { importId, propertyId, dryRun: true, lines: 0, mapping, bodyHash: await hashOf(bytes, mapping) };
  return services.imports.begin(caller, { ...run, parts, isUploadOnly: true });
}

/**
 * Runs what was sent for an import, with a mapping, for a trial or in earnest.
 * @throws DomainError IMPORT_NOT_FOUND, VALIDATION_FAILED, INVALID_STATE while one runs, or where the file is removed
 */
export async function rerunImport(
  services: Services,
  caller: Caller,
  importId: string,
  { mapping: said, dryRun }: ImportRunBody,
): Promise<StoredImport> {
  const { tenantId } = caller;
  const known = await services.imports.get(tenantId, importId);
  if (!known) throw new DomainError('IMPORT_NOT_FOUND', 'The tenant has no such import.');
  const { propertyId } = known;
  const bytes = await sentBytes(services, { to: { tenantId, propertyId }, importId });
  const { mapping, files } = await openFiles(bytes, said, services.importMaxBytes);
  const lines = await countLines(files);
  const run = { importId, propertyId, dryRun, lines, mapping, bodyHash: await hashOf(bytes, mapping) };
  return services.imports.rerun(caller, run);
}

/** @throws DomainError BODY_UNREADABLE for files without a line, or with too many */
async function countLines(files: readonly OpenedFile[]): Promise<number> {
  let lines = 0;
  for (const { lines: all } of files)
    for (const _ of all()) {
      lines += 1;
      if (lines % COUNTED_AT_ONCE === 0) await letOthersRun();
    }
  if (lines === 0 || lines > MAX_LINES)
    throw new DomainError('BODY_UNREADABLE', `The files of an import have 1 to ${MAX_LINES} lines.`);
  return lines;
}

async function hashOf(bytes: Buffer, mapping: ImportMapping): Promise<string> {
  const hash = createHash('sha256');
  for (let at = 0; at < bytes.length; at += PART_BYTES) {
    hash.update(bytes.subarray(at, at + PART_BYTES));
    await letOthersRun();
  }
  return hash.update(JSON.stringify(mapping)).digest('hex');
}

async function sealedParts({ sealed }: Services, importId: string, bytes: Buffer): Promise<string[]> {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += PART_BYTES) {
    const part = gzipSync(bytes.subarray(at, at + PART_BYTES)).toString('base64');
    parts.push(sealed.seal(part, boundTo(importId, parts.length)));
    await letOthersRun();
  }
  return parts;
}

const boundTo = (importId: string, part: number): string => `import ${importId} ${part}`;

/** What was sent for an import. @throws DomainError INVALID_STATE where it is not stored any more */
export async function sentBytes(
  { imports, sealed }: Pick<Services, 'imports' | 'sealed'>,
  run: Pick<ImportRun, 'to' | 'importId'>,
): Promise<Buffer> {
  const opened: Buffer[] = [];
  for (;;) {
    const part = await imports.uploadPart(run, opened.length);
    if (part === undefined) break;
    const text = sealed.open(part, boundTo(run.importId, opened.length));
    opened.push(gunzipSync(Buffer.from(text, 'base64')));
    await letOthersRun();
  }
  if (opened.length === 0) throw UPLOAD_GONE;
  return Buffer.concat(opened);
}
