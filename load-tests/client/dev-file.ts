import { readFileSync } from 'node:fs';
import { z } from 'zod';

const devFile = z.object({
  rateUrl: z.url(),
  reservationUrl: z.url(),
  tokens: z.record(z.string(), z.record(z.string(), z.string())),
  operatorToken: z.string(),
  pid: z.int().positive(),
});

/** Addresses of a running service, and tokens for it (docs/operations/process.md#start). */
export type DevFile = z.infer<typeof devFile>;

/** @throws Error with what to do, when no service is ready */
export function readDevFile(path: string): DevFile {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw new Error(`${path} is not there: start the service first (npm start), or name its file with --url-file`);
  }
  return devFile.parse(JSON.parse(text));
}

/** @throws Error when the service has no such tenant or role */
export function tokenOf(dev: DevFile, tenantId: string, role: string): string {
  const token = dev.tokens[tenantId]?.[role];
  if (token === undefined) throw new Error(`the service has no token for ${role} of the tenant ${tenantId}`);
  return token;
}
