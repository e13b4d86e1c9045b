import { moneyText } from '../../messages.ts';
import type { ImportDesk, ImportDetail } from './import-desk.ts';
import { imports as words } from './messages.ts';

type Of = NonNullable<ImportDetail['reconciliation']>;
const SUMS = ['charges', 'payments', 'balance'] as const;

/** What was read and what is stored, to the cent, and the reservations that differ. */
export function Reconciliation({ desk, of }: { desk: ImportDesk; of: Of }) {
  const currency = desk.admin.property.value?.currency ?? '';
  const money = (amount: number): string => moneyText(amount, currency);
  // Cents are whole numbers only before they are divided.
  const less = (one: number, other: number): number => (Math.round(one * 100) - Math.round(other * 100)) / 100;
  const { reservations, read, stored, differences } = of;
  return (
    <section aria-labelledby="imports-sums">
      <h2 id="imports-sums">{words.reconciliation}</h2>
      <p>{words.reconciled(reservations)}</p>
      <div class="admin-table" tabIndex={0} role="region" aria-label={words.table(words.reconciliation)}>
        <table>
          <thead>
            <tr>
              <th scope="col">{words.what}</th>
              <th scope="col" class="amount">
                {words.readSum}
              </th>
              <th scope="col" class="amount">
                {words.storedSum}
              </th>
              <th scope="col" class="amount">
                {words.difference}
              </th>
            </tr>
          </thead>
          <tbody>
            {SUMS.map((sum) => (
              <tr key={sum}>
                <th scope="row">{words.sums[sum]}</th>
                <td class="amount">{money(read[sum])}</td>
                <td class="amount">{money(stored[sum])}</td>
                <td class="amount">{money(less(stored[sum], read[sum]))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {differences.length === 0 ? (
        <p>{words.equal}</p>
      ) : (
        <>
          <p class="admin-trouble">{words.differs}</p>
          <ul class="admin-lines">
            {differences.map((one) => (
              <li key={`${one.file} ${one.line}`}>
                {one.externalId}, {words.line(one.line)}: {money(one.read.balance)} / {money(one.stored.balance)}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
