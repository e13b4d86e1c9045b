import { computed } from '@preact/signals';

import { step, steps } from './shown.ts';

const SHOWN_ROWS = 14;

/** Rows of the journal up to the step that is shown, newest first. A number that is there twice is a broken promise. */
const rows = computed(() => {
  const seen = new Map<string, number>();
  const all = steps.value.slice(0, step.value + 1).flatMap(({ rows: added = [], property = '', kind }) =>
    added.map((row) => {
      const number = `${property} ${row.seq}`;
      seen.set(number, (seen.get(number) ?? 0) + 1);
      return { ...row, property, isUnfenced: kind === 'unfenced', number };
    }),
  );
  return all
    .slice(-SHOWN_ROWS)
    .reverse()
    .map((row) => ({ ...row, isDouble: seen.get(row.number)! > 1 }));
});

export function Journal() {
  return (
    <section class="sheet" aria-labelledby="journal">
      <h2 id="journal">Journal</h2>
      {rows.value.length === 0 ? (
        <p class="muted">No rows yet. Go forward to the first commit.</p>
      ) : (
        <div class="scroll" tabIndex={0} role="group" aria-label="Rows of the journal">
          <table>
            <caption class="visually-hidden">Newest rows of the journal</caption>
            <thead>
              <tr>
                <th scope="col">Property</th>
                <th scope="col">Seq</th>
                <th scope="col">Epoch</th>
                <th scope="col">By</th>
                <th scope="col">Command</th>
                <th scope="col">For</th>
              </tr>
            </thead>
            <tbody>
              {rows.value.map(({ property, seq, epoch, by, type, requestId, isDouble, isUnfenced }, nth) => (
                <tr key={nth} class={isDouble || isUnfenced ? 'wrong' : ''}>
                  <td>{property}</td>
                  <td>
                    {seq}
                    {isDouble && <b class="bad"> ✗ twice</b>}
                  </td>
                  <td>{epoch}</td>
                  <td>{by}</td>
                  <td>{type}</td>
                  <td>{requestId}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
