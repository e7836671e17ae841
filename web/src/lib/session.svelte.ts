// Who is here.

import { api, setCsrf } from './api';

export interface Session {
  user: { id: number; name: string; email?: string; role: 'user' | 'admin'; max_running?: number } | null;
  csrf: string | null;
  running: number;
  /** `null`: any number. */
  max_running: number | null;
}

let session = $state.raw<Session>({ user: null, csrf: null, running: 0, max_running: null });
let known = $state(false);

export const who = {
  get user() {
    return session.user;
  },
  get isAdmin() {
    return session.user?.role === 'admin';
  },
  get running() {
    return session.running;
  },
  get maxRunning() {
    return session.max_running;
  },
  /** The server has said who is here. */
  get known() {
    return known;
  },
};

function take(next: Session): void {
  session = next;
  known = true;
  setCsrf(next.csrf);
}

export async function refreshSession(): Promise<void> {
  take(await api.get<Session>('/session'));
}

export async function logIn(name: string, password: string): Promise<void> {
  take(await api.post<Session>('/session', { name, password }));
}

export async function logOut(): Promise<void> {
  await api.delete('/session');
  await refreshSession();
}
