import type { PageConfig } from '../../../../src/live/contracts/page-config.ts';
import type { Request } from '../section.ts';

/** Quotes a text for a shell of POSIX: within single quotes everything stands for itself but the quote. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** A read too: lists and files that have no form. */
type CurlRequest = Omit<Request, 'method'> & { method: Request['method'] | 'GET' };

/** The commands that do what requests do, one after the other; the token stays in the environment. */
export function curlOf(
  { rateUrl, reservationUrl }: Pick<PageConfig, 'rateUrl' | 'reservationUrl'>,
  tenantId: string,
  requests: readonly CurlRequest[],
): string {
  return requests
    .map(({ service, method, path, body, ifMatch }) =>
      [
        `curl -sS --fail-with-body -X ${method} ${quoted((service === 'rate' ? rateUrl : reservationUrl) + path)}`,
        '-H "Authorization: Bearer $TOKEN"',
        `-H ${quoted(`X-Tenant-ID: ${tenantId}`)}`,
        ...(ifMatch !== undefined ? [`-H ${quoted(`If-Match: ${ifMatch}`)}`] : []),
        ...(body !== undefined
          ? [`-H ${quoted('Content-Type: application/json')}`, `-d ${quoted(JSON.stringify(body))}`]
          : []),
      ].join(' \\\n  '),
    )
    .join('\n');
}
