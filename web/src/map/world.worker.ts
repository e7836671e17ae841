// Parses world data and draws it outside the main thread: on a phone, parsing takes 0.1 s (1 s for the finer data), and
// each image as long as several frames.

import { paintWorld, type MapFrame, type WorldColours } from './paintWorld';
import { fetchWorldShapes, type WorldShapes } from './worldShapes';

/** URLs of the data; sent once, first. */
export interface WorldSources {
  coarse: string;
  fine: string;
  font: string;
}
export type WorldWorkerRequest = { begin: WorldSources } | { frame: MapFrame; look: WorldColours };
/** `finer`: whether the finer data announced by `coming` was loaded. */
export type WorldWorkerResponse = { picture: ImageBitmap; frame: MapFrame; look: WorldColours; coming: boolean } | { land: string } | { finer: boolean } | { failed: string };

/** Below this resolution (metres per pixel) the finer data is loaded. */
const fineBelow = 8000;

let begun: WorldSources | null = null;
let shapes: WorldShapes | null = null;
let fine: Promise<void> | 'here' | null = null;
let wanted: { frame: MapFrame; look: WorldColours } | null = null;
const canvas = new OffscreenCanvas(1, 1);

const answer = (message: WorldWorkerResponse, given: Transferable[] = []) => postMessage(message, { transfer: given });

async function begin(at: WorldSources): Promise<void> {
  begun = at;
  const letters = new FontFace('Inter Variable', `url(${at.font})`, { weight: '100 900' });
  (self as unknown as { fonts: FontFaceSet }).fonts.add(letters);
  const [coarse] = await Promise.all([fetchWorldShapes(at.coarse), letters.load().catch(() => null)]);
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
  paintWorld(canvas.getContext('2d')!, shapes, frame, look);
  const picture = canvas.transferToImageBitmap();
  if (frame.resolution < fineBelow && begun) {
    // Retried with the next image after a failure.
    fine ??= fetchWorldShapes(begun.fine).then(
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

onmessage = ({ data }: MessageEvent<WorldWorkerRequest>) => {
  if ('begin' in data) begin(data.begin).catch((error) => answer({ failed: error instanceof Error ? error.message : String(error) }));
  else {
    wanted = data;
    draw();
  }
};
