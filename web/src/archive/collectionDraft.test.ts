import { describe, expect, it } from 'vitest';
import { validateDraft, draftFromSpec, emptyDraft, distinctLines } from './collectionDraft';

const good = () => ({ ...emptyDraft(), acronym: 'ISCCP', title: 'Clouds', pages: 'https://clouds.example/' });

describe('the form of a collection', () => {
  it('takes the usual values', () => {
    const { spec, faults } = validateDraft(good());
    expect(faults).toEqual({});
    expect(spec).toMatchObject({ title: 'Clouds', pages: ['https://clouds.example/'], depth: 1, likeness: 0.7, max_bytes: 20 << 20, max_run_bytes: 1 << 30, schedule: null, public: true });
  });
  it('gives back what it was given', () => {
    const { spec } = validateDraft({ ...good(), queries: 'cloud climate\n\n cloud climate \nISCCP', about: 'clouds.example/about', likeness: '0,85' });
    expect(spec.queries).toEqual(['cloud climate', 'ISCCP']);
    expect(spec.about).toEqual(['https://clouds.example/about']);
    expect(spec.likeness).toBe(0.85);
    expect(validateDraft(draftFromSpec('ISCCP', spec)).spec).toEqual(spec);
  });
  it('says what is wrong where it is wrong', () => {
    const { faults } = validateDraft({ ...good(), acronym: 'a b', title: ' ', pages: 'https://good.example/\nnot an address', depth: '6', likeness: '1.5', aboutness: '', top: '0', maxPages: '1.5', maxMebibytes: '300', maxRunMebibytes: '-1' });
    expect(Object.keys(faults).sort()).toEqual(['aboutness', 'acronym', 'depth', 'likeness', 'max_bytes', 'max_pages', 'max_run_bytes', 'pages', 'title', 'top']);
    expect(faults.pages).toEqual({ fault: 'address', what: 'not an address' });
  });
  it('wants something to archive', () => {
    expect(validateDraft({ ...good(), pages: '' }).faults.pages).toEqual({ fault: 'nothing' });
    expect(validateDraft({ ...good(), pages: '', engines: ['searxng'] }).faults).toEqual({});
  });
  it('wants room for one thing in a run, and no acronym that is an address of the application', () => {
    expect(validateDraft({ ...good(), maxMebibytes: '20', maxRunMebibytes: '10' }).faults).toHaveProperty('max_run_bytes');
    expect(validateDraft({ ...good(), acronym: 'new' }).faults.acronym).toEqual({ fault: 'acronymNew' });
  });
  it('reads lines', () => expect(distinctLines(' a \r\n\nb\na')).toEqual(['a', 'b']));
});
