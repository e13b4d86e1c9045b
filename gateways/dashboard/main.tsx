// First: the bundler keeps no order within a shared script, and formats are made with its language and clock.
import './language/texts.ts';
import { render } from 'preact';

import { App } from './app.tsx';

import './style.css';
import { show } from './theme.ts';

show();
const page = document.getElementById('page');
if (page) render(<App />, page);
