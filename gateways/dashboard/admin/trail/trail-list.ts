import type { WireOf } from '../../../../src/kernel/contracts/answers.ts';
import type { auditTrailAnswer } from '../../../../src/tenants/contracts/audit-trail.ts';
import { pageUrl } from '../../address.ts';
import type { AdminStore } from '../admin.ts';
import { NarrowedList } from '../narrowed-list.ts';

type Trail = WireOf<typeof auditTrailAnswer>;
export type TrailEntry = Trail['items'][number];

/** Filters by the names of their parameters in the address, and what the service calls them. */
const FILTERS = {
  of: 'propertyId',
  entity: 'entity',
  who: 'subject',
  action: 'action',
  from: 'from',
  to: 'to',
} as const;
export type TrailFilter = keyof typeof FILTERS;

/** The audit trail of the tenant. */
export class TrailList extends NarrowedList<TrailEntry, TrailFilter> {
  constructor(admin: AdminStore) {
    super(admin, { filters: FILTERS, path: () => '/api/v1/admin/audit-trail' });
  }
}

/** The page about what was changed, where there is one. */
export function entityLink({ entity, entityId, propertyId }: TrailEntry): string | undefined {
  const property = propertyId ?? undefined;
  switch (entity) {
    case 'reservation':
      return pageUrl('/desk', { property, stay: entityId });
    case 'guest':
      return `/guests/${encodeURIComponent(entityId)}`;
    case 'group':
      return pageUrl(`/groups/${encodeURIComponent(entityId)}`, { property });
    case 'rates':
    case 'restrictions':
    case 'inventory':
    case 'calendarEvent':
      return pageUrl('/revenue', { property });
    case 'letter': {
      const [of, letter, language] = entityId.split('/');
      return pageUrl('/admin/letters', { property: of, letter, language });
    }
    case 'property':
    case 'roomType':
    case 'room':
      return pageUrl(ADMIN_SECTIONS[entity], { property });
    default:
      return undefined;
  }
}

const ADMIN_SECTIONS = {
  property: '/admin/properties',
  roomType: '/admin/room-types',
  room: '/admin/rooms',
} as const;

/** Members of an image in lines: a value that has members of its own as JSON. */
export function linesOf(image: TrailEntry['before']): { name: string; text: string }[] {
  return Object.entries(image ?? {}).map(([name, value]) => ({
    name,
    text: typeof value === 'string' ? value : JSON.stringify(value, undefined, 1),
  }));
}
