// What the map, the frame and the pages tell each other. Everything a link should reproduce is in the address bar
// instead; here is only what belongs to this window.

import type { Box } from './mapControl';

export type SheetHeight = 'peek' | 'half' | 'full';

class Room {
  /** Width of the left panel, kept for the next visit. */
  panel = $state(Math.min(720, Math.max(320, Number(localStorage.getItem('panel')) || 420)));
  collapsed = $state(localStorage.getItem('panel-collapsed') === 'yes');
  sheet = $state<SheetHeight>('half');
  /** A page asked for a wide panel. */
  wide = $state(0);
  drawer = $state(0);
  dock = $state(0);
  /** Where the pointer is on the map, in degrees. */
  pointer = $state.raw<{ lon: number; lat: number; hosts: string[] } | null>(null);
  view = $state.raw<Box | null>(null);
  mapReady = $state(false);
  mapProblem = $state<string | null>(null);
  drawing = $state(false);
  /** Land as an SVG path in degrees, for thumbnails; empty until the map data is there. */
  land = $state('');
  phone = $state(false);
  help = $state(false);
  layersOpen = $state(false);
  /** What the window is named after: the one thing a page shows; null for the page itself. */
  title = $state<string | null>(null);
  /** Words for a screen reader, said politely. */
  said = $state('');

  /** Names the window after what is shown, until the page goes; call it in an effect. */
  name(title: string): () => void {
    this.title = title;
    return () => {
      if (this.title === title) this.title = null;
    };
  }

  keepPanel(width: number): void {
    this.panel = Math.round(Math.min(720, Math.max(320, width)));
    localStorage.setItem('panel', String(this.panel));
  }

  toggle(): void {
    this.collapsed = !this.collapsed;
    localStorage.setItem('panel-collapsed', this.collapsed ? 'yes' : 'no');
  }
}

export const room = new Room();

const narrow = matchMedia('(max-width: 760px)');
room.phone = narrow.matches;
narrow.addEventListener('change', () => (room.phone = narrow.matches));
