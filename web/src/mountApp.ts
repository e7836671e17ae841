// The frame and the first page, in a file of their own.

import { mount } from 'svelte';
import App from './App.svelte';
import { routes } from './routes';

/** The page that the address names and what it will ask for go on their way; who opens it hears what goes wrong. */
export function preloadPage(): void {
  const route = routes.find((one) => one.pattern.test(location.pathname));
  route?.load().catch(() => {});
  route?.ahead?.();
}

export function mountApp(target: HTMLElement): void {
  mount(App, { target });
}
