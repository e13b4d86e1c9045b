import type { OpenAPIObject } from '@nestjs/swagger';

import { type Day, formatDay } from '../../src/kernel/rules/dates.ts';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Parameter = NonNullable<Operation['parameters']>[number];
type Json = Record<string, unknown>;

/** Nights ahead of the examples, free of other stays and with demo prices. */
const AHEAD = { arrival: 40, departure: 42, end: 46 } as const;

/**
 * Adds examples to parameters and bodies that work with the demo data (tenant `demo`, property `harbor-hotel`). Their
 * dates follow `today`, since past dates are refused, so this is called for each answer.
 */
export function withExamples(document: OpenAPIObject, today: Day): OpenAPIObject {
  const bodies = bodiesFrom(today);
  const parameters = parametersFrom(today);
  const paths = Object.entries(document.paths).map(([path, item]) => {
    const operations = Object.entries(item).map(([method, operation]: [string, unknown]) =>
      isOperation(operation) ? [method, exampled(operation, bodies, parameters)] : [method, operation],
    );
    return [path, Object.fromEntries(operations)];
  });
  return { ...document, paths: Object.fromEntries(paths) as OpenAPIObject['paths'] };
}

function isOperation(operation: unknown): operation is Operation {
  return typeof operation === 'object' && operation !== null && 'operationId' in operation;
}

function exampled(operation: Operation, bodies: Json, parameters: Json): Operation {
  const body = bodies[(operation.operationId ?? '').replace(/^tenantReservations/, 'reservations')];
  const media = operation.requestBody && 'content' in operation.requestBody ? operation.requestBody : undefined;
  const json = media?.content['application/json'];
  return {
    ...operation,
    parameters: operation.parameters?.map((one) => exampledParameter(one, operation.operationId, parameters)),
    ...(json && body !== undefined
      ? { requestBody: { ...media, content: { ...media?.content, 'application/json': { ...json, example: body } } } }
      : {}),
  };
}

/** Optional parameters stay empty: the interactive page sends what it shows. */
function exampledParameter(parameter: Parameter, operationId: string | undefined, parameters: Json): Parameter {
  if (!('name' in parameter)) return parameter;
  // Although optional: a tenant with two properties must name one.
  const isShown = parameter.required === true || parameter.name === 'propertyId';
  const example = isShown
    ? (parameters[`${operationId}.${parameter.name}`] ?? parameters[parameter.name])
    : undefined;
  return example === undefined ? parameter : { ...parameter, example };
}

function parametersFrom(today: Day): Json {
  const arrival = formatDay(today + AHEAD.arrival);
  const departure = formatDay(today + AHEAD.departure);
  return {
    'X-Tenant-ID': 'demo',
    tenantId: 'demo',
    propertyId: 'harbor-hotel',
    property_id: 'harbor-hotel',
    roomType: 'DLX',
    roomNumber: '501',
    checkIn: arrival,
    checkOut: departure,
    date: arrival,
    from: arrival,
    to: departure,
    startDate: arrival,
    endDate: departure,
    start_date: arrival,
    end_date: departure,
    component: 'readiness',
    code: 'BREAKFAST',
    number: 'INV-2026-000001',
    slug: 'no-availability',
    'metricsOne.name': 'http.server.requests',
    'loggersOne.name': 'http',
    'operatorFiguresRunbook.name': 'RelayBehind',
    'loggersSet.name': 'http',
  };
}

function bodiesFrom(today: Day): Json {
  const [arrival, departure, end] = [AHEAD.arrival, AHEAD.departure, AHEAD.end].map((n) => formatDay(today + n));
  const property = { propertyId: 'harbor-hotel' };
  const period = { startDate: arrival, endDate: end };
  return {
    ...ratesFrom(property, period),
    ...staysFrom(property, arrival!, departure!),
    ...setUpFrom(period),
    ...channelsFrom(arrival!, departure!),
  };
}

