import { ServiceButton, WhyDisabled } from '../../service-button.tsx';
import type { AdminStore } from '../admin.ts';
import { curlOf } from '../form/curl.ts';
import { CommandBox } from '../form/form-parts.tsx';
import { UndoableChange } from '../list-view.tsx';
import { CommandText } from './command-text.tsx';
import { danger as words } from './messages.ts';

type Props = { admin: AdminStore };
type Export = {
  name: string;
  text: string;
  /** Absent where no request does it. */
  command?: () => string;
  isOfProperty?: true;
};

/** What can be taken along, and the end of a property. */
export function DangerView({ admin }: Props) {
  const property = admin.property.value;
  return (
    <>
      <UndoableChange admin={admin} />
      <h2>{words.exports}</h2>
      <p class="muted">{words.exportsLead}</p>
      <ul class="admin-exports">
        {exportsOf(admin).map(({ name, text, command }) => (
          <li key={name}>
            <h3>{name}</h3>
            <p>{text}</p>
            {command === undefined ? (
              <CommandText of={name} text={exportCommand(admin)} />
            ) : (
              <CommandBox text={command} of={name} />
            )}
          </li>
        ))}
      </ul>
      {property && <Deletion admin={admin} name={property.name} propertyId={property.propertyId} />}
    </>
  );
}

function exportsOf(admin: AdminStore): Export[] {
  const { access, property, propertyPath } = admin.place();
  const { tenantId } = access.user;
  const reads = (path: string) => (): string =>
    curlOf(access.config, tenantId, [{ service: 'reservation', method: 'GET', path }]);
  const id = encodeURIComponent(property?.propertyId ?? '');
  const all: Export[] = [
    { name: words.whole, text: words.wholeText },
    { name: words.setUp, text: words.setUpText, command: reads(propertyPath), isOfProperty: true },
    {
      name: words.reservations,
      text: words.reservationsText,
      command: reads(`/api/v1/reservations?propertyId=${id}&limit=200`),
      isOfProperty: true,
    },
    {
      name: words.day,
      text: words.dayText,
      command: reads(`/api/v1/reports/arrivals?propertyId=${id}&format=csv`),
      isOfProperty: true,
    },
    { name: words.guest, text: words.guestText, command: reads('/api/v1/guests/GUEST_ID/export') },
    { name: words.trail, text: words.trailText, command: reads('/api/v1/admin/audit-trail?format=csv&limit=1000') },
  ];
  return all.filter(({ isOfProperty }) => property !== undefined || isOfProperty !== true);
}

const exportCommand = (admin: AdminStore): string =>
  `npm run export -- --tenant ${admin.user.tenantId} --to ./export`;

/** The property of the address: what ends with it and what stays, before the form that deletes it. */
function Deletion({ admin, name, propertyId }: Props & { name: string; propertyId: string }) {
  const isOpen = admin.form.value !== undefined;
  return (
    <>
      <h2>{words.deletion(name)}</h2>
      <h3>{words.goes}</h3>
      <Lines lines={words.goneLines} />
      <h3>{words.stays}</h3>
      <Lines lines={words.stayLines} />
      <p>{words.refused}</p>
      <ServiceButton
        desk={admin}
        aria-expanded={isOpen}
        onClick={() => admin.openForm(isOpen ? undefined : 'delete', propertyId)}
      >
        {words.begin}
      </ServiceButton>
      <WhyDisabled desk={admin} />
    </>
  );
}

function Lines({ lines }: { lines: readonly string[] }) {
  return (
    <ul class="admin-lines">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}
