import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { v7 as uuidv7 } from 'uuid';

import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { ImportQuery } from '../contracts/imports.ts';
import type { ImportRun, StoredImport } from '../ports.ts';
import { openFiles } from './open-files.ts';

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
  let lines = 0;
  for (const { lines: all } of files)
    for (const _ of all()) {
      lines += 1;
      if (lines % COUNTED_AT_ONCE === 0) await new Promise(setImmediate);
    }
  if (lines === 0 || lines > MAX_LINES)
    throw new DomainError('BODY_UNREADABLE', `The files of an import have 1 to ${MAX_LINES} lines.`);
  const importId = uuidv7();
  const hash = createHash('sha256').update(bytes).update(JSON.stringify(mapping)).digest('hex');
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += PART_BYTES) {
    const part = gzipSync(bytes.subarray(at, at + PART_BYTES)).toString('base64');
    parts.push(services.sealed.seal(part, boundTo(importId, parts.length)));
    await new Promise(setImmediate);
  }
  return services.imports.begin(caller, { importId, propertyId, dryRun, lines, mapping, bodyHash: hash, parts });
}

const boundTo = (importId: string, part: number): string => `import ${importId} ${part}`;

/** What was sent for an import. */
export async function sentBytes(
  { imports, sealed }: Pick<Services, 'imports' | 'sealed'>,
  run: ImportRun,
): Promise<Buffer> {
  const parts = await imports.upload(run);
  return Buffer.concat(
    parts.map((part, n) => gunzipSync(Buffer.from(sealed.open(part, boundTo(run.importId, n)), 'base64'))),
  );
}
