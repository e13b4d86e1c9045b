import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect } from 'node:tls';

import type { Environment } from '../../platform/config/environment.ts';
import { type Examined, type Examinee, fault, type Trouble, warning } from './check.ts';

/** Renewal takes a person some days; those that renew themselves do so at 30 days. */
const SOON_DAYS = 21;
const DAY_MS = 86_400_000;
const CONNECT_WITHIN_MS = 3_000;
const HTTPS_PORT = 443;

const PEM = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

type Named = { name: string; certificate: X509Certificate };

/** Check `certificates`: those between nodes, and those that browsers see at the public addresses. */
export async function examineCertificates({ values, now }: Examinee): Promise<Examined | undefined> {
  const cluster = clusterCertificates(values);
  const served = await Promise.all(publicHosts(values).map(async (url) => servedAt(url)));
  const all = [...cluster.found, ...served.flatMap(({ found }) => found)];
  const troubles = [
    ...cluster.troubles,
    ...served.flatMap(({ troubles }) => troubles),
    ...all.flatMap((one) => ageTrouble(one, now()) ?? []),
  ];
  if (all.length === 0 && troubles.length === 0) return undefined;
  const days = all.map(({ name, certificate }) => `${name} ${daysLeft(certificate, now())} days`);
  return { fine: `valid: ${days.join(', ')}`, troubles };
}

const daysLeft = ({ validTo }: X509Certificate, now: number): number =>
  Math.floor((Date.parse(validTo) - now) / DAY_MS);

function ageTrouble({ name, certificate }: Named, now: number): Trouble | undefined {
  const next = 'renew it; nodes and proxies read it when they start';
  if (Date.parse(certificate.validTo) <= now) return fault(`${name}: expired on ${certificate.validTo}`, next);
  if (Date.parse(certificate.validFrom) > now)
    return fault(`${name}: valid only from ${certificate.validFrom}`, 'correct the clock, or wait');
  const left = daysLeft(certificate, now);
  return left < SOON_DAYS ? warning(`${name}: expires in ${left} days`, next) : undefined;
}

/** Files of CLUSTER_TLS_*: readable, of one another, and signed by the authority. */
function clusterCertificates(values: Environment): { found: Named[]; troubles: Trouble[] } {
  const { CLUSTER_TLS_CERT: cert, CLUSTER_TLS_KEY: key, CLUSTER_TLS_CA: ca } = values;
  const found: Named[] = [];
  const troubles: Trouble[] = [];
  const read = <T>(name: string, file: string | undefined, as: (text: string) => T): T | undefined => {
    if (file === undefined) return undefined;
    try {
      return as(readFileSync(file, 'utf8'));
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      troubles.push(
        fault(`${name}: ${file} is not readable as PEM (${why})`, 'name a PEM file that this user may read'),
      );
      return undefined;
    }
  };
  const own = read('CLUSTER_TLS_CERT', cert, (text) => new X509Certificate(text));
  const secret = read('CLUSTER_TLS_KEY', key, createPrivateKey);
  const authorities = read('CLUSTER_TLS_CA', ca, (text) =>
    (text.match(PEM) ?? [text]).map((one) => new X509Certificate(one)),
  );
  if (own) found.push({ name: 'CLUSTER_TLS_CERT', certificate: own });
  for (const certificate of authorities ?? []) found.push({ name: 'CLUSTER_TLS_CA', certificate });
  if (own && secret && !own.checkPrivateKey(secret))
    troubles.push(fault('CLUSTER_TLS_KEY is not the key of CLUSTER_TLS_CERT', 'give the key that belongs to it'));
  if (own && authorities && !authorities.some((one) => own.checkIssued(one) && own.verify(one.publicKey)))
    troubles.push(fault('CLUSTER_TLS_CERT is not signed by CLUSTER_TLS_CA', 'give the authority that signed it'));
  return { found, troubles };
}

function publicHosts(values: Environment): URL[] {
  const given = [values.PUBLIC_RATE_URL, values.PUBLIC_RESERVATION_URL, values.PUBLIC_LIVE_URL];
  const urls = given.flatMap((url) => (url?.startsWith('https:') ? [new URL(url)] : []));
  return [...new Map(urls.map((url) => [url.host, url])).values()];
}

/** The certificate that browsers see; whether it is trusted is for them to say, its age is not. */
function servedAt({ host, hostname, port }: URL): Promise<{ found: Named[]; troubles: Trouble[] }> {
  return new Promise((resolve) => {
    const to = { host: hostname, servername: hostname, port: Number(port || HTTPS_PORT), rejectUnauthorized: false };
    const socket = connect({ ...to, timeout: CONNECT_WITHIN_MS });
    const away = (why: string): void => {
      socket.destroy();
      const text = `${host} cannot be reached from here (${why}), so its certificate was not seen`;
      resolve({ found: [], troubles: [warning(text, 'look at it in a browser, or let this machine reach it')] });
    };
    socket
      .once('timeout', () => away('no answer'))
      .once('error', (error: NodeJS.ErrnoException) => away(error.code ?? error.message));
    socket.once('secureConnect', () => {
      const certificate = socket.getPeerX509Certificate();
      socket.destroy();
      resolve({ found: certificate ? [{ name: host, certificate }] : [], troubles: [] });
    });
  });
}
