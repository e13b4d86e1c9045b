import { hash } from 'node:crypto';

import type { PersonId } from '../rules/preferences.ts';

export function personOf({ issuer, subject }: { issuer: string; subject: string }): PersonId {
  return hash('sha256', `${issuer}\n${subject}`, 'base64url');
}

/** Names a token without revealing it. */
export const markOf = (token: string): string => hash('sha256', token, 'base64');
