import type { BackgroundPartition } from '../../kernel/ports.ts';

/** Partition of a single node. */
export const WHOLE: BackgroundPartition = { nodeId: 'alone', takes: () => true };
