/** States of a sandbox as its owner sees them. */
export const SANDBOX_STATES = ['NONE', 'PLAYING', 'READY', 'ENDING', 'STOPPED'] as const;
export type SandboxState = (typeof SANDBOX_STATES)[number];
