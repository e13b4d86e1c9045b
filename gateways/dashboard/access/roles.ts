import { signal } from '@preact/signals';

/** Role of the signed-in user in the tenant; empty while it is unknown. */
export const signedInRole = signal('');

const MANAGERS: ReadonlySet<string> = new Set(['MANAGER', 'ADMIN', 'OWNER']);

/** Whether a role sees revenue and sets prices. The server decides; this hides what would fail. */
export function mayManage(role: string): boolean {
  return MANAGERS.has(role);
}
