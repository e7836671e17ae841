// On a phone, pages to which the map has nothing to say take the whole height while they are open.

import { room } from '../lib/room.svelte';

/** Raises the sheet; what it gives lowers it again, unless a person has moved it. Call it when the page is mounted. */
export function raised(): () => void {
  if (!room.phone || room.sheet === 'full') return () => {};
  const before = room.sheet;
  room.sheet = 'full';
  return () => {
    if (room.sheet === 'full') room.sheet = before;
  };
}
