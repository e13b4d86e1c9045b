import { get } from '../replay/audit.ts';
import { inTurns, type Target } from '../replay/property.ts';

type Room = { roomNumber: string; status: string };
type RoomPage = { items: Room[]; nextCursor: string | null };

/** Cleans every dirty room. @returns how many @throws Error when a room does not become clean */
export async function cleanRooms(target: Target): Promise<number> {
  const rooms = `${target.reservationUrl}/api/v1/tenants/${target.tenantId}/properties/${target.propertyId}/rooms`;
  const dirty: Room[] = [];
  let next: string | null | undefined;
  do {
    const page = new URLSearchParams({ limit: '200', ...(next ? { cursor: next } : {}) });
    const { items, nextCursor } = await get<RoomPage>(target, `${rooms}?${page.toString()}`);
    dirty.push(...items.filter(({ status }) => status === 'DIRTY'));
    next = nextCursor;
  } while (next);
  await inTurns(dirty, async ({ roomNumber }) => {
    const body = JSON.stringify({ status: 'CLEAN' });
    const answer = await target.client.call({ method: 'PUT', url: `${rooms}/${roomNumber}/status`, body });
    if (answer.status !== 200) throw new Error(`room ${roomNumber} is not clean: ${answer.text.slice(0, 300)}`);
  });
  return dirty.length;
}
