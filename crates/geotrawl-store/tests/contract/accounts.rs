use crate::Backend;
use geotrawl_model::account::{ApiToken, NewAuditEntry, NewUser, User, UserChange, UserRole, UserSession};
use geotrawl_model::report::{NewRecordReport, OPEN_REPORTS_OF_RECORD};
use geotrawl_model::store::AccountStore;
use geotrawl_testkit::builders::test_time;
use serde_json::json;

pub fn new_user(name: &str, role: UserRole) -> NewUser {
    NewUser {
        name: name.into(),
        email: None,
        role,
        password_hash: Some("$argon2id$x".into()),
        identity: None,
        max_running: None,
    }
}

fn add(store: &dyn AccountStore, name: &str, role: UserRole) -> User {
    store.add_user(&new_user(name, role), test_time(0)).unwrap().expect("the name is free")
}

fn session(user: &User, key: u8, from: i64, to: i64) -> UserSession {
    UserSession {
        key: [key; 32],
        user: user.id,
        created: test_time(from),
        expires: test_time(to),
        csrf: format!("csrf-{key}"),
    }
}

fn token(user: &User, expires: Option<i64>) -> ApiToken {
    ApiToken {
        id: 0,
        user: user.id,
        name: "script".into(),
        scopes: vec!["read".into(), "tasks".into()],
        created: test_time(0),
        expires: expires.map(test_time),
        last_used: None,
    }
}

pub fn names_and_identities_are_unique_without_case<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let maria = add(&*store, "MARÍA", UserRole::User);
    assert_eq!(store.add_user(&new_user("maría", UserRole::Admin), test_time(1)).unwrap(), None);
    let (found, hash) = store.find_user_by_name(" María ").unwrap().unwrap();
    assert_eq!((found, hash.as_deref()), (maria, Some("$argon2id$x")));
    assert_eq!(store.find_user_by_name("nobody").unwrap(), None);

    let identity = Some(("https://id.example".to_owned(), "7".to_owned()));
    let mut vouched =
        NewUser { identity: identity.clone(), password_hash: None, ..new_user("otto", UserRole::User) };
    let otto = store.add_user(&vouched, test_time(2)).unwrap().unwrap();
    assert_eq!(otto.identity, identity);
    vouched.name = "another".into();
    assert_eq!(store.add_user(&vouched, test_time(3)).unwrap(), None, "one identity, one person");
    assert_eq!(store.find_user_by_identity("https://id.example", "7").unwrap(), Some(otto));
    assert_eq!(store.find_user_by_identity("https://id.example", "8").unwrap(), None);
    assert_eq!(store.find_user_by_name("otto").unwrap().unwrap().1, None);
}

pub fn people_are_listed_changed_and_removed<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let berta = add(&*store, "berta", UserRole::User);
    let anna = add(&*store, "Anna", UserRole::Admin);
    let (page, total) = store.list_users(1, 1).unwrap();
    assert_eq!((page, total), (vec![berta.clone()], 2), "by name without case");
    assert_eq!(store.list_users(0, u64::MAX).unwrap().0.len(), 2);
    assert_eq!(store.count_admins().unwrap(), 1);

    let change = UserChange {
        email: Some(Some("b@example.org".into())),
        role: Some(UserRole::Admin),
        max_running: Some(Some(9)),
        ..UserChange::default()
    };
    let changed = store.change_user(berta.id, &change).unwrap().unwrap();
    let expected =
        User { email: Some("b@example.org".into()), role: UserRole::Admin, max_running: Some(9), ..berta };
    assert_eq!(changed, expected);
    assert_eq!(store.count_admins().unwrap(), 2);
    let off = UserChange { disabled: Some(true), email: Some(None), ..UserChange::default() };
    let changed = store.change_user(changed.id, &off).unwrap().unwrap();
    assert_eq!((changed.email, changed.disabled), (None, true));
    assert_eq!(store.count_admins().unwrap(), 1, "a disabled admin is none");
    assert_eq!(store.change_user(4711, &off).unwrap(), None);

    assert!(store.remove_user(anna.id).unwrap());
    assert!(!store.remove_user(anna.id).unwrap());
    assert_eq!(store.find_user(anna.id).unwrap(), None);
    drop(store);
    assert_eq!(place.open().list_users(0, 9).unwrap().1, 1);
}

pub fn a_removed_number_is_never_given_again<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let first = add(&*store, "first", UserRole::User);
    store.remove_user(first.id).unwrap();
    assert!(add(&*store, "second", UserRole::User).id > first.id);
}

