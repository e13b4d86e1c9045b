import { moneyText } from '../../messages.ts';
import { folioWords as words } from './messages.ts';
import type { StayRead } from './shapes.ts';

/** Instalments of the price, as they were agreed when the stay was booked. */
export function Deposits({ stay: { depositSchedule, financial } }: { stay: StayRead }) {
  if (!depositSchedule || depositSchedule.length === 0) return null;
  return (
    <section class="deposits" aria-label={words.deposits}>
      <p class="muted">{words.deposits}</p>
      <ul>
        {depositSchedule.map(({ amount, dueDate, percent }, index) => (
          <li key={`${index} ${percent}`}>
            {words.deposit(
              moneyText(amount, financial.currency),
              dueDate === null ? words.dueAtBooking : words.dueOn(dueDate),
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
