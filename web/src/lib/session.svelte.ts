// Who is here.

import { answerOf, client, setCsrf, type Schemas } from './api';

export type Session = Schemas['SessionState'];

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
    return session.max_running ?? null;
  },
  /** The server has said who is here. */
  get known() {
    return known;
  },
};

function take(next: Session): void {
  session = next;
  known = true;
  setCsrf(next.csrf ?? null);
}

export async function refreshSession(): Promise<void> {
  take(await answerOf(client.GET('/session')));
}

export async function logIn(name: string, password: string): Promise<void> {
  take(await answerOf(client.POST('/session', { body: { name, password } })));
}

export async function logOut(): Promise<void> {
  await client.DELETE('/session');
  await refreshSession();
}
