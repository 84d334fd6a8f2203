import { render } from 'preact';
import { App } from './app.tsx';
import { startLive } from './lib/live.ts';

const root = document.querySelector('#app');
if (root !== null) render(<App />, root);
startLive();
