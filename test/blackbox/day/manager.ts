import type { Locator } from 'playwright-core';

import type { Hands } from './hands.ts';
import type { Day, Task } from './task.ts';

const cellOf = ({ page }: Hands, { hotel }: Day, ahead: number, roomType = 'DLX'): Locator =>
  page.locator(`[data-key="${hotel.property.day(ahead)} ${roomType}"]`);
const editorOf = ({ page }: Hands): Locator => page.getByRole('region', { name: 'Rates and restrictions' });

/** What a revenue manager does in a day, in this order. */
export const managerTasks: readonly Task[] = [
  {
    name: 'price of a night +10 %',
    most: 4,
    async run(hands, day, t) {
      await hands.press(cellOf(hands, day, 3));
      const editor = editorOf(hands);
      await hands.type(editor.getByLabel('Change, %'), '10');
      await hands.press(editor.getByRole('button', { name: 'Change by percent' }));
      await editor.getByText(/^Done\. 1 night/).waitFor();
      t.match(await day.hotel.property.quoted(3, 1, 'DLX'), { totalRate: 110 });
    },
  },
  {
    name: 'why is this price what it is',
    most: 1,
    async run(hands, day) {
      await hands.press(cellOf(hands, day, 4));
      await hands.page.locator('.night .steps').getByText('€100.00').first().waitFor();
    },
  },
  {
    name: 'who changed this price',
    most: 2,
    async run(hands, day) {
      await hands.press(cellOf(hands, day, 3));
      await hands.page
        .locator('.night')
        .getByText(/100(\.00)? → €?110/)
        .first()
        .waitFor();
    },
  },
  {
    name: 'close a type to arrival for a weekend',
    most: 5,
    async run(hands, day, t) {
      await hands.span(cellOf(hands, day, 10), cellOf(hands, day, 11));
      const editor = editorOf(hands);
      await hands.press(editor.getByRole('button', { name: 'Close to arrival' }));
      await editor.getByText(/^Done\./).waitFor();
      const { json } = await day.hotel.property.quote(10, 1);
      t.notOk(
        json.rates.some(({ roomType, bookable }) => roomType === 'DLX' && bookable),
        'nobody arrives',
      );
    },
  },
];
