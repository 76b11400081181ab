import { render } from 'preact';
import '@preact/signals';
import { App } from './app';
import { startRoute } from './state/route';
import { startTheme } from './state/theme';
// The order matters: later stylesheets override earlier ones.
import './style/tokens.css';
import './style/base.css';
import './style/controls.css';
import './style/states.css';
import './style/frame.css';
import './style/search.css';
import './style/lists.css';
import './style/folders.css';
import './style/files.css';
import './style/views.css';
import './style/dialogs.css';
import './style/narrow.css';

startRoute();
startTheme();
const host = document.getElementById('app');
if (host) render(<App />, host);
