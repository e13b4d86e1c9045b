import type { Test } from 'tap';

import { auditIsClean } from '../audit.ts';
import type { Answer } from '../http.ts';
import { isProblem } from '../problems.ts';
import { advanceClock, BlackboxProperty, must } from '../property.ts';
import type { CallOptions, Service } from '../service.ts';

type Json = Record<string, unknown>;
type Task = Json & { taskId: string; roomNumber: string };
type List = { items: Task[]; nextCursor: string | null };
type Report = { totals: Json; byTaskType: Json[]; items: Json[] };

/** Calls about the tasks of one property. */
class Desk {
  readonly #service: Service;
  readonly property: BlackboxProperty;

  constructor(service: Service, property: BlackboxProperty) {
    this.#service = service;
    this.property = property;
  }

  /** A property with DLX rooms, on the floor of their first digit. */
  static async open(service: Service, rooms: readonly string[], policies: Json = {}): Promise<Desk> {
    const property = await BlackboxProperty.open(service, { rooms: { DLX: rooms.length }, policies });
    const { propertyId } = property;
    for (const roomNumber of rooms) {
      const body = { roomNumber, roomType: 'DLX', floor: Number(roomNumber[0]) };
      must(await service.tenants('POST', `/properties/${propertyId}/rooms`, { body }), 201);
    }
    return new Desk(service, property);
  }

