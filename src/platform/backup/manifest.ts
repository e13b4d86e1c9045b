import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

import { LaunchError } from '../launch/launch-error.mjs';

const FILE = 'manifest.json';

/** Paths must not leave the backup. */
const path = z.string().regex(/^(?!\/)(?!(.*\/)?\.\.(\/|$)).+$/);

const manifest = z.strictObject({
  format: z.literal(1),
  /** The backup contains everything acknowledged before. */
  madeAt: z.iso.datetime(),
  /** Major version of the server. */
  postgres: z.string(),
  /** Log positions between which the files were copied. */
  start: z.string(),
  stop: z.string(),
  folders: z.array(path),
  links: z.array(z.strictObject({ path, target: z.string() })),
  files: z.array(z.strictObject({ path, size: z.int().min(0), sha256: z.string().regex(/^[0-9a-f]{64}$/) })),
});

const sealed = z.strictObject({ sha256: z.string(), backup: manifest });

/** Content of a backup with relative paths. Its folder has the layout of DATA_DIR. */
export type Manifest = z.infer<typeof manifest>;

/** Text of `manifest.json`, which contains its own hash. */
export function sealManifest(backup: Manifest): { name: string; text: string } {
  return { name: FILE, text: `${JSON.stringify({ sha256: hashOf(backup), backup })}\n` };
}

/** @param folder of the backup @throws LaunchError when it is none, or was changed */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, FILE), 'utf8').catch(() => {
    throw new LaunchError(`${folder} is no backup: it has no ${FILE} that can be read`);
  });
  const parsed = sealed.safeParse(parse(text));
  if (!parsed.success || hashOf(parsed.data.backup) !== parsed.data.sha256)
    throw new LaunchError(`the backup in ${folder} is damaged: ${FILE} is not as it was written`);
  return parsed.data.backup;
}

export function bytesOf({ files }: { files: readonly { size: number }[] }): number {
  return files.reduce((bytes, { size }) => bytes + size, 0);
}

function hashOf(backup: Manifest): string {
  return createHash('sha256').update(JSON.stringify(backup)).digest('hex');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
