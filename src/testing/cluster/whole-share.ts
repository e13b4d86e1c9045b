import type { Share } from '../../kernel/ports.ts';

/** Of a node that is alone. */
export const WHOLE: Share = { nodeId: 'alone', takes: () => true };
