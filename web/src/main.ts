import '@fontsource-variable/inter';
import 'ol/ol.css';
import './styles/tokens.css';
import './styles/base.css';
import { loadKinds } from './lib/kinds.svelte';
import { languages, setLanguage } from './lib/messages.svelte';
import { loadMeta } from './lib/serverInfo.svelte';
import { yieldToBrowser } from './lib/scheduling';
import { refreshSession } from './lib/session.svelte';
import './lib/colourTheme.svelte';

// Starts in short tasks, so that the page responds in between: load the core, load the frame, request data, mount. The
// page preloads the file of the frame, so that both load in parallel.
async function begin(target: HTMLElement): Promise<void> {
  const reading = import('./mountApp');
  const wanted = localStorage.getItem('language') ?? navigator.languages.map((one) => one.slice(0, 2)).find((one) => languages.includes(one)) ?? 'en';
  // Load the messages first, so that the language does not change after the first paint.
  await setLanguage(wanted).catch(() => setLanguage('en'));
  const { preloadPage: ahead, mountApp: start } = await reading;
  await yieldToBrowser();
  ahead();
  for (const ask of [refreshSession, loadKinds, loadMeta]) ask().catch(() => {});
  await yieldToBrowser();
  target.replaceChildren();
  start(target);
}

const target = document.getElementById('app');
if (!target) throw new Error('The page has no element #app.');
// Not awaited: the frame imports this module, and each would wait for the other.
void begin(target);
