// All routes of the application. A page is loaded when it is first opened.

import type { Component } from 'svelte';
import type { MessageKey } from './lib/messages.svelte';
import { router } from './lib/router.svelte';
import Search from './pages/Search.svelte';
import { searchResults } from './search/searchResults.svelte';

type Page = Component<{ parameters: string[] }>;
export type Load = () => Promise<{ default: Page }>;

export interface Route {
  pattern: RegExp;
  title: MessageKey;
  load: Load;
  /** Requests the data of the page before the page itself is loaded. */
  ahead?: () => void;
  /** Page that stays in the panel while this route is shown in the drawer. */
  beside?: Load;
}

// Bundled with the frame: most visits start here.
const search: Load = () => Promise.resolve({ default: Search });
const taskForm: Load = () => import('./pages/TaskForm.svelte');
const collectionForm: Load = () => import('./pages/CollectionForm.svelte');

export const routes: Route[] = [
  { pattern: /^\/$/, title: 'nav.search', load: search, ahead: () => void searchResults.search(router.query) },
  { pattern: /^\/service\/([^/]+)$/, title: 'nav.service', load: () => import('./pages/Service.svelte'), beside: search },
  { pattern: /^\/tasks$/, title: 'nav.tasks', load: () => import('./pages/Tasks.svelte') },
  { pattern: /^\/tasks\/new$/, title: 'nav.tasks', load: taskForm },
  { pattern: /^\/tasks\/(\d+)$/, title: 'nav.tasks', load: () => import('./pages/Task.svelte') },
  { pattern: /^\/tasks\/(\d+)\/edit$/, title: 'nav.tasks', load: taskForm },
  { pattern: /^\/statistics$/, title: 'nav.statistics', load: () => import('./pages/Statistics.svelte') },
  { pattern: /^\/monitor$/, title: 'nav.monitor', load: () => import('./pages/Monitor.svelte') },
  { pattern: /^\/providers$/, title: 'nav.providers', load: () => import('./pages/Providers.svelte') },
  { pattern: /^\/providers\/([^/]+)$/, title: 'nav.providers', load: () => import('./pages/Provider.svelte') },
  { pattern: /^\/collections$/, title: 'nav.collections', load: () => import('./pages/Collections.svelte') },
  { pattern: /^\/collections\/new$/, title: 'nav.collections', load: collectionForm },
  { pattern: /^\/collections\/([^/]+)$/, title: 'nav.collections', load: () => import('./pages/Collection.svelte') },
  { pattern: /^\/collections\/([^/]+)\/edit$/, title: 'nav.collections', load: collectionForm },
  { pattern: /^\/collections\/([^/]+)\/item$/, title: 'nav.collections', load: () => import('./pages/CollectionItem.svelte') },
  { pattern: /^\/admin(?:\/(\w+))?$/, title: 'nav.admin', load: () => import('./pages/Admin.svelte') },
  { pattern: /^\/account$/, title: 'nav.account', load: () => import('./pages/Account.svelte') },
  { pattern: /^\/login$/, title: 'nav.login', load: () => import('./pages/Login.svelte') },
  { pattern: /^\/help$/, title: 'nav.help', load: () => import('./pages/Help.svelte') },
];
