/** The logger interface of the gateway; pino implements it. Tokens and guest names are never logged. */
export interface LiveLog {
  debug(about: object, message: string): void;
  info(about: object, message: string): void;
  warn(about: object, message: string): void;
  error(about: object, message: string): void;
}
