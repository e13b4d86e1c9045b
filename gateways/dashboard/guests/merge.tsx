import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

import { ServiceButton, WhyDisabled } from '../service-button.tsx';
import type { ListedGuest, MergeView, ProfileView } from './api.ts';
import type { GuestsStore } from './guests.ts';
import { mergedValue, guests as words } from './messages.ts';

type Props = { guests: GuestsStore; profile: ProfileView };

/** Typing is followed once it rests. */
const SETTLE_MS = 250;

/** Finds the other profile of the same person, shows what comes from which, and merges after a second click. */
export function Merge({ guests, profile }: Props) {
  const plan = guests.mergePlan.value;
  return plan ? (
    <Plan guests={guests} profile={profile} plan={plan} />
  ) : (
    <OtherProfile guests={guests} profile={profile} />
  );
}

function OtherProfile({ guests, profile }: Props) {
  const query = useSignal(profile.lastName);
  const found = useSignal<readonly ListedGuest[] | undefined>(undefined);
  const newest = useRef(0);
  const typing = useRef<ReturnType<typeof setTimeout>>(undefined);
  const search = async (): Promise<void> => {
    const own = ++newest.current;
    const items = await guests.others(query.peek().trim());
    if (own === newest.current && items) found.value = items;
  };
  useEffect(() => {
    void search();
    return () => clearTimeout(typing.current);
  }, []);
  return (
    <form role="search" onSubmit={(event) => event.preventDefault()}>
      <p>{words.mergeLine}</p>
      <label>
        {words.searchOther}
        <input
          type="search"
          value={query.value}
          maxLength={100}
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => {
            query.value = event.currentTarget.value;
            clearTimeout(typing.current);
            typing.current = setTimeout(() => void search(), SETTLE_MS);
          }}
        />
      </label>
      <p role="status">{found.value && words.found(found.value.length)}</p>
      <ul class="merge-found">
        {found.value?.map((one) => (
          <li key={one.guestId}>
            <ServiceButton
              desk={guests}
              reads
              disabled={guests.busy.value}
              onClick={() => void guests.planMerge(one.guestId)}
            >
              {one.firstName} {one.lastName}
              <small>{[one.email, one.phone].filter(Boolean).join(', ')}</small>
            </ServiceButton>
          </li>
        ))}
      </ul>
      <p role="alert">{guests.trouble.value}</p>
      <button type="button" onClick={() => guests.openPanel(undefined)}>
        {words.cancel}
      </button>
    </form>
  );
}

function Plan({ guests, profile, plan }: Props & { plan: MergeView }) {
  const heading = useRef<HTMLParagraphElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const submit = (event: Event): void => {
    event.preventDefault();
    void guests.merge();
  };
  return (
    <form onSubmit={submit}>
      <p ref={heading} tabIndex={-1}>
        {words.mergeResult(`${profile.firstName} ${profile.lastName}`, plan)}
      </p>
      <div class="guests-table" tabIndex={0} role="group" aria-label={words.mergeTable}>
        <table class="merge-lines">
          <thead>
            <tr>
              <th scope="col">{words.member}</th>
              <th scope="col">{words.thisProfile}</th>
              <th scope="col">{words.otherProfile}</th>
            </tr>
          </thead>
          <tbody>
            {plan.lines.map(({ field, surviving, other, takes }) => (
              <tr key={field}>
                <th scope="row">{words.members[field]}</th>
                <Value field={field} value={surviving} stands={takes === 'SURVIVING'} />
                <Value field={field} value={other} stands={takes === 'OTHER'} />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p>{words.mergeFinal}</p>
      <p role="alert">{guests.trouble.value}</p>
      <div class="verbs">
        <ServiceButton desk={guests} type="submit" disabled={guests.busy.value}>
          {words.mergeNow}
        </ServiceButton>
        <ServiceButton desk={guests} reads onClick={() => void guests.planMerge(undefined)}>
          {words.anotherProfile}
        </ServiceButton>
      </div>
      <WhyDisabled desk={guests} />
    </form>
  );
}

type ValueProps = { field: MergeView['lines'][number]['field']; value: string | null; stands: boolean };

/** A value of one profile; that which stands says so in words. */
function Value({ field, value, stands }: ValueProps) {
  return (
    <td class={stands ? 'stands' : undefined}>
      {mergedValue(field, value)}
      {stands && <small>{words.stands}</small>}
    </td>
  );
}
