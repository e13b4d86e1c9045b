import t from 'tap';

import type { Day } from '../../kernel/rules/dates.ts';
import { instantAt } from '../../kernel/rules/property-time.ts';
import type { PropertyMetadata } from '../../properties/rules/property.ts';
import { DAY, NOW, property, reservation } from '../../testing/property-world.ts';
import { termsUnder } from './booking-terms.ts';
import { cancellationPenalty, freeUntil } from './cancellation.ts';

const HOUR = 3_600_000;
const { metadata } = property({ policies: { freeCancellationHours: 48 } });
const arrival = instantAt(DAY + 10, '15:00', metadata.timezone);
const nights = [
  { day: DAY + 10, rate: 10_000, taxes: 1_000, fees: 300 },
  { day: DAY + 11, rate: 20_000, taxes: 2_000, fees: 300 },
];
const deadlineOf = (name: string, checkIn: Day, of: PropertyMetadata) =>
  freeUntil(termsUnder(name, of.policies), checkIn, of);
const booked = (cancellationPolicy: string, status: 'PENDING' | 'CONFIRMED' = 'CONFIRMED') =>
  reservation({ cancellationPolicy, status, nights, stay: { checkIn: DAY + 10, checkOut: DAY + 12 } });

void t.test('STANDARD is free until the hours of the property before check-in time', async (t) => {
  const deadline = arrival - 48 * HOUR;
  t.equal(deadlineOf('STANDARD', DAY + 10, metadata), deadline);
  t.equal(cancellationPenalty(booked('STANDARD'), metadata, deadline - 1), 0);
  t.equal(
    cancellationPenalty(booked('STANDARD'), metadata, deadline),
    11_300,
    'then the first night with taxes and fees',
  );
});

void t.test('FLEXIBLE is free until a day before check-in time', async (t) => {
  t.equal(deadlineOf('FLEXIBLE', DAY + 10, metadata), arrival - 24 * HOUR);
  t.equal(cancellationPenalty(booked('FLEXIBLE'), metadata, arrival - 24 * HOUR - 1), 0);
  t.equal(cancellationPenalty(booked('FLEXIBLE'), metadata, arrival - 24 * HOUR), 11_300);
});

void t.test('NON_REFUNDABLE costs everything from the first moment', async (t) => {
  t.equal(deadlineOf('NON_REFUNDABLE', DAY + 10, metadata), null);
  t.equal(cancellationPenalty(booked('NON_REFUNDABLE'), metadata, NOW), 33_600);
});

void t.test('a policy that the property defines counts hours, and nights or a part of the stay', async (t) => {
  const policies = {
    ...metadata.policies,
    cancellationPolicies: [
      { name: 'LONG', freeHours: 720, penalty: { nights: 2 } },
      { name: 'HALF', freeHours: null, penalty: { percent: 50 } },
    ],
  };
  const own = { ...metadata, policies };
  t.equal(deadlineOf('LONG', DAY + 10, own), arrival - 720 * HOUR);
  t.equal(cancellationPenalty(booked('LONG'), own, arrival - 720 * HOUR - 1), 0);
  t.equal(cancellationPenalty(booked('LONG'), own, arrival - 720 * HOUR), 33_600, 'no more nights than there are');
  t.equal(deadlineOf('HALF', DAY + 10, own), null);
  t.equal(cancellationPenalty(booked('HALF'), own, NOW), 16_800);
  t.equal(deadlineOf('LONG', DAY + 10, metadata), deadlineOf('STANDARD', DAY + 10, metadata), 'given up since');
});

void t.test('a PENDING reservation is cancelled for nothing under every policy', async (t) => {
  for (const policy of ['STANDARD', 'FLEXIBLE', 'NON_REFUNDABLE'])
    t.equal(cancellationPenalty(booked(policy, 'PENDING'), metadata, arrival), 0, policy);
});

void t.test('a policy of the property that is never free has no deadline', async (t) => {
  const stored = { name: 'HALF', freeHours: null, penalty: { percent: 50 } };
  const loaded = property({ policies: { cancellationPolicies: [stored] } }).metadata;
  t.equal(deadlineOf('HALF', DAY + 10, loaded), null);
  t.equal(cancellationPenalty(booked('HALF'), loaded, NOW), 16_800);
});
