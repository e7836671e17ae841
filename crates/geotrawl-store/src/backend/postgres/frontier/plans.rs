//! Checks that every frontier statement uses an index, whatever the size of the tables.

use super::tests::{FrontierTestDatabase, finish_item, make_link, new_process};
use super::*;
use std::collections::HashSet;

/// Fills each table with enough rows that a sequential scan is no good plan.
const ROWS: &str = "
    INSERT INTO host (shard, id, name) SELECT n % 256, n * 256 + n % 256, 'http://x' || n FROM generate_series(1000, 21000) n;
    INSERT INTO host_run (shard, run, host, pending, done, best_priority)
      SELECT shard, 1 + id / 256 % 3, id, 1, 0, id / 256 % 900 FROM host;
    INSERT INTO queue (shard, run, host, priority, id, path, intent, depth, way, words, hops, attempts, width, origin, distance)
      SELECT shard, 1 + id / 256 % 3, id, id / 256 % 900, id + (n << 32), '/', 'page', 0, '', '', 0, 0, 1, 0, 0
      FROM host, generate_series(1, 3) n;
    INSERT INTO seen (run, key, shard) SELECT 1 + n % 3, gen_random_uuid(), n % 256 FROM generate_series(1, 60000) n;
    INSERT INTO page (shard, id, run, host, path, intent, depth, way, words, hops, attempts, at, class, reason, bytes,
      millis, requests, found, width, origin, distance)
      SELECT shard, id + (n << 32), run, host, '/', 'page', 0, '', '', 0, 0, 0, 'ok', '', 0, 0, 0, 0, 1, 0, 0
      FROM host_run, generate_series(1, 3) n, LATERAL (SELECT host AS id) AS t;
    ANALYZE host; ANALYZE host_run; ANALYZE queue; ANALYZE seen; ANALYZE page";

/// Tables that may be large.
const LARGE: [&str; 5] = ["host", "host_run", "queue", "seen", "page"];

#[test]
fn every_statement_goes_by_an_index() {
    let Some(place) = FrontierTestDatabase::new() else { return };
    let one = new_process(16);
    place.with_session(|session| {
        session.execute_batch(ROWS)?;
        // Run every statement once on one connection, so that its prepared statements are complete.
        let links: Vec<NewLink> =
            (0..40).map(|n| make_link(&format!("http://h{n}.example"), "/", n)).collect();
        one.add_links(session, 1, &links, |_, _| Ok(()))?;
        let hosts = one.hosts_with_work(session, 1, 20, &|_| false)?;
        one.hosts_with_work(session, 1, 20, &|_| false)?;
        let mut done = Vec::new();
        for work in &hosts {
            done.extend(
                block_on(read::read_pending(session, 1, work.host, 3, &|_| false))?
                    .into_iter()
                    .map(finish_item),
            );
            block_on(read::read_history(session, 1, work.host, 3))?;
            block_on(read::read_closed_pages(session, 1, work.host, &["/"]))?;
            block_on(read::read_waiting_items(session, 1, work.host, "", &["/"]))?;
        }
        one.commit_batch(session, &CrawlBatch { run: 1, done, ..CrawlBatch::default() }, |_, _| Ok(()))?;
        one.renew_leases(session)?;
        session.execute_batch("UPDATE host SET token = token + 1")?;
        one.renew_leases(session)?;
        let back: Vec<_> = hosts.iter().map(|work| (work.host, Duration::ZERO)).collect();
        one.release_hosts(session, 1, &back)?;
        one.hosts_with_work(session, 1, 20, &|_| false)?;
        one.release_all(session)?;
        one.claim_pages(session, 1, 10, 5)?;
        block_on(read::is_exhausted(session, 1))?;
        block_on(read::read_best_hosts(session, 1, 5))?;
        one.forget_run(session, 2)?;
        upkeep::clear_pending(session, 2)?;
        upkeep::clear_pages(session, 2, &HashSet::new())?;
        session.execute_batch("ANALYZE host_run; ANALYZE host")?;
        check_plans(session)
    });
}

/// Explains all prepared statements of the connection with generic plans.
fn check_plans(session: &Session) -> DatabaseResult<()> {
    session.execute_batch("SET plan_cache_mode = force_generic_plan")?;
    let known = block_on(session.query_once(
        "SELECT name, statement, cardinality(parameter_types)::int8 FROM pg_prepared_statements ORDER BY name",
        &[],
    ))?;
    let mut checked = 0;
    for row in known {
        let (name, text, values): (String, String, i64) = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
        if !LARGE.iter().any(|table| text.contains(&format!(" {table} "))) {
            continue;
        }
        let values = vec!["NULL"; values.max(0) as usize].join(", ");
        let values = if values.is_empty() { values } else { format!("({values})") };
        let plan =
            session.wait_for(session.raw().simple_query(&format!("EXPLAIN EXECUTE {name}{values}")))?;
        let plan: Vec<&str> = plan
            .iter()
            .filter_map(|message| match message {
                tokio_postgres::SimpleQueryMessage::Row(row) => row.get(0),
                _ => None,
            })
            .collect();
        for table in LARGE {
            let whole = plan.iter().any(|line| {
                line.contains(&format!("Seq Scan on {table} "))
                    || line.ends_with(&format!("Seq Scan on {table}"))
            });
            assert!(!whole, "{text}\n{}", plan.join("\n"));
        }
        // A query with LIMIT must read in index order instead of sorting.
        let cut = text.contains("LIMIT") && plan.iter().any(|line| line.contains("Sort"));
        assert!(!cut, "{text}\n{}", plan.join("\n"));
        checked += 1;
    }
    assert!(checked >= 25, "only {checked} statements were checked");
    Ok(())
}
