/** The tenants of this installation, without their data. */
export interface Tenants {
  /** Those whose due jobs go on (contracts.md 4): neither INACTIVE nor CANCELLED. */
  running(): Promise<string[]>;
}
