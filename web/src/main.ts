import { mount } from 'svelte';
import '@fontsource-variable/inter';
import './styles/tokens.css';
import './styles/base.css';
import App from './App.svelte';
import { languages, setLanguage } from './lib/messages.svelte';
import { pause } from './lib/pause';
import './lib/theme.svelte';
import { routes } from './routes';

const target = document.getElementById('app');
if (!target) throw new Error('The page has no place for the application.');

// The page that the address names is on its way while the frame is made; who opens it hears what goes wrong.
routes.find((route) => route.pattern.test(location.pathname))?.load().catch(() => {});

const wanted = localStorage.getItem('language') ?? navigator.languages.map((one) => one.slice(0, 2)).find((one) => languages.includes(one)) ?? 'en';
// Words first, so that nothing is shown in one language and then in another.
await setLanguage(wanted).catch(() => setLanguage('en'));
// Reading the program was one piece of work; showing it is the next.
await pause();
target.replaceChildren();
export default mount(App, { target });
