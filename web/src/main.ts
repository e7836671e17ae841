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

// In short pieces, between which the page answers its person: reading the ground, reading the frame, asking the server,
// showing the frame. The page names the file of the frame, so that both come at once.
async function begin(target: HTMLElement): Promise<void> {
  const reading = import('./mountApp');
  const wanted = localStorage.getItem('language') ?? navigator.languages.map((one) => one.slice(0, 2)).find((one) => languages.includes(one)) ?? 'en';
  // Words first, so that nothing is shown in one language and then in another.
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
if (!target) throw new Error('The page has no place for the application.');
// Not awaited here: the frame stands on this file, and would wait for it while it waits for the frame.
void begin(target);
