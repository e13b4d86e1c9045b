import { check } from 'k6';
import exec from 'k6/execution';

import { closeHotels, day, openHotels, stayOf } from './hotels.js';
import { arrivals, rateOr } from './load.js';
import { call, RATES, TENANT_PATHS, told } from './service.js';
import { thresholds } from './targets.js';

/** Guests who compare: mostly quotes, now and then a calendar, availability, and a search over all hotels. */
export const options = {
  scenarios: { looking: arrivals('look', rateOr(40)) },
  thresholds: thresholds(['quote', 'calendar', 'availability', 'search']),
};

const HOTELS = 5;
const CALENDAR_NIGHTS = 60;

export const setup = () => openHotels(HOTELS);
export const teardown = closeHotels;

/** Out of ten: seven quotes, and one of each of the others. */
export function look(hotels) {
  const n = exec.scenario.iterationInTest;
  const { propertyId, checkIn, checkOut } = stayOf(hotels, n);
  const range = [day(hotels.today, 1), day(hotels.today, CALENDAR_NIGHTS)];
  if (n % 10 === 7) {
    const query = `propertyId=${propertyId}&startDate=${range[0]}&endDate=${range[1]}`;
    call('calendar', 'GET', `${RATES}/calendar?${query}`);
  } else if (n % 10 === 8) {
    const query = `property_id=${propertyId}&start_date=${range[0]}&end_date=${range[1]}`;
    call('availability', 'GET', `${TENANT_PATHS}/availability?${query}`);
  } else if (n % 10 === 9) {
    const body = { checkIn, checkOut, adults: 2, propertyIds: hotels.ids };
    const found = call('search', 'POST', `${TENANT_PATHS}/availability/search`, body);
    check(found, { 'a search has offers': (got) => (told(got, 'items') || []).length > 0 });
  } else {
    const query = `propertyId=${propertyId}&checkIn=${checkIn}&checkOut=${checkOut}&adults=2`;
    const quote = call('quote', 'GET', `${RATES}/current?${query}`);
    check(quote, {
      'a quote has rates': (got) => (told(got, 'rates') || []).length > 0,
      'a quote says its seq': (got) => got.headers['X-Property-Seq'] !== undefined,
    });
  }
}
