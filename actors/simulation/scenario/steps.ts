/** What a step of a recorded run is about; a page colours and filters by it. */
type StepKind = 'fault' | 'node' | 'owner' | 'commit' | 'fenced' | 'unfenced' | 'sold-twice' | 'answer';

/** Something that happened in a simulation, as its parts report it. */
export type SimulationEvent = {
  kind: StepKind;
  /** Node by which or to which it happened. */
  node?: string;
  property?: string;
  text: string;
  /** Rows that a commit has added to the journal. */
  rows?: readonly CommittedRow[];
  /** The night that a commit has sold twice. */
  oversold?: OversoldNight;
};

/** A row of the journal, with the owner that wrote it. */
type CommittedRow = { seq: number; epoch: number; type: string; by: string; requestId: string };

/** A property in the memory of a node. */
type ActorStep = { property: string; epoch: number; seq: number; queued: number };

export type NodeStep = {
  name: string;
  state: 'running' | 'paused' | 'down';
  /** What the node itself believes to be left of its lease; negative when it knows that it is over. */
  leaseMs: number;
  /** What the database says. */
  storedLeaseMs: number;
  /** How far its clock is from the database's. */
  skewMs: number;
  cutFrom: readonly ('redis' | 'database')[];
  actors: readonly ActorStep[];
};

/** Rooms of one type on one night: what can be given, and what bookings and holds have, counted from their rows. */
export type NightStep = { roomType: string; night: string; rooms: number; booked: number; held: number };

/** A property in the database. */
export type StoredStep = { property: string; epoch: number; seq: number; nights: readonly NightStep[] };

/** One event, with the state of the whole cluster behind it. */
export type SimulationStep = SimulationEvent & {
  /** Milliseconds of simulated time since clients and faults began. */
  at: number;
  nodes: readonly NodeStep[];
  stored: readonly StoredStep[];
};

/** A night on which a commit has sold or held more rooms than there are. */
export type OversoldNight = NightStep & { property: string };

/** A run as a page gets it. */
export type PlayedScenario = {
  violations: readonly string[];
  oversold: readonly OversoldNight[];
  /** The same on the command line: a hash of everything that happened. */
  fingerprint: string;
  commands: number;
  committed: number;
  steps: readonly SimulationStep[];
};
