import { render } from 'preact';
import '@preact/signals';
import { App } from './app';
import { startRoute } from './state/route';
import { startTheme } from './state/theme';
import './style.css';

startRoute();
startTheme();
const host = document.getElementById('app');
if (host) render(<App />, host);
