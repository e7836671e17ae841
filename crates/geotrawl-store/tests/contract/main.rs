//! Contract of all backends, written once against the trait [`Store`].
//!
//! A backend joins with one line at the end of this file. Properties of a single engine (files,
//! locks, crashes) are tested next to that engine, not here.

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

/// Users, sessions, tokens, the audit log, settings, reports.
mod accounts;
/// Records in parts.
mod browse;
/// Finds become records: updates, datasets, filters, order.
mod catalogue;
/// Changes for followers, and statistics.
mod changes;
mod checks;
/// Archive collections: runs, versions, the past, rollback, objects.
mod collections;
/// One resource under many URLs is one record, whatever was found first.
mod doors;
/// The exact set of known URLs, compared with a model.
mod exactness;
/// Chains from a record or URL back to its seed.
mod explanations;
/// Groups of seeds, depths, words, models, next items.
mod focus;
/// Queues, order, retries, history, counters.
mod frontier;
/// Harvested records: stored, updated, gone.
mod harvests;
/// Tasks as users see them.
mod jobs;
/// Mined web archives.
mod mining;
/// Records over time: schedule, checks, notices, reports.
mod monitoring;
/// Alerts and their deliveries.
mod monitoring_alerts;
/// Successors of dead records.
mod monitoring_moves;
/// Search engines: cached answers, quotas, back-off.
mod searches;
/// Tasks and their runs.
mod tasks;

use geotrawl_model::store::Store;
use geotrawl_store::{EmbeddedStore, KnownUrlLimits, PostgresOptions, PostgresStore, StoreOptions};
use geotrawl_testkit::postgres::{TestDatabase, is_available};
use std::path::Path;
use std::sync::Arc;

/// Location of a store, which tests open, drop and open again.
pub trait Backend {
    /// Creates an empty location.
    fn new() -> Self;
    /// Opens the store. Known-URL limits are tiny, so that small tests reach every layer.
    fn open(&self) -> Arc<dyn Store>;
    /// Returns whether this backend is available.
    fn is_there() -> bool {
        true
    }
}

struct Embedded(tempfile::TempDir);

impl Embedded {
    fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Backend for Embedded {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary directory"))
    }

    fn open(&self) -> Arc<dyn Store> {
        let seen = KnownUrlLimits { memtable_keys: 40, fan_out: 2, hot_keys: 8 };
        let options = StoreOptions { seen, host_names: 3, ..StoreOptions::default() };
        Arc::new(EmbeddedStore::open_with(self.path(), options).expect("the store opens"))
    }
}

/// A separate database on this process's server.
struct Postgres(TestDatabase);

impl Backend for Postgres {
    fn new() -> Self {
        let made = TestDatabase::new(|url| {
            PostgresStore::connect(url, &PostgresOptions::default()).expect("the tables are made");
        });
        Self(made.expect("there is a server"))
    }

    fn open(&self) -> Arc<dyn Store> {
        let options =
            PostgresOptions { connections: 4, host_names: 3, hot_keys: 8, ..PostgresOptions::default() };
        Arc::new(PostgresStore::connect(&self.0.url, &options).expect("the store opens"))
    }

    fn is_there() -> bool {
        is_available()
    }
}

/// Runs every test of the suite on every backend.
macro_rules! contract {
    (@backend $backend:ty: $($module:ident { $($test:ident)* })*) => {
        $(mod $module { $(
            #[test]
            fn $test() {
                if <$backend as crate::Backend>::is_there() {
                    crate::$module::$test::<$backend>();
                }
            }
        )* })*
    };
    ($($module:ident { $($test:ident)* })*) => {
        mod embedded {
            contract!(@backend crate::Embedded: $($module { $($test)* })*);
        }
        mod postgres {
            contract!(@backend crate::Postgres: $($module { $($test)* })*);
        }
    };
}

