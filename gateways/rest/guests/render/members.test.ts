import t from 'tap';

import { guestAnswer } from '../../../../src/guests/contracts/guest-answers.ts';
import type { Profile, StaysInShort } from '../../../../src/guests/ports.ts';
import type { AllMembers } from '../../../../src/kernel/rules/members.ts';
import { dayNo, momentNo, sentMembers, wired } from '../../../../src/testing/members.ts';
import { wholeGuest } from './guest.ts';

void t.test('every member of a guest is read where it belongs', async (t) => {
  const profile: AllMembers<Profile> = {
    guestId: 'g-1',
    firstName: 'Ada',
    lastName: 'Byron',
    email: 'ada@example.com',
    phone: '+351 123',
    language: 'pt',
    preferences: { roomType: 'high', floorPreference: 'top', bedType: 'twin', smokingPreference: 'none' },
    former: undefined,
    nights: 12,
    consent: { marketingByMail: true, at: momentNo(3), by: 'eve' },
    merged: [
      {
        guestId: 'g-2',
        firstName: 'Augusta',
        lastName: 'King',
        email: 'king@example.com',
        phone: '+44 1',
        language: 'fr',
        preferences: { bedType: 'king' },
        consent: { marketingByMail: false, at: momentNo(4), by: 'bob' },
        mergedAt: momentNo(5),
      },
    ],
    version: 3,
    createdAt: momentNo(1),
    updatedAt: momentNo(2),
  };
  const stays: AllMembers<StaysInShort> = {
    byStatus: { PENDING: 100, CONFIRMED: 101, CHECKED_IN: 103, CHECKED_OUT: 107, CANCELLED: 116, NO_SHOW: 133 },
    nights: 14,
    firstArrival: dayNo(1),
    lastDeparture: dayNo(2),
  };
  t.strictSame(
    await sentMembers({ profile, stays, since: dayNo(3) }, (of) =>
      wired(guestAnswer, wholeGuest(of as never, { role: 'MANAGER' }, new Map([['eve', 'Eve Adams']]))),
    ),
    {
      renamed: {
        loyalty: 'profile',
        'history.stays': 'stays.byStatus.CHECKED_OUT',
        history: 'stays',
        'history.inHouse': 'stays.byStatus.CHECKED_IN',
        'history.cancelled': 'stays.byStatus.CANCELLED',
        'history.noShows': 'stays.byStatus.NO_SHOW',
      },
      computed: {
        'consent.byName': 'Eve Adams',
        'merged.0.consent.byName': null,
        loyaltyMember: true,
        loyaltyTier: 'SILVER',
        'loyalty.tier': 'SILVER',
        'loyalty.days': 365,
        'loyalty.nextTier': 'GOLD',
        'loyalty.nightsToNextTier': 8,
        'history.reservations': 660,
        'history.upcoming': 201,
        'history.reservationsUrl': '/api/v1/guests/g-1/reservations',
      },
      dropped: ['stays.byStatus.PENDING', 'stays.byStatus.CONFIRMED'],
    },
  );
});
