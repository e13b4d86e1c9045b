import { listAll } from '../replay/audit.ts';
import { inTurns, type Target } from '../replay/property.ts';

type Room = { roomNumber: string; status: string };

/** Cleans every dirty room. @returns how many @throws Error when a room does not become clean */
export async function cleanRooms(target: Target): Promise<number> {
  const rooms = `${target.reservationUrl}/api/v1/tenants/${target.tenantId}/properties/${target.propertyId}/rooms`;
  const dirty: Room[] = [];
  for await (const room of listAll<Room>(target, rooms)) if (room.status === 'DIRTY') dirty.push(room);
  await inTurns(dirty, async ({ roomNumber }) => {
    const body = JSON.stringify({ status: 'CLEAN' });
    const answer = await target.client.call({ method: 'PUT', url: `${rooms}/${roomNumber}/status`, body });
    if (answer.status !== 200) throw new Error(`room ${roomNumber} is not clean: ${answer.text.slice(0, 300)}`);
  });
  return dirty.length;
}
