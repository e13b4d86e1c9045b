import { useEffect, useMemo, useRef } from 'preact/hooks';

import { noServiceReason } from '../access/messages.ts';
import { ServiceButton, WhyDisabled } from '../service-button.tsx';
import type { BlockableType, GroupView } from './api.ts';
import { EditGroup } from './edit-group.ts';
import { sumOfBlocks } from './edited-blocks.ts';
import { ContactFields, DateField, NameField, NumberField, RateField } from './group-fields.tsx';
import type { GroupsStore } from './groups.ts';
import { amountText, editGroup as words, groups as groupWords, newGroup } from './messages.ts';

type Props = { groups: GroupsStore };

/** Changes name, dates, cut-off, rooms, rates and contact of the open group. */
export function EditGroupPanel({ groups }: Props) {
  const group = groups.group.value;
  return group ? <EditForm groups={groups} group={group} /> : null;
}

function EditForm({ groups, group }: Props & { group: GroupView }) {
  const state = useMemo(() => new EditGroup(groups, group), []);
  const fields = useRef<HTMLFormElement>(null);
  useEffect(() => fields.current?.querySelector<HTMLElement>('[name=name]')?.focus(), []);
  const form = state.form.value;
  const today = groups.today.value;
  return (
    <form
      data-own-draft
      ref={fields}
      class="groups-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (noServiceReason(groups.connection.value) === undefined) void state.save();
      }}
    >
      <NameField value={form.name} on={(name) => state.change({ name })} />
      <div class="fields">
        <DateField
          label={newGroup.arrival}
          value={form.checkIn}
          min={form.checkIn < today ? form.checkIn : today}
          on={(checkIn) => state.setArrival(checkIn)}
        />
        <DateField
          label={newGroup.departure}
          value={form.checkOut}
          min={form.checkIn}
          on={(checkOut) => state.change({ checkOut })}
        />
        <DateField
          label={newGroup.cutoff}
          value={form.cutoff}
          min={form.cutoff < today ? form.cutoff : today}
          max={form.checkOut}
          on={(cutoff) => state.change({ cutoff })}
        />
      </div>
      <small>{newGroup.cutoffHint}</small>
      <fieldset>
        <legend>{newGroup.block}</legend>
        {state.types.value.map((type) => (
          <TypeNights key={type.roomType} state={state} type={type} />
        ))}
      </fieldset>
      <details>
        <summary>{groupWords.contact}</summary>
        <ContactFields contact={form.contact} on={(contact) => state.change({ contact })} />
      </details>
      <Outcome state={state} />
    </form>
  );
}

/** Rooms and rate of a room type on each night; types that the group does not have are closed. */
function TypeNights({ state, type: { roomType, name } }: { state: EditGroup; type: BlockableType }) {
  const today = state.groups.today.value;
  const nights = state.nights.value.filter((date) => date >= today);
  const isBlocked = state.group.value.blocks.some((block) => block.roomType === roomType);
  return (
    <details open={isBlocked}>
      <summary>{name}</summary>
      <table class="blocks">
        <thead>
          <tr>
            <th scope="col">{groupWords.night}</th>
            <th scope="col">{newGroup.rooms}</th>
            <th scope="col">{newGroup.rate}</th>
          </tr>
        </thead>
        <tbody>
          {nights.map((date) => {
            const { rooms, rate } = state.blockOf(roomType, date);
            const label = newGroup.roomsOn(name, date);
            return (
              <tr key={date}>
                <th scope="row">{words.night(date)}</th>
                <td>
                  <NumberField
                    label={label}
                    value={rooms}
                    min="0"
                    on={(text) => state.changeBlock(roomType, date, { rooms: text })}
                  />
                </td>
                <td>
                  <RateField
                    label={words.rateOn(name, date)}
                    value={rate}
                    required={Number(rooms) >= 1}
                    on={(text) => state.changeBlock(roomType, date, { rate: text })}
                  />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </details>
  );
}

/** What the change does, in one line, and the way to do it. */
function Outcome({ state }: { state: EditGroup }) {
  const { groups } = state;
  const { rooms, worth } = sumOfBlocks(state.blocks.value);
  const change = rooms - state.group.value.totals.rooms;
  const isLoaded = state.types.value.length > 0;
  return (
    <div class="groups-outcome">
      <p role="status">
        {isLoaded && words.plan({ rooms, change, amount: amountText(worth, groups.property.value?.currency ?? '') })}
      </p>
      <div role="alert">{state.error.value !== undefined && <p class="form-error">{state.error.value}</p>}</div>
      <div class="actions">
        <ServiceButton
          desk={groups}
          type="submit"
          class="primary"
          disabled={state.busy.value || !isLoaded || rooms === 0}
        >
          {words.save}
        </ServiceButton>
        <button type="button" onClick={() => state.startOver()}>
          {newGroup.startOver}
        </button>
        <WhyDisabled desk={groups} />
      </div>
    </div>
  );
}
