import { blockPlace } from '../../src/groups/rules/group.ts';
import type { CellRow, Changes } from '../../src/property-store/ports.ts';
import { promotionStatus } from '../../src/rates/rules/promotion.ts';
import type { Draft } from './draft.ts';
import { restrictionRows } from './rates/restriction-rows.ts';

/** After-images of everything that a draft changed, once each, for the rows of its commit. */
export function draftChanges(draft: Draft): Changes {
  return {
    property: draft.propertyPut ? draft.property : undefined,
    propertyDeleted: draft.propertyPut && draft.property === undefined,
    roomTypes: [...draft.roomTypesPut].map((id) => draft.roomTypes.get(id)!),
    roomTypesRemoved: [...draft.roomTypesRemoved],
    rooms: [...draft.roomsPut].map((id) => draft.rooms.get(id)!),
    roomsRemoved: [...draft.roomsRemoved],
    plans: [...draft.plansPut].map((code) => draft.plans.get(code)!),
    plansRemoved: [...draft.plansRemoved.values()],
    currency: draft.property?.metadata.currency ?? draft.base.property?.metadata.currency,
    cells: cellRows(draft),
    books: [...draft.booksPut]
      .filter((day) => day >= draft.today)
      .map((day) => ({ ...draft.books.night(day), movedOn: draft.today })),
    rates: rateRows(draft),
    signals: signalRows(draft),
    restrictions: restrictionRows(draft),
    promotions: promotionRows(draft),
    calendarEvents: [...draft.calendarEventsPut].flatMap((id) => draft.calendarEvents.get(id) ?? []),
    calendarEventsRemoved: [...draft.calendarEventsPut].filter((id) => !draft.calendarEvents.has(id)),
    groups: groupRows(draft),
    created: [...draft.created],
    reservations: draft.reservations.put(),
    payments: [...draft.payments.values()],
    documents: draft.documents,
    history: draft.history,
    guests: [...draft.guests.values()],
    holds: draft.holds.put(),
    holdsRemoved: draft.holds.removed(),
    roomStays: [...draft.roomStaysPut].map((id) => draft.roomPlan.stay(id)).filter((stay) => stay !== undefined),
    roomStaysRemoved: [...draft.roomStaysPut].filter((id) => !draft.roomPlan.stay(id)),
    maintenances: [...draft.maintenancesPut.values()].filter((one) => one !== null),
    housekeeping: [...draft.housekeepingPut.values()].map((task) => ({
      ...task,
      isOpen: draft.housekeeping.has(task.taskId),
    })),
    waitlist: [...draft.waitlistPut.values()],
    inquiries: [...draft.inquiriesPut.values()],
    extraStays: [...draft.extraStaysPut.values()].filter((one) => one !== null),
    extraStaysRemoved: [...draft.extraStaysPut].flatMap(([id, one]) => (one === null ? [id] : [])),
    maintenancesRemoved: [...draft.maintenancesPut].flatMap(([id, one]) => (one === null ? [id] : [])),
  };
}

function cellRows(draft: Draft): CellRow[] {
  const rows: CellRow[] = [];
  const limit = draft.property?.metadata.policies.overbookingLimit ?? 0;
  for (const [roomType, days] of draft.cells) {
    const slab = draft.slab(roomType);
    if (!slab) continue;
    for (const day of days) {
      const free = slab.free(day, limit);
      rows.push({
        roomType,
        day,
        total: slab.total(day),
        booked: slab.count(day, 'booked'),
        held: slab.count(day, 'held'),
        groupBlocked: slab.count(day, 'group'),
        outOfOrder: slab.count(day, 'outOfOrder'),
        externalBlocked: slab.count(day, 'external'),
        overbookingLimit: slab.overbooking(day),
        told: slab.stamp(day),
        available: Math.max(0, free),
        shortfall: Math.max(0, -free),
      });
    }
  }
  return rows;
}

function rateRows(draft: Draft): Changes['rates'] {
  const rows: Changes['rates'] = [];
  for (const [roomType, days] of draft.rates) {
    const slab = draft.slab(roomType);
    if (!slab) continue;
    const currency = draft.property!.metadata.currency;
    for (const day of days) {
      const rate = slab.base(day);
      const multiplier = slab.multiplier(day);
      const amount = slab.amount(day);
      rows.push({ roomType, day, rate, multiplier, amount, currency });
    }
  }
  return rows;
}

function signalRows(draft: Draft): Changes['signals'] {
  return [...draft.signals].flatMap(([roomType, days]) => {
    const slab = draft.slab(roomType);
    if (!slab) return [];
    return [...days].map((day) => {
      const bid = slab.bid(day);
      const stored = bid && { bid: bid.amount, bidPerRoom: bid.perRoom, bidRooms: bid.rooms };
      const live = slab.live(day);
      const table = live && {
        liveFactors: [...live.factors],
        liveRooms: live.rooms,
        liveStep: live.step,
        liveStart: live.start,
        liveOn: live.on,
      };
      return { roomType, day, demand: slab.demand(day), market: slab.market(day), ...stored, ...table };
    });
  });
}

function promotionRows(draft: Draft): Changes['promotions'] {
  return [...draft.promotionsPut.values()].map(({ promotion, nights }) => ({
    promotion,
    status: promotionStatus(promotion, draft.today),
    nights: [...nights].map((day) => ({ day, used: promotion.usedOn[day] ?? 0 })),
  }));
}

function groupRows(draft: Draft): Changes['groups'] {
  return [...draft.groupsPut.values()].map(({ group, blocks }) => ({
    group,
    blocks: [...blocks].map((key) => group.blocks[key]).filter((block) => block !== undefined),
    blocksRemoved: [...blocks].filter((key) => !group.blocks[key]).map(blockPlace),
  }));
}
