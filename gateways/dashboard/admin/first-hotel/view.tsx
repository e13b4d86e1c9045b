import { useEffect, useRef } from 'preact/hooks';

import { noServiceReason } from '../../access/messages.ts';
import { signedInRole } from '../../access/roles.ts';
import { pageUrl } from '../../address.ts';
import { AppBar, Who } from '../../app-bar.tsx';
import { network } from '../../live/network.ts';
import { WorkspaceSwitch } from '../../workspace-switch.tsx';
import { FormFields } from '../form/form-fields.tsx';
import { admin as adminWords } from '../messages.ts';
import { PhotoForms } from '../photos/photos-view.tsx';
import { SandboxPanel } from '../sandbox/sandbox-panel.tsx';
import type { FirstHotel } from './first-hotel.ts';
import { firstHotel as words } from './messages.ts';
import { HOTEL_STEPS, hotelSummary } from './steps.ts';

type Props = { hotel: FirstHotel };

/** Setting up a property step by step. */
export function FirstHotelView({ hotel, onSignOut }: Props & { onSignOut: () => void }) {
  const here = HOTEL_STEPS.indexOf(hotel.step.value);
  const property = hotel.setUp.value.property;
  return (
    <>
      <AppBar>
        <WorkspaceSwitch here="first-hotel" />
        <span class="connection-space" />
        <Who tenantId={hotel.user.tenantId} role={signedInRole.value} onSignOut={onSignOut} />
      </AppBar>
      <main class="admin first-hotel">
        <nav class="admin-sections" aria-label={words.steps}>
          {HOTEL_STEPS.map(({ id, title }, index) =>
            property === undefined && index > 0 ? (
              <span key={id} class="muted">
                {title}
              </span>
            ) : (
              <a
                key={id}
                href={pageUrl('/admin/first-hotel', { property: property?.propertyId, step: id })}
                aria-current={index === here ? 'step' : undefined}
              >
                {title}
              </a>
            ),
          )}
        </nav>
        <section class="admin-content" aria-labelledby="first-hotel-title">
          <h1 id="first-hotel-title">{words.title}</h1>
          {hotel.isOpen.value && property ? (
            <Opened hotel={hotel} propertyId={property.propertyId} name={property.name} />
          ) : (
            <StepForm hotel={hotel} />
          )}
        </section>
      </main>
    </>
  );
}

function Opened({ hotel, propertyId, name }: Props & { propertyId: string; name: string }) {
  return (
    <>
      <p role="status">{words.isOpen(name)}</p>
      <nav class="verbs" aria-label={words.title}>
        <a href={pageUrl('/revenue', { property: propertyId })}>{words.first}</a>
        <a href={pageUrl('/desk', { property: propertyId })}>{words.desk}</a>
        <a href={pageUrl('/admin/booking-page', { property: propertyId })}>{words.letGuestsBook}</a>
        <a href={pageUrl('/admin/import', { property: propertyId })}>{words.importStays}</a>
        <a href={pageUrl('/admin', { property: propertyId })}>{words.rest}</a>
      </nav>
      <SandboxPanel property={{ propertyId, name }} of={hotel.own} />
    </>
  );
}

function StepForm({ hotel }: Props) {
  const step = hotel.step.value;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [step]);
  const reason = noServiceReason(network.value);
  const index = HOTEL_STEPS.indexOf(step);
  const isLast = index === HOTEL_STEPS.length - 1;
  const { done, all } = hotel.progress.value;
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (reason === undefined) void hotel.next();
      }}
    >
      <h2 ref={heading} tabIndex={-1}>
        {step.title}
      </h2>
      <p class="muted">{step.lead}</p>
      {!hotel.isLoaded.value && hotel.trouble.value === undefined && <p role="status">{adminWords.loading}</p>}
      <There hotel={hotel} />
      <FormFields form={hotel} />
      {step.id === 'photos' && hotel.isLoaded.value && <PhotoForms list={hotel.photos} />}
      {step.id === 'rooms' && (
        <button type="button" onClick={() => hotel.addType()}>
          {words.addType}
        </button>
      )}
      <p role="alert" class="admin-trouble">
        {hotel.trouble.value}
      </p>
      <p role="status">{hotel.busy.value && all > 1 && words.saving(done, all)}</p>
      <div class="verbs">
        <button
          class="primary"
          disabled={hotel.busy.value || !hotel.isLoaded.value || reason !== undefined}
          title={reason}
        >
          {isLast ? words.open : words.next}
        </button>
        {index > 0 && (
          <button type="button" disabled={hotel.busy.value} onClick={() => hotel.back()}>
            {words.back}
          </button>
        )}
      </div>
      {reason !== undefined && <small class="why-disabled">{reason}</small>}
    </form>
  );
}

/** What the service has already of the open step. */
function There({ hotel }: Props) {
  const { types, property } = hotel.setUp.value;
  const lines: string[] = [];
  if (hotel.step.value.id === 'rooms')
    lines.push(...types.map(({ name, totalRooms }) => words.there(name, totalRooms)));
  if (hotel.step.value.id === 'open') lines.push(...hotelSummary(hotel.setUp.value));
  if (hotel.step.value.id === 'taxes' && property) {
    const names = property.metadata.policies.taxes.map(({ name }) => name).join(', ');
    if (names !== '') lines.push(words.taxesThere(names));
    else if (hotel.fields.value.length === 0) lines.push(words.noTemplate);
  }
  if (lines.length === 0) return null;
  return (
    <ul>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}
