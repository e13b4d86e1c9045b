import { useEffect, useMemo, useRef } from 'preact/hooks';

import { noServiceReason } from '../access/messages.ts';
import { ServiceButton, WhyDisabled } from '../service-button.tsx';
import type { BlockableType } from './api.ts';
import { sumOfBlocks } from './edited-blocks.ts';
import { DateField, NameField, NumberField, RateField } from './group-fields.tsx';
import type { GroupsStore } from './groups.ts';
import { amountText, newGroup as words } from './messages.ts';
import { cutoffOf, NewGroup } from './new-group.ts';
import { TermsFields } from './terms-fields.tsx';

type Props = { groups: GroupsStore };
export type FormProps = { state: NewGroup };

/** The form for a new group. */
export function NewGroupPanel({ groups }: Props) {
  const state = useMemo(() => new NewGroup(groups, groups.property.peek()?.propertyId ?? ''), []);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector<HTMLElement>('[name=name]')?.focus(), []);
  const { rooms: nights, worth } = sumOfBlocks(state.blocks.value);
  const currency = groups.property.value?.currency ?? '';
  const cutoff = cutoffOf(state.form.value, groups.today.value);
  return (
    <form
      data-own-draft
      ref={form}
      class="groups-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (noServiceReason(groups.connection.value) === undefined) void state.create();
      }}
    >
      <Frame state={state} />
      <BlockFields state={state} />
      <TermsFields state={state} />
      <div class="groups-outcome">
        <p role="status">{nights > 0 && words.plan(nights, cutoff, amountText(worth, currency))}</p>
        <div role="alert">{state.error.value !== undefined && <p class="form-error">{state.error.value}</p>}</div>
        <div class="actions">
          <ServiceButton desk={groups} type="submit" class="primary" disabled={state.busy.value}>
            {words.create}
          </ServiceButton>
          <button type="button" onClick={() => state.startOver()}>
            {words.startOver}
          </button>
          <WhyDisabled desk={groups} />
        </div>
      </div>
    </form>
  );
}

/** Name and dates. */
function Frame({ state }: FormProps) {
  const form = state.form.value;
  const { today } = state.groups;
  return (
    <>
      <NameField value={form.name} on={(name) => state.change({ name })} />
      <div class="fields">
        <DateField
          label={words.arrival}
          value={form.checkIn}
          min={today.value}
          on={(checkIn) =>
            state.change({ checkIn, ...(checkIn >= form.checkOut && { checkOut: nextDay(checkIn, form) }) })
          }
        />
        <DateField
          label={words.departure}
          value={form.checkOut}
          min={form.checkIn}
          on={(checkOut) => state.change({ checkOut })}
        />
        <DateField
          label={words.cutoff}
          value={cutoffOf(form, today.value)}
          min={today.value}
          max={form.checkOut}
          on={(cutoff) => state.change({ cutoff })}
        />
      </div>
      <small>{words.cutoffHint}</small>
    </>
  );
}

/** The departure after an arrival that was moved behind it: as many nights as before. */
function nextDay(checkIn: string, { checkIn: from, checkOut: to }: { checkIn: string; checkOut: string }): string {
  return new Date(Date.parse(checkIn) + Math.max(86_400_000, Date.parse(to) - Date.parse(from)))
    .toISOString()
    .slice(0, 10);
}

/** Rooms and rate of each type; single nights may have other numbers. */
function BlockFields({ state }: FormProps) {
  const types = state.types.value;
  const used = types.filter(({ roomType }) => state.blockOf(roomType).rooms !== '');
  return (
    <fieldset>
      <legend>{words.block}</legend>
      <table class="blocks">
        <thead>
          <tr>
            <th scope="col">{words.roomType}</th>
            <th scope="col">{words.free}</th>
            <th scope="col">{words.rooms}</th>
            <th scope="col">{words.rate}</th>
          </tr>
        </thead>
        <tbody>
          {types.map(({ roomType, name }) => {
            const { rooms, rate } = state.blockOf(roomType);
            return (
              <tr key={roomType}>
                <th scope="row">{name}</th>
                <td class="amount">{state.free.value.get(roomType) ?? ''}</td>
                <td>
                  <NumberField
                    label={words.roomsOf(name)}
                    value={rooms}
                    on={(text) => state.changeBlock(roomType, { rooms: text })}
                  />
                </td>
                <td>
                  <RateField
                    label={words.rateOf(name)}
                    value={rate}
                    required={rooms !== ''}
                    on={(text) => state.changeBlock(roomType, { rate: text })}
                  />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {used.length > 0 && <ByNight state={state} types={used} />}
    </fieldset>
  );
}

/** Other numbers of rooms on single nights. */
function ByNight({ state, types }: FormProps & { types: readonly BlockableType[] }) {
  return (
    <details>
      <summary>{words.byNight}</summary>
      <div class="by-night" role="region" aria-label={words.byNight} tabIndex={0}>
        <table class="blocks">
          <tbody>
            {state.nights.value.map((date) => (
              <tr key={date}>
                {types.map(({ roomType, name }) => {
                  const block = state.blockOf(roomType);
                  const label = words.roomsOn(name, date);
                  return (
                    <td key={roomType}>
                      <small aria-hidden="true">{label}</small>
                      <NumberField
                        label={label}
                        value={block.nights[date] ?? block.rooms}
                        min="0"
                        on={(text) => state.changeBlock(roomType, { nights: { ...block.nights, [date]: text } })}
                      />
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
