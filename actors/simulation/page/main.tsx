import { render } from 'preact';

import { StoredRooms } from './database.tsx';
import { Journal } from './journal.tsx';
import { Nodes } from './nodes.tsx';
import { RunOutcome } from './outcome.tsx';
import { ScenarioForm } from './scenario-form.tsx';
import { showAddress, keepAddress, problem } from './shown.ts';
import { Timeline } from './timeline.tsx';

function Simulator() {
  return (
    <>
      <header>
        <h1>Innkeeper simulator</h1>
        <p class="muted">
          Three nodes, two properties, their clerks and a database, in simulated time. These are the actors of the
          product, in your browser: the same code, seed and outcome as <code>npm run simulate</code>.
        </p>
      </header>
      <main>
        <ScenarioForm />
        {problem.value !== undefined && (
          <p class="problem" role="alert">
            {problem.value} <a href="#seed=7">Start again with seed 7</a>
          </p>
        )}
        <RunOutcome />
        <Timeline />
        <Nodes />
        <div class="two">
          <StoredRooms />
          <Journal />
        </div>
      </main>
    </>
  );
}

const styles = document.createElement('style');
styles.textContent = STYLES;
document.head.append(styles);
const page = document.getElementById('page')!;
page.replaceChildren();
render(<Simulator />, page);
addEventListener('hashchange', showAddress);
keepAddress();
showAddress();
