// Every address of the application. A page loads when it is first opened.

import type { Component } from 'svelte';

export interface Route {
  pattern: RegExp;
  load: () => Promise<{ default: Component<{ parameters: string[] }> }>;
}

export const routes: Route[] = [
  { pattern: /^\/$/, load: () => import('./pages/Search.svelte') },
  { pattern: /^\/service\/([^/]+)$/, load: () => import('./pages/Service.svelte') },
  { pattern: /^\/tasks$/, load: () => import('./pages/Tasks.svelte') },
  { pattern: /^\/tasks\/new$/, load: () => import('./pages/TaskForm.svelte') },
  { pattern: /^\/tasks\/(\d+)$/, load: () => import('./pages/Task.svelte') },
  { pattern: /^\/tasks\/(\d+)\/edit$/, load: () => import('./pages/TaskForm.svelte') },
  { pattern: /^\/statistics$/, load: () => import('./pages/Statistics.svelte') },
  { pattern: /^\/monitor$/, load: () => import('./pages/Monitor.svelte') },
  { pattern: /^\/collections$/, load: () => import('./pages/Collections.svelte') },
  { pattern: /^\/admin(?:\/(\w+))?$/, load: () => import('./pages/Admin.svelte') },
  { pattern: /^\/account$/, load: () => import('./pages/Account.svelte') },
  { pattern: /^\/login$/, load: () => import('./pages/Login.svelte') },
  { pattern: /^\/help$/, load: () => import('./pages/Help.svelte') },
];