function ratesFrom(property: Json, period: { startDate?: string; endDate?: string }): Json {
  const weekdays = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'];
  const event = { name: 'Boat show', from: period.startDate, to: period.endDate, effect: 'HIGH' };
  const plan = { name: 'Flexible', cancellationPolicy: 'FLEXIBLE', parentCode: 'BAR', adjustmentPercent: 10 };
  return {
    ratesBase: {
      ...property,
      roomType: 'DLX',
      effectiveDate: period.startDate,
      endDate: period.endDate,
      rates: weekdays.map((dayOfWeek, n) => ({ dayOfWeek, rate: n === 4 || n === 5 ? 229 : 189 })),
      seasonalAdjustments: [],
    },
    ratesQuotes: {
      stays: ['DLX', 'STE'].map((roomType) => ({
        ...property,
        checkIn: period.startDate,
        checkOut: period.endDate,
        adults: 2,
        roomType,
      })),
    },
    ratesNights: { ...property, nights: [{ roomType: 'DLX', date: period.startDate, rate: 209 }] },
    ratePlansCreate: { ...property, code: 'FLEX-PLUS', ...plan },
    ratePlansChange: plan,
    restrictionsSet: { ...property, roomType: 'DLX', ...period, minStayArrival: 2 },
    promotionsCreate: {
      ...property,
      promotionName: 'Early booking',
      roomTypes: ['STD', 'DLX'],
      discount: { type: 'PERCENTAGE', value: 15 },
      conditions: { advanceBookingDays: 7, minimumStay: 2 },
      validity: period,
    },
    calendarEventsAdd: event,
    calendarEventsChange: event,
    yieldQuoteGroup: {
      ...property,
      checkIn: period.startDate,
      checkOut: period.endDate,
      rooms: [{ roomType: 'DLX', count: 10 }],
      commissionPercent: 10,
    },
    yieldOptimize: { ...property, optimizationPeriod: period, objectives: { primary: 'MAXIMIZE_REVENUE' } },
    yieldImplement: {},
    experimentsBegin: { ...property, name: 'Five percent more', treatment: { adjustmentPercent: 5 } },
    yieldSetRule: { enabled: true, acceptUpToPercent: 5 },
    rateAdminRecalculate: { ...property, ...period },
  };
}

