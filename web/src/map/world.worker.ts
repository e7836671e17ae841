// Reads world data and draws it, beside the page: on a phone reading takes a tenth of a second, a whole one for the finer
// data, and each picture as long as several frames may last.

import { paint, type Frame, type Look } from './paintWorld';
import { readWorld, type WorldShapes } from './worldShapes';

/** Where things are; said once, first. */
export interface Begin {
  coarse: string;
  fine: string;
  font: string;
}
export type Order = { begin: Begin } | { frame: Frame; look: Look };
/** `finer`: whether there is finer data now that was promised (`coming`) with a picture. */
export type Answer = { picture: ImageBitmap; frame: Frame; look: Look; coming: boolean } | { land: string } | { finer: boolean } | { failed: string };

/** Below this many metres a pixel the finer data is worth fetching. */
const fineBelow = 8000;

let begun: Begin | null = null;
let shapes: WorldShapes | null = null;
let fine: Promise<void> | 'here' | null = null;
let wanted: { frame: Frame; look: Look } | null = null;
const canvas = new OffscreenCanvas(1, 1);

const answer = (message: Answer, given: Transferable[] = []) => postMessage(message, { transfer: given });

async function begin(at: Begin): Promise<void> {
  begun = at;
  const letters = new FontFace('Inter Variable', `url(${at.font})`, { weight: '100 900' });
  (self as unknown as { fonts: FontFaceSet }).fonts.add(letters);
  const [coarse] = await Promise.all([readWorld(at.coarse), letters.load().catch(() => null)]);
  shapes = coarse;
  answer({ land: coarse.path });
  draw();
}

function draw(): void {
  if (!shapes || !wanted) return;
  const { frame, look } = wanted;
  wanted = null;
  canvas.width = Math.round(frame.width * frame.ratio);
  canvas.height = Math.round(frame.height * frame.ratio);
  paint(canvas.getContext('2d')!, shapes, frame, look);
  const picture = canvas.transferToImageBitmap();
  if (frame.resolution < fineBelow && begun) {
    // A failure is tried again with the next picture.
    fine ??= readWorld(begun.fine).then(
      (finer) => {
        shapes = finer;
        fine = 'here';
        answer({ finer: true });
      },
      () => {
        fine = null;
        answer({ finer: false });
      },
    );
  }
  answer({ picture, frame, look, coming: fine !== null && fine !== 'here' }, [picture]);
}

onmessage = ({ data }: MessageEvent<Order>) => {
  if ('begin' in data) begin(data.begin).catch((error) => answer({ failed: error instanceof Error ? error.message : String(error) }));
  else {
    wanted = data;
    draw();
  }
};
