import highsModule, { type Highs } from 'highs';

import type { NightProgram, SolveNights } from '../rules/bid-prices/night-program.ts';

/** Longest search for the solution of one room type; a year of nights takes about a tenth of a second. */
const MAX_SOLVE_SECONDS = 5;

/** Its types describe the CommonJS file; the module that is imported is the function itself. */
const loadHighs = highsModule as unknown as typeof highsModule.default;

/** HiGHS in WebAssembly: loaded once for each thread, from the file beside its package. */
let loaded: Promise<Highs> | undefined;

/** Loads the solver of linear programs. @throws Error where it cannot be loaded */
export async function linearSolver(): Promise<SolveNights> {
  const highs = await (loaded ??= loadHighs());
  return (program) => solve(highs, program);
}

function solve(highs: Highs, program: NightProgram): Float64Array | undefined {
  const { rooms, demand, revenue } = program;
  const { optimal } = highs.constants.modelStatus;
  if (demand.length === 0) return new Float64Array(rooms.length);
  const source = {
    numCols: demand.length,
    numRows: rooms.length,
    sense: highs.constants.objectiveSense.maximize,
    colCost: revenue,
    colLower: new Float64Array(demand.length),
    colUpper: demand,
    rowLower: new Float64Array(rooms.length),
    rowUpper: rooms,
    matrix: { format: 'csc' as const, numRows: rooms.length, numCols: demand.length, ...nightsOf(program) },
  };
  return highs.withModel(source, (model): Float64Array | undefined => {
    model.options.set({ output_flag: false, time_limit: MAX_SOLVE_SECONDS });
    model.run();
    if (model.getModelStatus() !== optimal) return undefined;
    return model.getSolution().rowDual.map((dual) => Math.max(0, dual));
  });
}

/** A one for each night of each product, in compressed columns. */
function nightsOf({ arrival, length }: NightProgram): {
  starts: Int32Array;
  indices: Int32Array;
  values: Float64Array;
} {
  const starts = new Int32Array(length.length + 1);
  for (const [product, nights] of length.entries()) starts[product + 1] = starts[product]! + nights;
  const entries = starts.at(-1)!;
  const indices = new Int32Array(entries);
  for (const [product, nights] of length.entries())
    for (let n = 0; n < nights; n++) indices[starts[product]! + n] = arrival[product]! + n;
  return { starts, indices, values: new Float64Array(entries).fill(1) };
}
