const MANAGERS: ReadonlySet<string> = new Set(['MANAGER', 'ADMIN', 'OWNER']);

/** Whether a role sees what nights earn and sets prices. What it may is for the server to say; this hides what fails. */
export function mayManage(role: string): boolean {
  return MANAGERS.has(role);
}