pub fn sessions_end_with_time_disabling_and_a_new_password<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let anna = add(&*store, "anna", UserRole::User);
    let open = session(&anna, 1, 10, 100);
    store.open_session(&open).unwrap();
    let (found, user) = store.find_session(&[1; 32], test_time(99)).unwrap().unwrap();
    assert_eq!(found, open);
    assert_eq!(user.last_login, Some(test_time(10)));
    assert_eq!(store.find_session(&[1; 32], test_time(100)).unwrap(), None);
    store.extend_session(&[1; 32], test_time(200)).unwrap();
    assert_eq!(store.find_session(&[1; 32], test_time(150)).unwrap().unwrap().0.expires, test_time(200));
    assert_eq!(store.find_session(&[2; 32], test_time(150)).unwrap(), None);
    store.close_session(&[1; 32]).unwrap();
    assert_eq!(store.find_session(&[1; 32], test_time(150)).unwrap(), None);

    let endings = [
        UserChange { password_hash: Some("other".into()), ..UserChange::default() },
        UserChange { disabled: Some(true), ..UserChange::default() },
    ];
    for ending in endings {
        store.open_session(&session(&anna, 3, 10, 1_000)).unwrap();
        store.change_user(anna.id, &UserChange { email: Some(None), ..UserChange::default() }).unwrap();
        assert!(store.find_session(&[3; 32], test_time(20)).unwrap().is_some(), "other changes end nothing");
        store.change_user(anna.id, &ending).unwrap();
        let on = UserChange { disabled: Some(false), ..UserChange::default() };
        store.change_user(anna.id, &on).unwrap();
        assert_eq!(store.find_session(&[3; 32], test_time(20)).unwrap(), None, "{ending:?}");
    }

    store.open_session(&session(&anna, 4, 0, 50)).unwrap();
    store.open_session(&session(&anna, 5, 0, 500)).unwrap();
    assert_eq!(store.remove_expired_sessions(test_time(60)).unwrap(), 1);
    assert!(store.find_session(&[5; 32], test_time(60)).unwrap().is_some());
}

pub fn sessions_of_one_person_are_bounded<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let (anna, berta) = (add(&*store, "anna", UserRole::User), add(&*store, "berta", UserRole::User));
    store.open_session(&session(&berta, 200, 0, 10_000)).unwrap();
    for n in 0..60 {
        store.open_session(&session(&anna, n, i64::from(n), 10_000)).unwrap();
    }
    let alive = (0..60).filter(|n| store.find_session(&[*n; 32], test_time(61)).unwrap().is_some()).count();
    assert_eq!(alive, 50);
    assert!(store.find_session(&[59; 32], test_time(61)).unwrap().is_some(), "the newest stay");
    assert!(store.find_session(&[200; 32], test_time(61)).unwrap().is_some(), "others are not touched");
}

pub fn a_session_needs_its_person<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let anna = add(&*store, "anna", UserRole::User);
    store.remove_user(anna.id).unwrap();
    assert!(store.open_session(&session(&anna, 1, 0, 10)).is_err());
    assert_eq!(store.find_session(&[1; 32], test_time(1)).unwrap(), None);
}

pub fn tokens_end_with_time_and_their_person<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let (anna, berta) = (add(&*store, "anna", UserRole::User), add(&*store, "berta", UserRole::User));
    let short = store.add_token(&token(&anna, Some(1_000)), &[1; 32]).unwrap();
    let long = store.add_token(&token(&anna, None), &[2; 32]).unwrap();
    assert_ne!(short.id, long.id);
    assert!(store.add_token(&token(&berta, None), &[2; 32]).is_err(), "a secret has one token");

    let (found, user) = store.find_token(&[1; 32], test_time(10)).unwrap().unwrap();
    assert_eq!((found.last_used, user.id), (Some(test_time(10)), anna.id));
    assert_eq!(found.scopes, ["read", "tasks"]);
    assert_eq!(
        store.find_token(&[1; 32], test_time(69)).unwrap().unwrap().0.last_used,
        Some(test_time(10)),
        "once a minute"
    );
    assert_eq!(store.find_token(&[1; 32], test_time(70)).unwrap().unwrap().0.last_used, Some(test_time(70)));
    assert_eq!(store.find_token(&[1; 32], test_time(1_000)).unwrap(), None);
    assert!(store.find_token(&[2; 32], test_time(1_000)).unwrap().is_some());

    let ids = |store: &dyn AccountStore| -> Vec<i64> {
        store.list_tokens(anna.id).unwrap().iter().map(|token| token.id).collect()
    };
    assert_eq!(ids(&*store), [short.id, long.id]);
    assert!(!store.remove_token(berta.id, long.id).unwrap(), "only one's own");
    assert!(store.remove_token(anna.id, short.id).unwrap());
    assert_eq!(ids(&*store), [long.id]);

    let switch = |to| UserChange { disabled: Some(to), ..UserChange::default() };
    store.change_user(anna.id, &switch(true)).unwrap();
    assert_eq!(store.find_token(&[2; 32], test_time(20)).unwrap(), None);
    store.change_user(anna.id, &switch(false)).unwrap();
    assert!(store.find_token(&[2; 32], test_time(20)).unwrap().is_some());
    store.remove_user(anna.id).unwrap();
    assert_eq!(store.find_token(&[2; 32], test_time(20)).unwrap(), None);
    assert!(ids(&*store).is_empty());
}

