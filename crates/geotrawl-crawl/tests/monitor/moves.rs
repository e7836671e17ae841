use crate::world::MonitorWorld;
use geotrawl_model::Status;
use geotrawl_model::notice::NoticeKind;
use geotrawl_model::store::MonitoringStore;
use geotrawl_model::successor::SuccessorState;
use geotrawl_simweb::ServiceStage;
use jiff::SignedDuration;

const OLD: &str = "http://old-office.test/cgi-bin/wms";
const NEW: &str = "http://geoportal.test/geoserver/ows";
const LAYERS: [&str; 6] =
    ["flurstuecke", "schutzgebiete", "hangneigung", "baumkataster", "radwegenetz", "altlasten"];

/// Returns the names that other software gives the same layers.
fn renamed() -> Vec<String> {
    LAYERS.iter().map(|layer| format!("kreis:{layer}")).collect()
}

fn checked(stage: &ServiceStage) -> (MonitorWorld, geotrawl_simweb::ServerHandle) {
    let listener = geotrawl_simweb::listen(([127, 0, 0, 1], 0).into()).unwrap();
    let server = stage.serve(listener, None).unwrap();
    (MonitorWorld::new(server.address()), server)
}

/// Checks that a successor is proposed with evidence, shown at the record and reported once, and
/// that accepting it keeps the history.
async fn judged(world: &MonitorWorld, old: &str, new: &str) {
    let proposed = world.store.list_successors(old).unwrap();
    assert_eq!(proposed.len(), 1, "{proposed:#?}");
    assert_eq!((proposed[0].id.as_str(), proposed[0].state), (new, SuccessorState::Proposed));
    assert!(proposed[0].confidence >= 0.8 && !proposed[0].evidence.is_empty(), "{proposed:#?}");
    assert_eq!(world.record(old).moved_to.unwrap().id.as_deref(), Some(new));
    assert_eq!(world.notice_count(old, NoticeKind::Moved), 1);
    let before = world.store.list_checks(old, None, 500).unwrap();
    assert!(world.store.decide_successor(old, new, true, world.now()).unwrap());
    let record = world.record(old);
    assert_eq!((record.id.as_str(), record.status), (new, Status::Alive), "the old id leads on");
    assert_eq!(record.moved_from, [OLD]);
    assert!(record.aliases.contains(&OLD.to_owned()));
    let after = world.store.list_checks(new, None, 500).unwrap();
    assert!(before.iter().all(|check| after.iter().any(|one| one.number == check.number)), "history is kept");
    let outages = world.store.uptime(new, world.now()).unwrap().outages;
    assert_eq!(outages.iter().filter(|outage| outage.cause == "gone").count(), 1, "{outages:?}");
    world.run_hours(48).await;
    assert_eq!(world.record(new).status, Status::Alive);
    assert_eq!(world.record(old).id, new, "checks do not part them again");
}

#[tokio::test(flavor = "multi_thread")]
async fn found_after_the_death() {
    let stage = ServiceStage::new();
    let (world, _server) = checked(&stage);
    stage.put_service("wms", OLD, &LAYERS, "Kreis Musterhausen");
    let old = world.add_live_resource("wms", OLD).await;
    world.run_hours(26).await;
    stage.remove_service(OLD);
    world.run_hours(72).await;
    assert_eq!(world.record(&old).status, Status::Dead, "{}", world.record(&old).reason);
    assert!(world.store.list_successors(&old).unwrap().is_empty());
    let layers = renamed();
    let layers: Vec<&str> = layers.iter().map(String::as_str).collect();
    stage.put_service("wms", NEW, &layers, "Geoportal Kreis Musterhausen");
    let new = world.add_live_resource("wms", NEW).await;
    world.run_hours(2).await;
    judged(&world, &old, &new).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn found_before_the_death() {
    let stage = ServiceStage::new();
    let (world, _server) = checked(&stage);
    stage.put_service("wms", OLD, &LAYERS, "Kreis Musterhausen");
    let old = world.add_live_resource("wms", OLD).await;
    world.run_hours(26).await;
    let layers = renamed();
    let layers: Vec<&str> = layers.iter().map(String::as_str).collect();
    stage.put_service("wms", NEW, &layers, "Geoportal Kreis Musterhausen");
    let new = world.add_live_resource("wms", NEW).await;
    world.run_hours(24).await;
    assert!(world.store.list_successors(&old).unwrap().is_empty(), "both live");
    stage.remove_service(OLD);
    world.run_hours(72).await;
    assert_eq!(world.record(&old).status, Status::Dead);
    judged(&world, &old, &new).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mirror_that_stood_beside_is_no_successor() {
    let stage = ServiceStage::new();
    let (world, _server) = checked(&stage);
    for url in [OLD, NEW] {
        stage.put_service("wms", url, &LAYERS, "Kreis Musterhausen");
    }
    let (old, new) = (world.add_live_resource("wms", OLD).await, world.add_live_resource("wms", NEW).await);
    world.run_hours(2).await;
    world.advance(SignedDuration::from_hours(24 * 200));
    world.run_hours(26).await;
    stage.remove_service(OLD);
    world.run_hours(200).await;
    assert_eq!(world.record(&old).status, Status::Dead, "{}", world.record(&old).reason);
    assert_eq!(world.record(&new).status, Status::Alive);
    let proposed = world.store.list_successors(&old).unwrap();
    assert!(proposed.is_empty(), "{proposed:#?}");
}