  get #at(): string {
    return `/properties/${this.property.propertyId}`;
  }

  call<T = Task>(method: 'GET' | 'POST' | 'PUT', path = '', body?: Json, options: CallOptions = {}) {
    const sent = { role: 'STAFF' as const, ...options, ...(body && { body }) };
    return this.#service.tenants<T>(method, `${this.#at}/housekeeping-tasks${path}`, sent);
  }

  async list(query = ''): Promise<List> {
    return must(await this.call<List>('GET', query), 200).json;
  }

  async setRoom(roomNumber: string, status: string): Promise<void> {
    const sent = { body: { status }, role: 'STAFF' as const };
    must(await this.#service.tenants('PUT', `${this.#at}/rooms/${roomNumber}/status`, sent), 200);
  }

  async roomStatus(roomNumber: string): Promise<unknown> {
    return must(await this.#service.tenants<Json>('GET', `${this.#at}/rooms/${roomNumber}`), 200).json['status'];
  }

  /** Makes a room dirty. @returns its task */
  async dirty(roomNumber: string): Promise<Task> {
    await this.setRoom(roomNumber, 'DIRTY');
    return (await this.list()).items.find((task) => task.roomNumber === roomNumber)!;
  }

  report(query = '', options: CallOptions = {}) {
    const url = `${this.#service.dev.reservationUrl}/api/v1/reports/housekeeping?propertyId=${this.property.propertyId}`;
    return this.#service.call<Report>('GET', `${url}${query}`, { role: 'STAFF', ...options });
  }
}

/** Housekeeping tasks (docs/reference/set-up.md#housekeeping). */
export async function housekeeping(group: Test, service: Service): Promise<void> {
  const checkIn = (reservationId: string) =>
    service.reservations<Json>('POST', `/${reservationId}/checkin`, {
      body: { identificationVerified: true, keyCards: 1 },
    });

  await group.test('a task from dirty to inspected, and the room with it', async (t) => {
    const desk = await Desk.open(service, ['101']);
    const { taskId, ...task } = await desk.dirty('101');
    t.match(task, {
      roomNumber: '101',
      roomStatus: 'DIRTY',
      taskType: 'DEPARTURE',
      status: 'PENDING',
      attendant: null,
      priority: 3,
      nextArrival: null,
      minutes: null,
    });
    const changed = await desk.call('PUT', `/${taskId}`, { attendant: 'Ana', notes: 'a cot' });
    t.match(must(changed, 200).json, { attendant: 'Ana', notes: 'a cot', status: 'PENDING' });
    t.match(must(await desk.call('PUT', `/${taskId}`, { notes: null }), 200).json, { attendant: 'Ana', notes: null });
    const started = must(await desk.call('POST', `/${taskId}/start`), 200);
    t.match(started.json, { status: 'IN_PROGRESS', startedAt: /Z$/ });
    t.match(started.headers['x-property-seq'], /^\d+$/);
    t.match(must(await desk.call('POST', `/${taskId}/complete`), 200).json, {
      status: 'COMPLETED',
      roomStatus: 'CLEAN',
      completedAt: /Z$/,
      minutes: 0,
    });
    t.equal(await desk.roomStatus('101'), 'CLEAN');
    t.same((await desk.list()).items, [], 'nobody has to inspect it');
    const failed = await desk.call('POST', `/${taskId}/inspect`, { passed: false, notes: 'dust' });
    t.match(must(failed, 200).json, { status: 'PENDING', roomStatus: 'DIRTY', notes: 'dust', completedAt: null });
    must(await desk.call('POST', `/${taskId}/complete`), 200);
    const passed = must(await desk.call('POST', `/${taskId}/inspect`, { passed: true }), 200);
    t.match(passed.json, { status: 'INSPECTED', roomStatus: 'INSPECTED', inspectedAt: /Z$/, priority: null });
    t.equal(await desk.roomStatus('101'), 'INSPECTED');
    t.match(must(await desk.call('GET', `/${taskId}`), 200).json, passed.json);
    t.match((await desk.list('?status=INSPECTED')).items, [{ taskId, attendant: 'Ana' }]);
    await auditIsClean(t, desk.property);
  });

  await group.test('a repeated request has one effect, and each change is in the audit trail', async (t) => {
    const desk = await Desk.open(service, ['101']);
    const { taskId } = await desk.dirty('101');
    const key = { headers: { 'idempotency-key': crypto.randomUUID() } };
    const first = must(await desk.call('POST', `/${taskId}/start`, undefined, key), 200);
    const again = must(await desk.call('POST', `/${taskId}/start`, undefined, key), 200);
    t.same(again.json, first.json);
    t.equal(again.headers['idempotency-replayed'], 'true');
    const url = `${service.dev.reservationUrl}/api/v1/admin/audit-trail?entity=${taskId}`;
    const trail = must(await service.call<{ items: Json[] }>('GET', url, { role: 'ADMIN' }), 200);
    t.match(trail.json.items, [{ action: 'START_HOUSEKEEPING_TASK', entity: 'housekeepingTask', entityId: taskId }]);
    t.match(JSON.stringify(trail.json.items), /"before":.*PENDING.*"after":.*IN_PROGRESS/);
  });

  await group.test('what cannot be is refused with the state of the task', async (t) => {
    const desk = await Desk.open(service, ['101', '102']);
    const { taskId } = await desk.dirty('101');
    const isWrong = (answer: Answer<Json>, status: string): void => {
      isProblem(t, answer, 409, { code: 'INVALID_STATE' });
      t.match(answer.json, { taskStatus: status });
    };
    isWrong(await desk.call('POST', `/${taskId}/inspect`, { passed: true }), 'PENDING');
    must(await desk.call('POST', `/${taskId}/start`), 200);
    isWrong(await desk.call('POST', `/${taskId}/start`), 'IN_PROGRESS');
    must(await desk.call('POST', `/${taskId}/complete`), 200);
    isWrong(await desk.call('POST', `/${taskId}/complete`), 'COMPLETED');
    await desk.setRoom('101', 'INSPECTED');
    for (const [path, body] of [['start'], ['complete'], ['inspect', { passed: true }]] as const)
      isWrong(await desk.call('POST', `/${taskId}/${path}`, body), 'INSPECTED');
    isWrong(await desk.call('PUT', `/${taskId}`, { attendant: 'Ana' }), 'INSPECTED');
    const removed = await desk.dirty('102');
    const { propertyId } = desk.property;
    must(await service.tenants('DELETE', `/properties/${propertyId}/rooms/102`, { role: 'ADMIN' }), 200);
    isWrong(await desk.call('POST', `/${removed.taskId}/start`), 'SKIPPED');
    t.match(must(await desk.call('GET', `/${removed.taskId}`), 200).json, { status: 'SKIPPED', roomStatus: null });
    for (const id of [crypto.randomUUID(), 'none']) {
      isProblem(t, await desk.call('GET', `/${id}`), 404, { code: 'HOUSEKEEPING_TASK_NOT_FOUND' });
      isProblem(t, await desk.call('POST', `/${id}/start`), 404, { code: 'HOUSEKEEPING_TASK_NOT_FOUND' });
    }
    const third = await desk.dirty('101');
    for (const body of [{ attendant: 'x'.repeat(51) }, { attendant: 'a\nb' }, { minutes: 3 }])
      isProblem(t, await desk.call('PUT', `/${third.taskId}`, body), 400, { code: 'VALIDATION_FAILED' });
    isProblem(t, await desk.call('POST', `/${third.taskId}/inspect`, {}), 400, { code: 'VALIDATION_FAILED' });
    isProblem(t, await desk.call('GET', '?status=DONE'), 400, { code: 'VALIDATION_FAILED' });
  });

  await group.test('open tasks come in the order of arrivals, by attendant, floor and page', async (t) => {
    const desk = await Desk.open(service, ['101', '102', '201', '202']);
    for (const [roomNumber, from] of [
      ['202', 0],
      ['102', 1],
      ['201', 3],
    ] as const) {
      const { reservationId } = await desk.property.booked({ from, nights: 1 });
      const url = `${service.dev.reservationUrl}/api/v1/reservations/${reservationId}/room`;
      must(await service.call('PUT', url, { body: { roomNumber } }), 200);
    }
    const tasks = new Map<string, Task>();
    for (const roomNumber of ['101', '102', '201', '202']) tasks.set(roomNumber, await desk.dirty(roomNumber));
    const { items } = await desk.list();
    t.same(
      items.map((task) => [task.roomNumber, task['priority'], task['nextArrival']]),
      [
        ['202', 1, desk.property.day(0)],
        ['102', 2, desk.property.day(1)],
        ['201', 3, desk.property.day(3)],
        ['101', 3, null],
      ],
    );
    const rooms = async (query: string): Promise<string[]> =>
      (await desk.list(query)).items.map(({ roomNumber }) => roomNumber);
    t.same(await rooms('?floor=1'), ['102', '101']);
    must(await desk.call('PUT', `/${tasks.get('101')!.taskId}`, { attendant: 'Ana' }), 200);
    must(await desk.call('POST', `/${tasks.get('102')!.taskId}/start`), 200);
    t.same(await rooms('?attendant=Ana'), ['101']);
    t.same(await rooms('?roomNumber=201'), ['201']);
    t.same(await rooms('?roomNumber=201&floor=1'), []);
    t.same(await rooms('?status=IN_PROGRESS'), ['102']);
    const first = await desk.list('?limit=3');
    t.same(
      first.items.map(({ roomNumber }) => roomNumber),
      ['202', '102', '201'],
    );
    t.same(await rooms(`?limit=3&cursor=${first.nextCursor}`), ['101']);
    for (const task of tasks.values()) must(await desk.call('POST', `/${task.taskId}/complete`), 200);
    const done = await desk.list('?status=COMPLETED&limit=3');
    const rest = await desk.list(`?status=COMPLETED&limit=3&cursor=${done.nextCursor}`);
    t.same([...done.items, ...rest.items].map(({ roomNumber }) => roomNumber).sort(), ['101', '102', '201', '202']);
    t.same((await rooms('?status=COMPLETED&floor=2')).sort(), ['201', '202']);
    t.same(await rooms('?status=COMPLETED&attendant=Ana'), ['101']);
    t.same(await rooms('?status=COMPLETED&roomNumber=202'), ['202']);
    t.same(await rooms('?status=COMPLETED&roomNumber=202&floor=1'), []);
  });

  await group.test('where rooms are inspected, one that is only clean is not ready', async (t) => {
    const desk = await Desk.open(service, ['101'], { roomReadyWhen: 'INSPECTED' });
    const { taskId } = await desk.dirty('101');
    const { reservationId } = await desk.property.booked({ from: 0, nights: 1 });
    must(await desk.call('POST', `/${taskId}/complete`), 200);
    t.match((await desk.list()).items, [{ taskId, status: 'COMPLETED', priority: 3 }], 'it waits for the inspection');
    isProblem(t, await checkIn(reservationId), 409, { code: 'NO_ROOM_READY' });
    must(await desk.call('POST', `/${taskId}/inspect`, { passed: true }), 200);
    t.same((await desk.list()).items, []);
    must(await checkIn(reservationId), 200);
    t.equal(await desk.roomStatus('101'), 'OCCUPIED');
    await auditIsClean(t, desk.property);
  });

  await group.test('the policies are shown, and refused where they make no sense', async (t) => {
    const { property } = await Desk.open(service, ['101']);
    const at = `/properties/${property.propertyId}`;
    const { json } = must(await service.tenants<{ metadata: { policies: Json } }>('GET', at), 200);
    t.match(json.metadata.policies, { stayOverServiceNights: 0, roomReadyWhen: 'CLEAN' });
    for (const policies of [{ stayOverServiceNights: -1 }, { stayOverServiceNights: 31 }, { roomReadyWhen: 'DIRTY' }])
      isProblem(
        t,
        await service.tenants('POST', '/properties', {
          body: { propertyId: 'never-made', name: 'x', metadata: { currency: 'EUR', timezone: 'UTC', policies } },
        }),
        400,
        { code: 'VALIDATION_FAILED' },
      );
  });
}

/** Services of guests in house, and the minutes of rooms, as days pass. */
export async function services(group: Test, service: Service): Promise<void> {
  await group.test(
    'a guest who stays gets each second night a service, and minutes add up by attendant',
    async (t) => {
      const desk = await Desk.open(service, ['101', '102'], { stayOverServiceNights: 2 });
      const { property } = desk;
      const { reservationId } = await property.booked({ from: 0, nights: 3 });
      const body = { identificationVerified: true, keyCards: 1 };
      must(await service.reservations('POST', `/${reservationId}/checkin`, { body }), 200);
      const served = async (attendant: string, minutes: number, task: Task): Promise<void> => {
        must(await desk.call('PUT', `/${task.taskId}`, { attendant }), 200);
        must(await desk.call('POST', `/${task.taskId}/start`), 200);
        must(await advanceClock(service, minutes * 60), 200);
        must(await desk.call('POST', `/${task.taskId}/complete`), 200);
      };
      await served('Bea', 30, await desk.dirty('102'));
      must(await advanceClock(service, 86_400), 200);
      t.same((await desk.list()).items, [], 'not after the first night');
      must(await advanceClock(service, 86_400), 200);
      const [task] = (await desk.list()).items;
      t.match(task, { taskType: 'STAY_OVER', roomStatus: 'OCCUPIED', status: 'PENDING' });
      await served('Ana', 20, task!);
      t.equal(await desk.roomStatus(task!.roomNumber), 'OCCUPIED');
      await desk.dirty('102');
      await desk.setRoom('102', 'CLEAN');
      const range = `&from=${property.day(0)}&to=${property.day(2)}`;
      const { json } = must(await desk.report(range), 200);
      t.match(json.totals, { rooms: 3, timedRooms: 2, minutes: 50, minutesPerRoom: 25 });
      t.same(json.items, [
        { attendant: 'Ana', taskType: 'STAY_OVER', rooms: 1, timedRooms: 1, minutes: 20, minutesPerRoom: 20 },
        { attendant: 'Bea', taskType: 'DEPARTURE', rooms: 1, timedRooms: 1, minutes: 30, minutesPerRoom: 30 },
        { attendant: null, taskType: 'DEPARTURE', rooms: 1, timedRooms: 0, minutes: 0, minutesPerRoom: null },
      ]);
      t.match(json.byTaskType, [
        { taskType: 'DEPARTURE', rooms: 2, minutes: 30 },
        { taskType: 'STAY_OVER', rooms: 1, minutes: 20 },
      ]);
      t.match(must(await desk.report(), 200).json.totals, { rooms: 2, minutes: 20 }, 'the business date by default');
      const file = await desk.report(`${range}&format=csv`);
      t.match(file.headers['content-disposition'], `housekeeping-${property.propertyId}-`);
      t.same(file.text.split('\r\n').slice(0, 2), [
        'attendant,taskType,rooms,timedRooms,minutes,minutesPerRoom',
        'Ana,STAY_OVER,1,1,20,20',
      ]);
      for (const query of [`&to=${property.day(1)}`, `&from=${property.day(2)}&to=${property.day(1)}`])
        isProblem(t, await desk.report(query), 400, { code: 'VALIDATION_FAILED' });
      isProblem(t, await desk.report('', { role: 'VIEWER' }), 403, {});
      must(await advanceClock(service, 86_400), 200);
      t.same((await desk.list()).items, [], 'nor on the day of departure');
    },
  );
}