contract! {
    accounts {
        names_and_identities_are_unique_without_case
        people_are_listed_changed_and_removed
        a_removed_number_is_never_given_again
        sessions_end_with_time_disabling_and_a_new_password
        sessions_of_one_person_are_bounded
        a_session_needs_its_person
        tokens_end_with_time_and_their_person
        the_audit_log_is_read_backwards
        settings_are_set_and_removed
        notes_are_kept_and_closed
    }
    browse {
        a_record_is_read_in_parts
        what_is_not_there_is_none
    }
    collections {
        a_collection_is_made_changed_queued_and_removed
        results_are_ranked_as_they_come
        the_past_stays_as_it_was
        a_person_can_roll_back
        objects_grow_only_by_what_is_new
    }
    mining {
        an_archive_is_read_once_unless_it_changes
        what_was_listed_is_not_new
        what_is_forgotten_is_read_anew
    }
    tasks {
        an_unknown_task_is_created_and_an_unfinished_one_continued
        a_finished_task_starts_a_new_run_with_a_fresh_frontier
        tasks_do_not_see_each_other
        an_unknown_run_is_an_error
    }
    frontier {
        items_come_back_as_they_went_in_best_first
        hosts_are_ordered_by_their_best_item_and_can_be_skipped
        items_stay_pending_until_they_are_done
        an_item_cannot_be_done_twice
        a_retry_goes_behind_its_peers_with_one_more_attempt
        history_is_newest_first_and_per_run
        robots_are_kept_with_the_host
        counters_tell_what_happened
        an_empty_batch_is_fine
    }
    exactness {
        no_url_is_lost_or_added_twice
        a_link_twice_in_one_batch_is_added_once
    }
    catalogue {
        a_find_becomes_a_record
        finding_it_again_updates_and_never_duplicates
        datasets_are_replaced_when_they_change
        a_failure_keeps_what_was_read_before
        records_are_filtered_and_in_stable_order
        a_visitor_can_stop
        a_large_resource_survives_the_round_trip
    }
    doors {
        scheme_and_www_are_doors_to_one_record
        one_content_on_one_domain_is_one_record
        different_map_files_stay_apart
        redirects_make_aliases_whoever_came_first
        a_door_that_changes_leaves_the_group
        the_catalogue_does_not_depend_on_the_order
        other_kinds_under_a_like_address_are_faces
    }
    jobs {
        a_job_goes_through_its_life
        parallel_starts_never_exceed_the_quota
        workers_are_shared_between_owners
        what_a_dead_worker_left_is_queued_again
        a_schedule_starts_what_is_idle
        a_schedule_waits_for_a_place_of_its_owner
        those_who_administer_have_places_enough
        lists_show_what_one_may_see
        finds_are_told_once_per_run
        history_stays_short_and_live_is_overwritten
        a_removed_task_leaves_what_it_found
    }
    changes {
        a_record_stands_at_its_latest_change
        who_joins_or_leaves_a_group_is_told
        documents_know_the_pages_that_revealed_them
        the_catalogue_is_counted
        changes_are_dated_and_selected
        what_is_gone_is_told_with_its_time_and_kind
    }
    monitoring {
        records_get_their_places_once_and_spread
        due_checks_are_leased_and_bounded_per_host
        a_host_has_its_checks_of_the_day
        what_people_ask_for_comes_first
        a_check_is_kept_with_its_evidence
        old_evidence_goes_and_turns_stay
        death_and_rebirth_are_told_and_the_record_stays_one
        availability_and_percentiles_are_summed
        what_a_check_reads_replaces_the_description
        doors_of_one_service_are_checked_once
        the_address_of_a_host_is_kept_current
        news_are_filtered_both_ways
        hosts_are_reported
        themes_of_finds_are_kept_and_counted
    }
    monitoring_alerts {
        alerts_belong_to_their_person
        one_dead_host_is_one_alert
        what_fails_is_tried_again_and_given_up
        digests_gather_everything
        alerts_may_be_narrow
    }
    monitoring_moves {
        a_successor_is_proposed_and_shown
        merging_keeps_the_history
        a_successor_is_found_by_its_likeness_whoever_came_first
        a_mirror_is_no_successor
    }
    searches {
        an_answer_is_kept_for_its_time
        a_quota_is_never_exceeded
        a_quota_holds_over_a_restart_and_from_many_threads
        requests_keep_their_pause
        a_rest_grows_and_ends_with_an_answer
    }
    harvests {
        records_are_kept_and_counted_with_their_catalogue
        a_whole_harvest_finds_what_is_gone_and_a_partial_one_does_not
        a_harvest_that_did_not_end_is_not_built_upon
    }
    focus {
        groups_of_seeds_are_opened_and_ended_once
        pages_and_finds_are_counted_by_group_and_depth
        new_probes_are_told_by_who_showed_them
        telling_words_stand_on_many_good_pages_and_few_others
        ranked_seeds_stay_as_the_run_began
        models_are_kept_by_ordering
        what_is_next_comes_from_many_hosts
        a_page_tells_where_it_stood
    }
    explanations {
        a_record_is_explained_by_url_id_and_alias
        a_chain_leads_from_the_seed
        redirects_on_the_way_are_not_the_page_that_showed_it
        what_happened_to_a_url_is_told_per_task
        nothing_known_is_an_empty_explanation
    }
}
