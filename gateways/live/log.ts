/** What the gateway needs of a logger; pino's fits. Tokens and names of guests never go in. */
export interface LiveLog {
  debug(about: object, message: string): void;
  info(about: object, message: string): void;
  warn(about: object, message: string): void;
  error(about: object, message: string): void;
}
