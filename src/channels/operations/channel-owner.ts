/** Binds a sealed header to its channel. */
export const channelOwner = (tenantId: string, channelId: string): string => `channel ${tenantId} ${channelId}`;
