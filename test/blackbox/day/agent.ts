import type { Locator } from 'playwright-core';

import type { Reservation } from '../shapes.ts';
import type { Hands } from './hands.ts';
import type { Task } from './task.ts';

const barOf = ({ page }: Hands, { reservationId }: Reservation): Locator =>
  page.locator(`.tape [data-stay="${reservationId}"]`);
const stayOf = ({ page }: Hands): Locator => page.getByRole('dialog');
/** Nothing is open, and the chart shows today. */
const closed = async ({ page }: Hands): Promise<void> => {
  for (let n = 0; n < 3; n += 1) await page.keyboard.press('Escape');
  const today = page.getByRole('button', { name: 'Today', exact: true });
  if (await today.isEnabled()) await today.click();
};

/** What a desk agent does in a day, in this order. */
export const agentTasks: readonly Task[] = [
  {
    name: 'minibar on the folio',
    most: 4,
    async run(hands, { hotel }) {
      await hands.press(barOf(hands, hotel.minibar));
      const stay = stayOf(hands);
      await hands.press(stay.getByRole('button', { name: 'Post charge' }));
      await hands.press(stay.getByRole('radio', { name: /^Minibar, water/ }));
      await hands.press(stay.getByRole('button', { name: 'Post €4.50' }));
      await stay.getByRole('row', { name: /Minibar, water/ }).waitFor();
    },
  },
  {
    name: 'split the bill with a company',
    most: 5,
    before: closed,
    async run(hands, { hotel }) {
      await hands.press(barOf(hands, hotel.split));
      const stay = stayOf(hands);
      await hands.press(stay.getByRole('button', { name: 'Folio' }));
      await hands.press(stay.getByRole('button', { name: 'Split the bill with a company' }));
      await hands.press(stay.getByRole('radio', { name: hotel.company }));
      await hands.press(stay.getByRole('button', { name: 'Split the bill', exact: true }));
      await stay.getByRole('region', { name: hotel.company, exact: true }).waitFor();
    },
  },
  {
    name: 'walk-in for tonight with card',
    most: 10,
    before: closed,
    async run(hands) {
      await hands.press(hands.page.getByRole('button', { name: 'Walk-in' }));
      const panel = hands.page.getByRole('region', { name: 'Walk-in' });
      await hands.type(panel.getByLabel('First name'), 'Sam');
      await hands.type(panel.getByLabel('Last name'), 'Street');
      await panel.getByText('is charged to the card now').waitFor();
      await hands.press(panel.getByLabel('ID checked'));
      await hands.press(panel.getByRole('button', { name: 'Book and check in' }));
      await hands.page
        .getByRole('dialog', { name: 'Sam Street' })
        .getByText(/Checked in, room /)
        .waitFor();
    },
  },
  {
    name: 'phone booking of two rooms',
    most: 14,
    before: closed,
    async run(hands, { hotel: { property } }) {
      await hands.press(hands.page.getByRole('button', { name: 'New reservation' }));
      const panel = hands.page.getByRole('region', { name: 'New reservation' });
      await hands.type(panel.getByLabel('Arrival'), property.day(20));
      await hands.type(panel.getByLabel('Departure'), property.day(22));
      await hands.choose(panel.getByLabel('Rooms'), '2');
      await hands.type(panel.getByLabel('First name'), 'Grace');
      await hands.type(panel.getByLabel('Last name'), 'Hopper');
      await hands.type(panel.getByLabel('E-mail'), 'grace@example.com');
      await panel.locator('.offers[aria-busy=false]').waitFor();
      await hands.press(panel.getByRole('button', { name: 'Book', exact: true }));
      await hands.page
        .getByText(/Grace Hopper is booked, confirmation/)
        .first()
        .waitFor();
    },
  },
  {
    name: 'check in with an upgrade',
    most: 4,
    before: closed,
    async run(hands, { hotel }) {
      await hands.press(barOf(hands, hotel.upgrade));
      const stay = stayOf(hands);
      await hands.press(stay.getByRole('button', { name: 'Upgrade', exact: true }));
      await stay.getByText('DLX → STE').waitFor();
      await hands.press(stay.getByLabel('ID checked: check in now'));
      await hands.press(stay.getByRole('button', { name: 'Upgrade and check in' }));
      await stay.getByText(/is upgraded and checked in, room 20/).waitFor();
    },
  },
  {
    name: 'guest moves room',
    most: 3,
    before: closed,
    async run(hands, { hotel }) {
      await hands.carry(barOf(hands, hotel.moves), hands.page.locator('[data-room="110"]'));
      await hands.press(stayOf(hands).getByRole('button', { name: 'Give this room' }));
      await hands.page.locator(`[data-room="110"] [data-stay="${hotel.moves.reservationId}"]`).waitFor();
    },
  },
  {
    name: 'no-show',
    most: 2,
    before: closed,
    async run(hands) {
      await hands.press(hands.page.getByRole('button', { name: 'Mark no-show: Ada Missing' }));
      const stay = stayOf(hands);
      await hands.press(stay.getByRole('button', { name: 'Mark no-show' }));
      await stay.getByText(/is marked a no-show/).waitFor();
    },
  },
  {
    name: 'room out of order until Friday',
    most: 4,
    before: closed,
    async run(hands) {
      await hands.press(hands.page.locator('[data-room="108"] .room'));
      const room = hands.page.getByRole('dialog', { name: /108/ });
      await hands.press(room.getByRole('button', { name: 'Out of order' }));
      await hands.press(room.getByRole('radio', { name: /Fri/ }).first());
      await hands.press(room.getByRole('button', { name: /^Out of order until/ }));
      await hands.page.locator('[data-room="108"] [data-maintenance]').first().waitFor();
    },
  },
  {
    name: "last year's guest by half a name",
    most: 2,
    before: closed,
    async run(hands) {
      await hands.type(hands.page.getByRole('searchbox'), 'ememb');
      await hands.press(hands.page.getByRole('button', { name: /Ada Remembered/ }).first());
      await hands.page.getByRole('dialog', { name: 'Ada Remembered' }).waitFor();
    },
  },
  {
    name: 'check out and print',
    most: 4,
    before: closed,
    async run(hands, { hotel }, t) {
      await hands.press(barOf(hands, hotel.leaves));
      const stay = stayOf(hands);
      await hands.press(stay.getByRole('button', { name: 'Check out' }));
      await hands.press(stay.getByRole('button', { name: 'Check out now' }));
      await stay.getByText('is checked out.').waitFor();
      await hands.press(stay.getByRole('button', { name: 'Print invoice' }));
      await stay.getByRole('article', { name: /^Invoice INV-/ }).waitFor();
      t.equal(await hands.page.evaluate('globalThis.prints'), 1);
    },
  },
  {
    name: 'group of 20 with rooming list from a spreadsheet',
    most: 10,
    async before({ page }, { hotel }) {
      await page.goto(new URL(`/groups?property=${hotel.property.propertyId}`, page.url()).href);
      await page.getByRole('button', { name: 'New group' }).waitFor();
    },
    async run(hands, { hotel: { property } }) {
      const { page } = hands;
      await hands.press(page.getByRole('button', { name: 'New group' }));
      const form = page.getByRole('complementary', { name: 'New group' });
      await hands.type(form.getByLabel('Name of the group'), 'Rowing club');
      await hands.type(form.getByLabel('Arrival'), property.day(40));
      await hands.type(form.getByLabel('Departure'), property.day(43));
      await hands.type(form.getByLabel('Rooms a night, Type STD'), '20');
      await hands.type(form.getByLabel('Rate, Type STD'), '89.50');
      await form.getByText('60 room nights leave general sale until').waitFor();
      await hands.press(form.getByRole('button', { name: 'Create group' }));
      await page.getByRole('heading', { name: 'Rowing club' }).waitFor();
      await hands.press(page.getByRole('button', { name: 'Rooming list' }));
      const panel = page.getByRole('complementary', { name: 'Rooming list' });
      const guests = Array.from({ length: 20 }, (_, n) => `Guest${n}\tRower\trower${n}@example.com`);
      await hands.paste(panel.getByLabel('Paste from a spreadsheet'), guests.join('\n'));
      await hands.press(panel.getByRole('button', { name: 'Book 20 rooms' }));
      await panel.getByRole('list', { name: 'Booked rooms' }).getByText('Guest19 Rower').waitFor();
    },
  },
];
