import type { BackgroundPartition } from '../../kernel/ports.ts';

/** Of a node that is alone. */
export const WHOLE: BackgroundPartition = { nodeId: 'alone', takes: () => true };
