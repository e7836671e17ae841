// Mounts the application: the frame and the first page, bundled in a separate file.

import { mount } from 'svelte';
import App from './App.svelte';
import { routes } from './routes';

/** Starts loading the current page and its data. Errors are reported when the page is mounted. */
export function preloadPage(): void {
  const route = routes.find((one) => one.pattern.test(location.pathname));
  route?.load().catch(() => {});
  route?.ahead?.();
}

export function mountApp(target: HTMLElement): void {
  mount(App, { target });
}
