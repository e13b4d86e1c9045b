/** The simulation for a worker, compressed, in base64. Put in by src/commands/simulator-build.ts. */
declare const SIMULATION: string;
/** Style sheets of the page. */
declare const STYLES: string;
