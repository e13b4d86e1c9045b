import { serversOf } from '../launch/database/server-list.mjs';

/** Why the database cannot be used, in one line for the operator; `main` prints it and exits with 1. */
export class DatabaseFailure extends Error {
  /** The same may succeed later without a person: the server is away, starting or full. */
  readonly isTemporary: boolean;
  /** What to do next, where it is known; the message has it too. */
  readonly remedy: string | undefined;

  constructor(message: string, options: ErrorOptions & { isTemporary?: boolean; remedy?: string } = {}) {
    super(message, options);
    this.remedy = options.remedy;
    this.name = 'DatabaseFailure';
    this.isTemporary = options.isTemporary === true;
  }
}

/** Codes of a server that is away for now, whatever the reason. */
const TEMPORARY = new Set(
  'ECONNREFUSED ECONNRESET ENOTFOUND EAI_AGAIN EHOSTUNREACH ENETUNREACH ETIMEDOUT EPIPE 53100 53300 55P03 57P01 57P02 57P03'.split(
    ' ',
  ),
);
/** What the driver says, without a code, where the server does not answer. */
const NO_ANSWER = /timeout|terminated/i;

/** Codes of the socket and of PostgreSQL (appendix A of its manual) that have a remedy of their own. */
const REMEDIES: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there; start PostgreSQL or correct host and port in DATABASE_URL',
  ENOTFOUND: 'this host is unknown; correct the host in DATABASE_URL',
  EAI_AGAIN: 'the host could not be looked up; check the name service or the host in DATABASE_URL',
  EHOSTUNREACH: 'the host cannot be reached; check the network or the host in DATABASE_URL',
  ETIMEDOUT: 'the host does not answer; check the network or the host in DATABASE_URL',
  ENOENT: 'the socket does not exist; start PostgreSQL or correct DATABASE_URL',
  '28P01': 'the password is wrong; correct user and password in DATABASE_URL',
  '28000': 'this user may not log in; correct the user in DATABASE_URL or pg_hba.conf on the server',
  '3D000': 'the database does not exist; create it or correct its name in DATABASE_URL',
  '42501':
    'this user lacks a right; DATABASE_URL needs the owner of the database, with CREATEROLE for the first start',
  '53100': 'its disk is full; make room',
  '53300': 'the server has no connection left; raise max_connections or stop other clients',
  '55P03': 'a lock was not free in time; run it again when the other session is done',
  '57P03': 'the server is starting or stopping; try again in a moment',
  '22023': 'its roles are missing; run the migrations (npm run migrate) with this DATABASE_URL',
};

/** Turns any error of connecting or migrating into one that names the place, the cause and the remedy. */
export function describeFailure(error: unknown, databaseUrl: string): DatabaseFailure {
  if (error instanceof DatabaseFailure) return error;
  const { code, message } = rootOf(error);
  const remedy = REMEDIES[code ?? ''];
  const text = `database ${placeOf(databaseUrl)}: ${message}${remedy ? ` (${remedy})` : ''}`;
  const isTemporary = code === undefined ? NO_ANSWER.test(message) : TEMPORARY.has(code);
  return new DatabaseFailure(text.replaceAll(/\s+/g, ' '), { cause: error, isTemporary, remedy });
}

/** MikroORM wraps the driver's error, and a host with several addresses reports one error for each. */
function rootOf(error: unknown): { code?: string; message: string } {
  if (error instanceof AggregateError && error.errors.length > 0) return rootOf(error.errors[0]);
  if (!(error instanceof Error)) return { message: String(error) };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  if (code === undefined && error.cause instanceof Error) return rootOf(error.cause);
  return { code, message: error.message };
}

/** Host, port and name, of several servers all hosts: never the user or the password. */
export function placeOf(databaseUrl: string): string {
  try {
    const servers = serversOf(databaseUrl).map((one) => new URL(one));
    const { pathname } = servers[0]!;
    const hosts = servers.map(
      ({ hostname, port, searchParams }) =>
        `${hostname || searchParams.get('host') || 'localhost'}:${port || '5432'}`,
    );
    return `${hosts.join(',')}${pathname}`;
  } catch {
    return '(DATABASE_URL is not a URL)';
  }
}
