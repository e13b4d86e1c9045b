import type { NightStep, StoredStep } from '../scenario/steps.ts';
import { current } from './shown.ts';

/** What is stored at the step that is shown: the fence of each property, and its rooms by night. */
export function StoredRooms() {
  const shown = current.value;
  if (!shown) return null;
  return (
    <section class="sheet" aria-labelledby="database">
      <h2 id="database">Database</h2>
      {shown.stored.map((property) => (
        <Rooms key={property.property} stored={property} />
      ))}
      <p class="muted">
        Booked and held of the rooms of each night, counted from reservations and holds. A cut of the rooms, or one
        out of order, may leave less than what is sold; a sale never may.
      </p>
    </section>
  );
}

function Rooms({ stored: { property, epoch, seq, nights } }: { stored: StoredStep }) {
  const types = [...new Set(nights.map(({ roomType }) => roomType))];
  const days = [...new Set(nights.map(({ night }) => night))];
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label={`Rooms of ${property}`}>
      <table class="rooms">
        <caption>
          <strong>{property}</strong>: the fence is at epoch {epoch}, seq {seq}
        </caption>
        <thead>
          <tr>
            <th scope="col">Type</th>
            {days.map((night) => (
              <th key={night} scope="col">
                {night.slice(5)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {types.map((type) => (
            <tr key={type}>
              <th scope="row">{type}</th>
              {days.map((day) => (
                <Night
                  key={day}
                  property={property}
                  night={nights.find(({ roomType, night }) => roomType === type && night === day)!}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Night({ property, night }: { property: string; night: NightStep }) {
  const { rooms, booked, held } = night;
  const taken = booked + held;
  const sold = current.value?.oversold;
  const isSold = sold?.roomType === night.roomType && sold.night === night.night && sold.property === property;
  const state = isSold
    ? 'sold-twice'
    : taken > rooms
      ? 'over'
      : taken === rooms
        ? 'full'
        : taken > 0
          ? 'some'
          : 'free';
  return (
    <td class={`night night-${state}`}>
      {booked}
      <small> of {rooms}</small>
      {held > 0 && <small class="line"> +{held} held</small>}
      {taken > rooms && <b class="line"> {isSold ? '✗ sold twice' : '! over'}</b>}
    </td>
  );
}
