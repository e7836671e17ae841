//! Combines the levels.

use crate::model::{
    AnalysisLevel, AnalysisLevels, AnalysisLimits, MapApp, SandboxMode, ScriptAnalysis, Sighting,
};
use crate::{fold, paper, run, signs};
use std::collections::{HashMap, HashSet};

/// Analyzes the scripts of an application.
pub fn analyze_app(app: &MapApp, levels: AnalysisLevels, limits: &AnalysisLimits) -> ScriptAnalysis {
    let mut study = ScriptAnalysis::default();
    if levels.paper {
        study.sightings = paper::read(app, limits);
    }
    if levels.fold {
        let folded = fold::fold_app(app, limits);
        add(&mut study, signs::recognise_events(&folded.events, AnalysisLevel::Fold));
        study.wants.extend(folded.wants);
        study.issues.extend(folded.issues);
        study.read_bytes = folded.read_bytes;
    }
    if levels.run == SandboxMode::Always || levels.run == SandboxMode::WhenUndecided && study.is_undecided() {
        let ran = run::run(app, limits);
        add(&mut study, signs::recognise_events(&ran.events, AnalysisLevel::Run));
        study.wants.extend(ran.wants);
        study.issues.extend(ran.issues);
    }
    finish(app, limits, &mut study);
    study
}

fn add(study: &mut ScriptAnalysis, recognised: signs::RecognitionResult) {
    study.sightings.extend(recognised.sightings);
    study.makes_maps |= recognised.makes_maps;
    study.undecided = study.undecided.max(recognised.undecided);
}

/// Removes duplicates, preferring the cheapest level, and sets lines and columns.
fn finish(app: &MapApp, limits: &AnalysisLimits, study: &mut ScriptAnalysis) {
    let mut kept: Vec<Sighting> = Vec::new();
    let mut at = HashMap::new();
    for sighting in study.sightings.drain(..) {
        let key = (sighting.url.clone(), sighting.says.clone());
        if let Some(known) = at.get(&key).and_then(|at: &usize| kept.get_mut(*at)) {
            for layer in sighting.layers {
                if !known.layers.contains(&layer) {
                    known.layers.push(layer);
                }
            }
        } else if kept.len() < limits.sightings {
            at.insert(key, kept.len());
            kept.push(sighting);
        }
    }
    for sighting in &mut kept {
        locate(app, sighting);
    }
    study.sightings = kept;
    let mut seen: HashSet<String> = app.documents.iter().map(|document| document.url.clone()).collect();
    seen.extend(app.scripts.iter().filter_map(|script| script.url.clone()));
    study.wants.retain(|want| seen.insert(want.url.clone()));
}

/// Sets the line and column of a sighting.
fn locate(app: &MapApp, sighting: &mut Sighting) {
    let Some(script) = app.scripts.get(sighting.place.script as usize) else { return };
    let before = script.source.get(..sighting.place.offset as usize).unwrap_or_default();
    let lines = memchr::memchr_iter(b'\n', before.as_bytes()).count();
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count();
    sighting.line = script.line.max(1) + u32::try_from(lines).unwrap_or(u32::MAX);
    sighting.column = u32::try_from(column).unwrap_or(u32::MAX).saturating_add(1);
}
