// On a phone, pages to which the map has nothing to say take the whole height while they are open.

import { room, type SheetHeight } from '../lib/layoutState.svelte';

/** From one such page to the next the sheet stays where it is. */
const LINGER = 400;
let open = 0;
let before: SheetHeight | null = null;

/** Raises the sheet; what it gives lowers it again, unless a person has moved it. Call it when the page is mounted. */
export function raised(): () => void {
  open += 1;
  if (room.phone && room.sheet !== 'full' && before === null) {
    before = room.sheet;
    room.sheet = 'full';
  }
  return () => {
    open -= 1;
    setTimeout(() => {
      if (open > 0 || before === null) return;
      if (room.sheet === 'full') room.sheet = before;
      before = null;
    }, LINGER);
  };
}
