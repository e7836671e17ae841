// The current user session.

import { unwrapAnswer, client, setCsrf, type Schemas } from './api';

export type Session = Schemas['SessionState'];

let session = $state.raw<Session>({ user: null, csrf: null, running: 0, max_running: null });
let isKnown = $state(false);

export const currentSession = {
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
    return session.max_running ?? null;
  },
  /** The server has answered who is logged in. */
  get known() {
    return isKnown;
  },
};

function applySession(next: Session): void {
  session = next;
  isKnown = true;
  setCsrf(next.csrf ?? null);
}

export async function refreshSession(): Promise<void> {
  applySession(await unwrapAnswer(client.GET('/session')));
}

export async function logIn(name: string, password: string): Promise<void> {
  applySession(await unwrapAnswer(client.POST('/session', { body: { name, password } })));
}

export async function logOut(): Promise<void> {
  await client.DELETE('/session');
  await refreshSession();
}
