import type { PageConfig } from '../../src/contracts/page-config.ts';
import type { SignedIn } from './identity.ts';

/** What the page needs to know of a property. */
export type PropertySummary = { propertyId: string; name: string; timezone?: string; nightAuditHour: number };

/** The API refused; `status` is 0 when it could not be reached. */
export class ApiError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** More pages than this are not fetched: nobody picks from ten thousand. */
const MOST_PAGES = 5;

/** Properties of the tenant by name. @throws ApiError */
export async function listProperties(config: PageConfig, user: SignedIn): Promise<PropertySummary[]> {
  const path = `${pathOf(user)}?limit=200`;
  const found: PropertySummary[] = [];
  let cursor: unknown;
  for (let page = 0; page < MOST_PAGES; page++) {
    const next = typeof cursor === 'string' ? `&cursor=${encodeURIComponent(cursor)}` : '';
    const answer = await get(config, user, path + next);
    for (const item of listOf(answer, 'items')) {
      const propertyId = member(item, 'propertyId');
      const name = member(item, 'name');
      if (typeof propertyId === 'string' && typeof name === 'string') found.push(summary(propertyId, name, item));
    }
    cursor = member(answer, 'nextCursor');
    if (typeof cursor !== 'string') break;
  }
  return found.sort((a, b) => a.name.localeCompare(b.name));
}

/** Names of the room types by code; empty when they cannot be had, since codes do as well. */
export async function roomTypeNames(
  config: PageConfig,
  user: SignedIn,
  propertyId: string,
): Promise<Map<string, string>> {
  const path = `${pathOf(user)}/${encodeURIComponent(propertyId)}/room-types`;
  const names = new Map<string, string>();
  try {
    for (const item of listOf(await get(config, user, path), 'items')) {
      const [code, name] = [member(item, 'roomType'), member(item, 'name')];
      if (typeof code === 'string' && typeof name === 'string') names.set(code, name);
    }
  } catch {
    // Shown by their codes then.
  }
  return names;
}

/** Where the properties of the user's tenant are. */
function pathOf({ tenantId }: SignedIn): string {
  return `/api/v1/tenants/${encodeURIComponent(tenantId)}/properties`;
}

function summary(propertyId: string, name: string, item: unknown): PropertySummary {
  const metadata = member(item, 'metadata');
  const timezone = member(metadata, 'timezone');
  const hour = member(member(metadata, 'policies'), 'nightAuditHour');
  return {
    propertyId,
    name,
    ...(typeof timezone === 'string' && { timezone }),
    nightAuditHour: typeof hour === 'number' ? hour : 3,
  };
}

async function get(config: PageConfig, user: SignedIn, path: string): Promise<unknown> {
  const headers = { authorization: `Bearer ${user.token}`, 'x-tenant-id': user.tenantId };
  const response = await fetch(config.reservationUrl + path, { headers, credentials: 'omit' }).catch(() => undefined);
  if (!response) throw new ApiError(0, 'The reservation service cannot be reached.');
  const answer: unknown = await response.json().catch(() => undefined);
  if (response.ok) return answer;
  const detail = member(answer, 'detail');
  throw new ApiError(response.status, typeof detail === 'string' ? detail : `The answer was ${response.status}.`);
}

function listOf(from: unknown, name: string): readonly unknown[] {
  const value = member(from, name);
  return Array.isArray(value) ? value : [];
}

function member(from: unknown, name: string): unknown {
  return typeof from === 'object' && from !== null ? Reflect.get(from, name) : undefined;
}