pub fn the_audit_log_is_read_backwards<B: Backend>() {
    let place = B::new();
    let store = place.open();
    for n in 0..5 {
        let entry = NewAuditEntry {
            user: (n > 0).then_some(n),
            who: format!("who {n}"),
            action: "login".into(),
            subject: "x".into(),
            address: Some("192.0.2.1".into()),
            detail: json!({ "n": n }),
        };
        store.add_audit_entry(&entry, test_time(n)).unwrap();
    }
    let newest = store.audit_log(0, 2).unwrap();
    assert_eq!(newest.iter().map(|entry| entry.who.as_str()).collect::<Vec<_>>(), ["who 4", "who 3"]);
    assert_eq!(
        (newest[0].at, newest[0].user, &newest[0].detail),
        (test_time(4), Some(4), &json!({ "n": 4 }))
    );
    let rest = store.audit_log(newest[1].seq, 100).unwrap();
    assert_eq!(rest.len(), 3);
    assert_eq!(rest[2].user, None);
    assert!(store.audit_log(rest[2].seq, 100).unwrap().is_empty());
}

pub fn settings_are_set_and_removed<B: Backend>() {
    let place = B::new();
    let store = place.open();
    assert_eq!(store.find_setting("title").unwrap(), None);
    store.set_setting("title", Some(&json!("Maps"))).unwrap();
    store.set_setting("title", Some(&json!("More maps"))).unwrap();
    store.set_setting("proxy", Some(&json!(true))).unwrap();
    assert_eq!(store.find_setting("title").unwrap(), Some(json!("More maps")));
    let all = store.list_settings().unwrap();
    assert_eq!(all, [("proxy".to_owned(), json!(true)), ("title".to_owned(), json!("More maps"))]);
    store.set_setting("proxy", None).unwrap();
    store.set_setting("unknown", None).unwrap();
    assert_eq!(store.list_settings().unwrap().len(), 1);
}

pub fn notes_are_kept_and_closed<B: Backend>() {
    let place = B::new();
    let store = place.open();
    let note = |text: &str| NewRecordReport { record: "r1".into(), user: None, text: text.into() };
    let first = store.add_report(&note("first"), test_time(0)).unwrap().unwrap();
    let second = store
        .add_report(&NewRecordReport { user: Some(3), ..note("second") }, test_time(1))
        .unwrap()
        .unwrap();
    assert!(store.close_report(first).unwrap());
    assert!(!store.close_report(4711).unwrap());
    let open = store.list_reports(false, 10).unwrap();
    assert_eq!(open.iter().map(|report| report.id).collect::<Vec<_>>(), [second]);
    assert_eq!((open[0].user, open[0].text.as_str(), open[0].at), (Some(3), "second", test_time(1)));
    let all = store.list_reports(true, 10).unwrap();
    assert_eq!(all.iter().map(|report| report.closed).collect::<Vec<_>>(), [false, true]);
    assert_eq!(store.list_reports(true, 1).unwrap().len(), 1);
    let kept = (0..40).filter(|_| store.add_report(&note("more"), test_time(2)).unwrap().is_some()).count();
    assert_eq!(kept as u32 + 1, OPEN_REPORTS_OF_RECORD, "of one record so many wait at most");
    assert!(
        store
            .add_report(&NewRecordReport { record: "r2".into(), ..note("other") }, test_time(2))
            .unwrap()
            .is_some()
    );
    assert!(store.close_report(second).unwrap());
    assert!(store.add_report(&note("again"), test_time(3)).unwrap().is_some());
}
