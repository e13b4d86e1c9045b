/** Bounds of what users of a tenant send and keep open, as the installation sets them; 0 for no limit. */
export type RequestLimits = {
  /** Requests per second. */
  requests: { tenant: number; user: number; address: number; costly: number };
  /** Open sockets. */
  sockets: { tenant: number; user: number };
};

/** What is bounded (docs/reference/api.md#limits). */
export const LIMIT_NAMES = [
  'TENANT_REQUESTS_PER_SECOND',
  'USER_REQUESTS_PER_SECOND',
  'ANONYMOUS_REQUESTS_PER_SECOND',
  'COSTLY_REQUESTS_PER_SECOND',
  'TENANT_SOCKETS',
  'USER_SOCKETS',
  'USER_OPEN_HOLDS',
  'USER_HELD_ROOM_NIGHTS',
  'PROPERTY_PHOTOS',
  'TENANT_INVITATIONS',
] as const;
export type LimitName = (typeof LIMIT_NAMES)[number];

/** Who can change it: the operator by the configuration, or nobody. */
export const LIMIT_SOURCES = ['INSTALLATION', 'SERVICE'] as const;

/** One bound; null where there is none. */
export type TenantLimit = { name: LimitName; limit: number | null; setBy: (typeof LIMIT_SOURCES)[number] };
