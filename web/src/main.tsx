import { render } from 'preact';
import { App } from './app';
import './style.css';
import { preferredLanguage, speak } from './text';
import { startTheme } from './theme';

startTheme();
speak(preferredLanguage());
const place = document.getElementById('app');
if (place !== null) render(<App />, place);