function staysFrom(property: Json, checkIn: string, checkOut: string): Json {
  const guestInfo = { firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com' };
  const block = { roomType: 'STD', date: checkIn, rooms: 5, rate: 99 };
  const group = { name: 'Rowing club', cutoffDate: checkIn, blocks: [block] };
  return {
    reservationsCreate: {
      ...property,
      guestInfo,
      stayDetails: { checkIn, checkOut, adults: 2, roomType: 'DLX' },
      paymentDetails: { method: 'CREDIT_CARD', cardToken: 'tok_visa' },
    },
    bookingsCreate: {
      ...property,
      guestInfo,
      stayDetails: { checkIn, checkOut },
      rooms: [
        { roomType: 'STD', adults: 2 },
        { roomType: 'DLX', adults: 2, childAges: [7] },
      ],
      paymentDetails: { method: 'CREDIT_CARD', cardToken: 'tok_visa' },
    },
    reservationsModify: { modifications: { stayDetails: { adults: 1 } }, reason: 'The guest asked for it' },
    reservationsCancel: { reason: 'GUEST_REQUEST' },
    reservationsCheckIn: { identificationVerified: true, keyCards: 2 },
    stayDeskWriteNote: { text: 'Wants to be called at seven' },
    shiftNotesWrite: { text: 'The safe of 204 is to be opened tomorrow' },
    shiftNotesDone: { done: true },
    stayDeskUndoCheckIn: { reason: 'The wrong reservation' },
    reservationsPay: { method: 'CASH' },
    reservationsNoShow: { reason: 'Did not arrive' },
    reservationsCheckOut: { roomCondition: 'GOOD', keyCardsReturned: 2 },
    reservationMoneyConfirm: { reason: 'Paid by bank transfer' },
    reservationMoneyReinstate: { reason: 'The guest came after all' },
    reservationMoneyWalk: { to: 'Harbour View Hotel', compensation: 50, reason: 'A burst pipe on the third floor' },
    reservationMoneyWaive: { reason: 'The guest was ill' },
    reservationMoneyRefund: { amount: 20, reason: 'Noise at night', goodwill: true },
    agreedPriceUpgrade: { roomType: 'STE', amountPerNight: 40 },
    agreedPriceComp: { reason: 'The lift was broken' },
    agreedPriceUndoComp: { reason: 'A mistake' },
    folioPost: { description: 'Minibar, water', unitAmount: 4.5, quantity: 2 },
    folioVoid: { reason: 'Posted to the wrong room' },
    folioRoute: { rules: [{ kind: 'ROOM', window: 'COMPANY' }] },
    reservationMoneyForceCheckOut: {},
    chargebacksPut: { reason: 'Fraudulent, says the card holder', reference: 'dp_17' },
    chargebacksWin: { reason: 'The card holder was there' },
    chargebacksClose: { reason: 'Not worth a lawyer', writeOff: true },
    lettersChange: { subject: 'Welcome, {guest}: {arrival}', closing: 'See you soon at {property}.' },
    lettersPreview: { language: 'de', opening: 'Wir freuen uns auf Sie am {arrival}.' },
    exchangeRatesPut: { rates: [{ currency: 'USD', rate: 0.9214 }] },
    refundsPayOut: { method: 'BANK_TRANSFER', reference: 'SEPA 2026-01' },
    stayDocumentsRoom: { roomNumber: '502' },
    reservationAdminAssignRoom: { roomNumber: '502' },
    waitlistJoin: { ...property, guestInfo, stayDetails: { checkIn, checkOut, adults: 2, roomType: 'DLX' } },
    inquiriesKeep: { ...property, guestInfo, stayDetails: { checkIn, checkOut, adults: 2, roomType: 'DLX' } },
    holdsPlace: { ...property, roomType: 'DLX', checkIn, checkOut },
    groupsCreate: { ...property, ...group },
    groupsChange: { ...group, blocks: [{ ...block, rooms: 8 }], shoulderNights: { before: 1, after: 1 } },
    groupsRoomingList: { rows: [{ ...guestInfo, roomType: 'STD', checkIn, checkOut, adults: 1 }] },
    stayMailingInvoice: { to: guestInfo.email },
    stayMailingSendLink: { amount: 50, validDays: 3 },
    guestsChange: guestInfo,
    guestsMerge: { from: '00000000-0000-4000-8000-000000000000' },
    guestsWriteNote: { text: 'Likes the quiet side' },
    availabilitySearch: { checkIn, checkOut, adults: 2 },
    chainSearchSearch: { checkIn, checkOut, adults: 2, limit: 5 },
  };
}

function roomsFrom({ startDate: from, endDate: to }: { startDate?: string; endDate?: string }): Json {
  const roomType = { name: 'Family room', maxAdults: 4, totalRooms: 10 };
  const room = { roomType: 'DLX', floor: 12 };
  const maintenance = { roomNumber: '501', from, to, kind: 'OUT_OF_ORDER', reason: 'New carpet' };
  return {
    roomTypesCreate: { roomType: 'FAM', ...roomType },
    roomTypesReplace: { name: 'Deluxe room', maxAdults: 3, maxChildren: 2, maxGuests: 4, totalRooms: 40 },
    roomsCreate: { roomNumber: '1201', ...room },
    roomsReplace: { ...room, floor: 5 },
    roomsStatus: { status: 'CLEAN' },
    maintenancesOpen: maintenance,
    roomAssignmentRunsAssign: {},
    maintenancesChange: maintenance,
    housekeepingTasksChange: { attendant: 'Ana', notes: 'A cot, please' },
    housekeepingTasksInspect: { passed: false, notes: 'Dust under the bed' },
  };
}

function setUpFrom(period: { startDate?: string; endDate?: string }): Json {
  const address = { addressLine1: '2 Beach Road', city: 'Faro', state: 'Faro', zipCode: '8000', country: 'PT' };
  const mapping = { roomType: 'DLX', channelName: 'Booking.com', channelCode: 'BDC', externalRoomId: '1234501' };
  return {
    availabilityInventory: { roomType: 'DLX', ...period, blockedRooms: 1 },
    companiesCreate: {
      name: 'Lisbon Consulting Lda',
      vatId: 'PT501234567',
      billingAddress: { addressLine1: '7 Market Square', city: 'Lisbon', zipCode: '1100-001', country: 'PT' },
      contact: { email: 'accounts@consulting.example.com' },
      paymentTermsDays: 14,
    },
    companiesChange: { name: 'Lisbon Consulting Lda', paymentTermsDays: 30 },
    companiesReceive: {
      propertyId: 'harbor-hotel',
      amount: 500,
      method: 'BANK_TRANSFER',
      reference: 'INV-2026-000001',
    },
    ...webhooksFrom(),
    importsRun: { dryRun: true, mapping: MAPPING },
    propertySandboxBegin: { name: 'Harbor Hotel (invented guests)' },
    photosChange: { alt: 'A room with a view of the harbour', position: 1 },
    extrasPut: { name: 'Breakfast', price: 14.5, taxPercent: 6 },
    propertiesCreate: {
      propertyId: 'beach-hotel',
      name: 'Beach House',
      address,
      metadata: { currency: 'EUR', timezone: 'Europe/Lisbon' },
    },
    propertiesUpdate: {
      name: 'Harbor Hotel',
      propertyType: 'HOTEL',
      address: { addressLine1: '1 Demo Street', city: 'Lisbon', state: 'Lisbon', zipCode: '10000', country: 'PT' },
      contact: { phone: '+1 555 0100', email: 'desk@harbor-hotel.example.com' },
      metadata: {
        starRating: 4,
        currency: 'EUR',
        timezone: 'Europe/Lisbon',
        amenities: ['WIFI', 'BREAKFAST', 'PARKING'],
        policies: {
          taxPercent: 6,
          taxes: [{ code: 'CITY', name: 'City tax', kind: 'PER_PERSON_NIGHT', value: 2, minAge: 14, maxNights: 7 }],
        },
      },
    },
    ...roomsFrom(period),
    channelMappingsCreate: mapping,
    channelMappingsUpdate: mapping,
    tenantsUpdate: { name: 'Demo Hotels' },
    usersCreate: { subject: 'nora', name: 'Nora Night', email: 'nora@example.com' },
    usersUpdate: { name: 'Nora Night' },
    userInvitationsCreate: { email: 'nora@example.com', name: 'Nora Night', role: 'STAFF' },
    userAssociationsCreate: { userId: '00000000-0000-0000-0000-000000000000', role: 'STAFF' },
    userAssociationsUpdate: { role: 'STAFF' },
    operatorTenantsCreate: {
      tenantId: 'seaside',
      name: 'Seaside Hotels',
      ownerUser: { subject: 'demo-owner', email: 'olivia@example.com' },
    },
    operatorTenantsStatus: { status: 'SUSPENDED' },
    devClockAdvance: { advanceSeconds: 0 },
    devDemoPut: { pace: 'FAST' },
    loggersSet: { configuredLevel: 'INFO' },
    surveysAnswer: { rating: 5 },
  };
}

function channelsFrom(checkIn: string, checkOut: string): Json {
  const mappings = [{ roomType: 'STD', ratePlan: 'BAR', externalRoom: '1001', externalRate: '77' }];
  const channel = { channelCode: 'BEDS', name: 'Beds Online', adapter: 'generic-json', mappings };
  const url = 'https://channel.example.com/innkeeper';
  return {
    salesChannelsCreate: { propertyId: 'harbor-hotel', ...channel, url, minRate: 50, commission: 15 },
    salesChannelsChange: { ...channel, url, status: 'PAUSED' },
    salesChannelsTake: {
      status: 'BOOKED',
      externalRoom: '1001',
      externalRate: '77',
      checkIn,
      checkOut,
      guest: { firstName: 'Ada', lastName: 'Booker', email: 'ada@example.com' },
      total: 420,
      collectedBy: 'CHANNEL',
    },
  };
}

function webhooksFrom(): Json {
  return {
    eventWebhooksCreate: {
      url: 'https://hooks.example.com/innkeeper',
      events: ['reservation.created', 'reservation.modified', 'reservation.cancelled'],
      propertyIds: ['harbor-hotel'],
      snapshot: true,
    },
    eventWebhooksChange: {
      url: 'https://hooks.example.com/innkeeper',
      events: ['reservation.created', 'reservation.cancelled'],
      status: 'ACTIVE',
    },
    eventWebhooksReplay: { from: { propertyId: 'harbor-hotel', seq: 1 } },
  };
}

const MAPPING = {
  dateFormat: 'DD/MM/YYYY',
  files: [
    {
      kind: 'reservations',
      fields: {
        externalId: 'Booking no.',
        status: 'State',
        checkIn: 'Arrival',
        nights: 'Nights',
        roomType: 'Type',
      },
    },
  ],
};
