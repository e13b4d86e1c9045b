import type { FastifyInstance, FastifyReply } from 'fastify';

import { type Day, formatDay, parseDay } from '../../kernel/rules/dates.ts';
import type { Room, RoomStatus } from '../../properties/rules/property.ts';
import type { ScriptedProperty } from './scripted-property.ts';

const PROPERTY = '/api/v1/tenants/demo/properties/harbor-hotel';

type ScriptedStay = {
  id: string;
  name: string;
  roomType: string;
  roomNumber?: string;
  checkIn: Day;
  checkOut: Day;
  status: string;
  balance: number;
  version: number;
};
type ScriptedMaintenance = {
  maintenanceId: string;
  roomNumber: string;
  kind: string;
  from: string;
  to: string | null;
  reason: string;
};
type ScriptedTask = {
  taskId: string;
  roomNumber: string;
  taskType: string;
  status: string;
  attendant: string | null;
  priority: number | null;
  nextArrival: string | null;
};

/** Rooms, stays, maintenances and tasks that the scripted services answer to the front desk. */
export class ScriptedDesk {
  readonly hotel: ScriptedProperty;
  readonly stays = new Map<string, ScriptedStay>();
  readonly maintenances = new Map<string, ScriptedMaintenance>();
  readonly tasks = new Map<string, ScriptedTask>();
  /** Writes as method and path, in order. */
  readonly writes: string[] = [];
  /** Nights that the next maintenance leaves short. */
  oversold: { roomType: string; date: string; shortfall: number }[] = [];
  #rooms: Room[] = [];
  #made = 0;

  constructor(hotel: ScriptedProperty) {
    this.hotel = hotel;
  }

  /** Answers `GET /reservations`. */
  list(query: Query): object {
    const day = (name: string, otherwise: Day): Day => (query[name] === undefined ? otherwise : dayIn(query[name]));
    const found = [...this.stays.values()].filter(
      (stay) =>
        query['bookingId'] === undefined &&
        stay.status === (query['status'] ?? stay.status) &&
        stay.checkIn >= day('arrivalFrom', -Infinity) &&
        stay.checkIn <= day('arrivalTo', Infinity) &&
        stay.checkOut >= day('departureFrom', -Infinity) &&
        stay.checkOut <= day('departureTo', Infinity) &&
        (query['guestId'] ?? guestOf(stay)) === guestOf(stay) &&
        (query['confirmationNumber'] ?? numberOf(stay)) === numberOf(stay),
    );
    return list(found, viewOf);
  }

  get rooms(): readonly Room[] {
    return this.#rooms;
  }

