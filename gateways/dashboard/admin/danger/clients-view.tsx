import { pageUrl } from '../../address.ts';
import type { AdminStore } from '../admin.ts';
import { curlOf } from '../form/curl.ts';
import { CommandText } from './command-text.tsx';
import { clients as words } from './messages.ts';

/** How a program gets access, with the values of this tenant. */
export function ClientsView({ admin }: { admin: AdminStore }) {
  const { access, tenantPath } = admin.place();
  const { config, user } = access;
  const property = admin.property.value?.propertyId;
  const reads = curlOf(config, user.tenantId, [
    { service: 'reservation', method: 'GET', path: `${tenantPath}/properties` },
  ]);
  const isOwner = admin.sections.value.some(({ id }) => id === 'users');
  return (
    <>
      <p>{words.how}</p>
      {isOwner ? (
        <p>
          <a href={pageUrl('/admin/users', { property, form: 'subject' })}>{words.addUser}</a>
        </p>
      ) : (
        <p>{words.onlyOwner}</p>
      )}
      <h2>{words.token}</h2>
      <p class="muted">{words.tokenText}</p>
      <CommandText of={words.token} text={tokenCommand(config.issuer, config.audience)} />
      <h2>{words.first}</h2>
      <p class="muted">{words.firstText}</p>
      <CommandText of={words.first} text={reads} />
      <p>
        <a href={`${config.reservationUrl}/swagger-ui/index.html`}>{words.documents}</a>
      </p>
    </>
  );
}

/** Without `jq`: the endpoint is found as OpenID Connect says. */
function tokenCommand(issuer: string, audience: string): string {
  const field = (name: string): string => String.raw`sed -n 's/.*"${name}" *: *"\([^"]*\)".*/\1/p'`;
  return [
    `ENDPOINT=$(curl -sS --fail-with-body '${issuer.replace(/\/$/, '')}/.well-known/openid-configuration' |`,
    `  ${field('token_endpoint')})`,
    'export TOKEN=$(curl -sS --fail-with-body -u "$CLIENT_ID:$CLIENT_SECRET" "$ENDPOINT" \\',
    `  -d grant_type=client_credentials -d 'audience=${audience}' |`,
    `  ${field('access_token')})`,
  ].join('\n');
}
