import type { Share } from '../ports/share.ts';

/** Of a node that is alone. */
export const WHOLE: Share = { nodeId: 'alone', takes: () => true };
