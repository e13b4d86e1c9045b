import { render } from 'preact';

import { App } from './app.tsx';

import './style.css';
import { show } from './theme.ts';

show();
const page = document.getElementById('page');
if (page) render(<App />, page);
