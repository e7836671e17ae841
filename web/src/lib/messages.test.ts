import { describe, expect, it } from 'vitest';
import archiveGerman from '../messages/archive.de.json';
import archiveEnglish from '../messages/archive.en.json';
import deskGerman from '../messages/desk.de.json';
import deskEnglish from '../messages/desk.en.json';
import stageGerman from '../messages/stage.de.json';
import stageEnglish from '../messages/stage.en.json';
import trustGerman from '../messages/trust.de.json';
import trustEnglish from '../messages/trust.en.json';

const files: Record<string, [Record<string, string>, Record<string, string>]> = { stage: [stageEnglish, stageGerman], desk: [deskEnglish, deskGerman], trust: [trustEnglish, trustGerman], archive: [archiveEnglish, archiveGerman] };
// Placeholders of a message. Plural forms may differ by language.
const holes = (text: string) => new Set([...text.matchAll(/\{(\w+)\}/g)].map((found) => found[1]));

describe('messages', () => {
  for (const [file, [english, german]] of Object.entries(files)) {
    it(`${file}: German has every English key with the same values`, () => {
      expect(Object.keys(german).sort()).toEqual(Object.keys(english).sort());
      for (const [key, text] of Object.entries(english)) expect(holes(german[key]!), key).toEqual(holes(text));
    });
  }
});