  /** Gives the property these rooms. */
  build(rooms: readonly Pick<Room, 'roomNumber' | 'roomType' | 'floor'>[]): void {
    this.#rooms = rooms.map((room) => ({ ...room, status: 'CLEAN', features: [], updatedAt: 0 }));
    this.hotel.putRooms(this.#rooms);
  }

  stay(made: Partial<ScriptedStay> & Pick<ScriptedStay, 'name' | 'checkIn' | 'checkOut'>): ScriptedStay {
    const id = `stay-${++this.#made}`;
    const stay = { id, roomType: 'STD', status: 'CONFIRMED', balance: 0, version: 1, ...made };
    this.stays.set(id, stay);
    return stay;
  }

  task(roomNumber: string, made: Partial<ScriptedTask> = {}): ScriptedTask {
    const taskId = `task-${++this.#made}`;
    const plain = { taskType: 'DEPARTURE', status: 'PENDING', attendant: null, priority: 3, nextArrival: null };
    const task = { taskId, roomNumber, ...plain, ...made };
    this.tasks.set(taskId, task);
    return task;
  }

  setStatus(roomNumber: string, status: RoomStatus): void {
    this.#rooms = this.#rooms.map((room) => (room.roomNumber === roomNumber ? { ...room, status } : room));
    this.hotel.putRooms(this.#rooms.filter((room) => room.roomNumber === roomNumber));
  }

  nextId(): string {
    return `made-${++this.#made}`;
  }
}

/** Serves what the front desk reads and writes; nothing is there before a test builds it. */
export function serveDesk(fastify: FastifyInstance, hotel: ScriptedProperty): ScriptedDesk {
  const desk = new ScriptedDesk(hotel);
  fastify.addHook('onRequest', async ({ method, url }) => {
    if (method !== 'GET') desk.writes.push(`${method} ${url}`);
  });
  serveStays(fastify, desk);
  serveRooms(fastify, desk);
  serveTasks(fastify, desk);
  return desk;
}

type Query = Record<string, string | undefined>;

function serveStays(fastify: FastifyInstance, desk: ScriptedDesk): void {
  fastify.get<{ Params: { id: string } }>('/api/v1/reservations/:id', ({ params }, reply) => {
    const stay = desk.stays.get(params.id);
    return stay ? reply.header('etag', `"${stay.version}"`).send(viewOf(stay)) : missing(reply, 'RESERVATION');
  });
  fastify.put<{ Params: { id: string }; Querystring: Query; Body: { roomNumber: string } }>(
    '/api/v1/reservations/:id/room',
    ({ params, query, body: { roomNumber } }, reply) => {
      const stay = desk.stays.get(params.id);
      if (!stay) return missing(reply, 'RESERVATION');
      const previousRoomNumber = stay.roomNumber ?? null;
      if (query['dryRun'] === undefined) change(stay, { roomNumber });
      return { reservationId: stay.id, roomNumber, roomType: stay.roomType, upgraded: false, previousRoomNumber };
    },
  );
  fastify.get<{ Querystring: Query }>('/api/v1/guests', ({ query: { q = '' } }) => {
    const words = q.toLowerCase().split(' ');
    const named = new Map([...desk.stays.values()].map((stay) => [guestOf(stay), stay.name]));
    const found = [...named].filter(([, name]) => words.every((word) => name.toLowerCase().includes(word)));
    return list(found, ([guestId, name]) => {
      const [firstName, lastName] = name.split(' ');
      return { guestId, firstName, lastName, email: '' };
    });
  });
  fastify.get('/api/v1/admin/desk-tasks', () => list([], () => undefined));
  fastify.get(`${PROPERTY}/shift-notes`, () => list([], () => undefined));
  serveAssignments(fastify, desk);
}

/** Gives each arrival the first room of its type that is free on all its nights. */
function serveAssignments(fastify: FastifyInstance, desk: ScriptedDesk): void {
  fastify.post<{ Querystring: Query; Body: { until?: string } }>(
    `${PROPERTY}/room-assignments`,
    ({ query, body: { until } }) => {
      const last = until === undefined ? desk.hotel.view.businessDate : dayIn(until);
      const taken = [...desk.stays.values()].filter(({ roomNumber }) => roomNumber !== undefined);
      const assigned: object[] = [];
      const unassigned: object[] = [];
      for (const stay of desk.stays.values()) {
        if (stay.roomNumber !== undefined || stay.status !== 'CONFIRMED' || stay.checkIn > last) continue;
        const room = desk.rooms.find(
          ({ roomNumber, roomType }) =>
            roomType === stay.roomType &&
            !taken.some(
              (one) => one.roomNumber === roomNumber && one.checkIn < stay.checkOut && stay.checkIn < one.checkOut,
            ),
        );
        if (!room) {
          unassigned.push({ reservationId: stay.id, reason: 'NO_ROOM_LEFT' });
          continue;
        }
        const { roomNumber, roomType } = room;
        taken.push({ ...stay, roomNumber });
        const nights = { checkIn: formatDay(stay.checkIn), checkOut: formatDay(stay.checkOut) };
        const plain = { upgraded: false, previousRoomNumber: null, unmetWishes: [] };
        assigned.push({ reservationId: stay.id, ...nights, roomNumber, roomType, ...plain });
        if (query['dryRun'] === undefined) change(stay, { roomNumber });
      }
      return { until: formatDay(last), assigned, unassigned };
    },
  );
}

function serveRooms(fastify: FastifyInstance, desk: ScriptedDesk): void {
  fastify.get(`${PROPERTY}/rooms`, () => list(desk.rooms, (room) => room));
  fastify.put<{ Params: { room: string }; Body: { status: RoomStatus } }>(
    `${PROPERTY}/rooms/:room/status`,
    ({ params, body }) => {
      desk.setStatus(params.room, body.status);
      return { roomNumber: params.room, status: body.status };
    },
  );
  fastify.get(`${PROPERTY}/maintenances`, () => list([...desk.maintenances.values()], (one) => one));
  const store = (id: string, body: Omit<ScriptedMaintenance, 'maintenanceId'>) => {
    const maintenance = { ...body, maintenanceId: id, to: body.to ?? null };
    desk.maintenances.set(id, maintenance);
    // The feed tells that maintenances are others by the room's entry.
    desk.hotel.putRooms(desk.rooms.filter(({ roomNumber }) => roomNumber === body.roomNumber));
    return { ...maintenance, oversold: desk.oversold.splice(0) };
  };
  fastify.post<{ Body: Omit<ScriptedMaintenance, 'maintenanceId'> }>(`${PROPERTY}/maintenances`, ({ body }) =>
    store(desk.nextId(), body),
  );
  fastify.put<{ Params: { id: string }; Body: Omit<ScriptedMaintenance, 'maintenanceId'> }>(
    `${PROPERTY}/maintenances/:id`,
    ({ params, body }) => store(params.id, body),
  );
  fastify.delete<{ Params: { id: string } }>(`${PROPERTY}/maintenances/:id`, ({ params: { id } }) => {
    const ended = desk.maintenances.get(id);
    desk.maintenances.delete(id);
    desk.hotel.putRooms(desk.rooms.filter(({ roomNumber }) => roomNumber === ended?.roomNumber));
    return { id, status: 'REMOVED' };
  });
}

const STEPS: Record<string, { status: string; room?: RoomStatus }> = {
  start: { status: 'IN_PROGRESS' },
  complete: { status: 'COMPLETED', room: 'CLEAN' },
  inspect: { status: 'INSPECTED', room: 'INSPECTED' },
};

function serveTasks(fastify: FastifyInstance, desk: ScriptedDesk): void {
  const shown = (task: ScriptedTask): object => {
    const room = desk.rooms.find(({ roomNumber }) => roomNumber === task.roomNumber);
    return { ...task, roomStatus: room?.status ?? null, notes: null };
  };
  fastify.get<{ Querystring: Query }>(`${PROPERTY}/housekeeping-tasks`, ({ query: { status, roomNumber } }) => {
    const open = new Set(['PENDING', 'IN_PROGRESS']);
    const found = [...desk.tasks.values()].filter(
      (task) =>
        (status === undefined ? open.has(task.status) : task.status === status) &&
        (roomNumber ?? task.roomNumber) === task.roomNumber,
    );
    return list(found, shown);
  });
  fastify.post<{ Params: { id: string; step: string }; Body: { passed?: boolean } }>(
    `${PROPERTY}/housekeeping-tasks/:id/:step`,
    ({ params, body }, reply) => {
      const task = desk.tasks.get(params.id);
      const step = STEPS[params.step];
      if (!task || !step) return missing(reply, 'HOUSEKEEPING_TASK');
      const failed = body.passed === false;
      task.status = failed ? 'PENDING' : step.status;
      const status = failed ? 'DIRTY' : step.room;
      if (status !== undefined) desk.setStatus(task.roomNumber, status);
      return shown(task);
    },
  );
  fastify.put<{ Params: { id: string }; Body: { attendant: string | null } }>(
    `${PROPERTY}/housekeeping-tasks/:id`,
    ({ params, body }, reply) => {
      const task = desk.tasks.get(params.id);
      if (!task) return missing(reply, 'HOUSEKEEPING_TASK');
      task.attendant = body.attendant;
      return shown(task);
    },
  );
}

function change(stay: ScriptedStay, changed: Partial<ScriptedStay>): void {
  Object.assign(stay, changed);
  stay.version += 1;
}

const dayIn = (text: string): Day => parseDay(text) ?? 0;
const guestOf = ({ name }: ScriptedStay): string => `guest of ${name}`;
const numberOf = ({ id }: ScriptedStay): string => `NUMBER${id.slice(5).padStart(4, '0')}`;

function list<T>(items: readonly T[], shown: (item: T) => unknown): object {
  return { items: items.map(shown), nextCursor: null };
}

function missing(reply: FastifyReply, what: string): FastifyReply {
  return reply.status(404).send({ code: `${what}_NOT_FOUND`, detail: 'There is none.' });
}

function viewOf(stay: ScriptedStay): object {
  const [firstName, lastName] = stay.name.split(' ');
  const amount = 400;
  return {
    reservationId: stay.id,
    propertyId: 'harbor-hotel',
    confirmationNumber: numberOf(stay),
    status: stay.status,
    guestInfo: {
      guestId: guestOf(stay),
      firstName,
      lastName,
      email: 'guest@example.com',
      phone: null,
      loyaltyTier: 'NONE',
    },
    stayDetails: {
      checkIn: formatDay(stay.checkIn),
      checkOut: formatDay(stay.checkOut),
      nights: stay.checkOut - stay.checkIn,
      roomType: stay.roomType,
      roomNumber: stay.roomNumber ?? 'TBA',
      adults: 2,
      children: 0,
    },
    financial: {
      totalAmount: amount,
      paidAmount: amount - stay.balance,
      balanceDue: stay.balance,
      currency: 'EUR',
    },
    specialRequests: [],
    updatedAt: new Date(1_700_000_000_000 + stay.version * 1_000).toISOString(),
  };
}
