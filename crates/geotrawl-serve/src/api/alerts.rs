//! A user's alerts: what to notify about, how and how often.

use super::extract::{Json, Path};
use crate::auth::Caller;
use crate::{App, Problem};
use axum::Extension;
use axum::extract::State;
use axum::http::StatusCode;
use geotrawl_model::alert::{Alert, AlertChange, Channel, Frequency, MOST_ALERTS, NewAlert};
use geotrawl_model::notice::NoticeKind;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use url::Url;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Maximum number of hosts or records per alert.
const MOST_NAMES: usize = 200;
/// Longest name, target and secret, in bytes.
const LONGEST: usize = 500;

/// Builds the router.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(alerts, add_alert))
        .routes(routes!(change_alert, remove_alert))
        .routes(routes!(try_alert))
}

/// An alert, without its secret.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct AlertView {
    pub number: i64,
    pub name: String,
    pub channel: Channel,
    pub target: String,
    /// Whether webhooks are signed.
    pub signed: bool,
    /// Kinds of notifications; empty: all.
    pub kinds: Vec<NoticeKind>,
    pub hosts: Vec<String>,
    pub records: Vec<String>,
    pub frequency: Frequency,
    pub active: bool,
    pub created: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_delivery: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_error: Option<String>,
}

impl From<Alert> for AlertView {
    fn from(alert: Alert) -> Self {
        Self {
            number: alert.number,
            name: alert.name,
            channel: alert.channel,
            target: alert.target,
            signed: alert.secret.is_some(),
            kinds: alert.kinds,
            hosts: alert.hosts,
            records: alert.records,
            frequency: alert.frequency,
            active: alert.active,
            created: alert.created,
            last_delivery: alert.last_delivery,
            last_error: alert.last_error,
        }
    }
}

/// The alerts of a user.
#[derive(Debug, Serialize, ToSchema)]
struct Alerts {
    total: u64,
    results: Vec<AlertView>,
}

/// An alert to create, or the changes to one: absent members stay as they are.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
struct AlertSpec {
    #[schema(max_length = 500)]
    name: Option<String>,
    channel: Option<Channel>,
    /// Address of the webhook, or e-mail address.
    #[schema(max_length = 500)]
    target: Option<String>,
    /// Key that signs webhooks; empty: none. Never shown again.
    #[schema(max_length = 500)]
    secret: Option<String>,
    kinds: Option<Vec<NoticeKind>>,
    /// Host names; if `hosts` and `records` are both empty, everything.
    hosts: Option<Vec<String>>,
    /// Record ids.
    records: Option<Vec<String>>,
    frequency: Option<Frequency>,
    active: Option<bool>,
}

impl AlertSpec {
    fn check(&self) -> Result<(), Problem> {
        let long = |text: &Option<String>| text.as_ref().is_some_and(|text| text.len() > LONGEST);
        for (member, text) in [("name", &self.name), ("target", &self.target), ("secret", &self.secret)] {
            if long(text) {
                return Err(Problem::unprocessable(member, format!("Use up to {LONGEST} bytes.")));
            }
        }
        if self.name.as_ref().is_some_and(|name| name.trim().is_empty()) {
            return Err(Problem::unprocessable("name", "Enter a name."));
        }
        for (member, names) in [("hosts", &self.hosts), ("records", &self.records)] {
            let Some(names) = names else { continue };
            if names.len() > MOST_NAMES || names.iter().any(|name| name.len() > LONGEST) {
                return Err(Problem::unprocessable(
                    member,
                    format!("Enter up to {MOST_NAMES} names of up to {LONGEST} bytes each."),
                ));
            }
        }
        Ok(())
    }
}

/// Checks that messages can be sent to a target.
fn check_target(app: &App, channel: Channel, target: &str) -> Result<(), Problem> {
    let refuse = |why: String| Err(Problem::unprocessable("target", why));
    match channel {
        Channel::Webhook => match Url::parse(target) {
            Ok(url) if matches!(url.scheme(), "http" | "https") => {
                app.outbound.check_url(&url).or_else(|why| refuse(format!("{why}.")))
            }
            _ => refuse("Enter an http or https address.".into()),
        },
        Channel::Email if !app.mail => refuse(
            "This server cannot send e-mail; the operator can set up [mail] in the configuration.".into(),
        ),
        Channel::Email => match crate::auth::check_email(target) {
            Ok(Some(_)) => Ok(()),
            Ok(None) => refuse("Enter an e-mail address.".into()),
            Err(error) => refuse(error),
        },
    }
}

fn none(number: i64) -> Problem {
    Problem::not_found(format!("You have no alert {number}."))
}

/// Your alerts
#[utoipa::path(
    get, path = "/alerts", operation_id = "list_alerts", tag = "alerts", responses((status = 200, body = Alerts)),
    extensions(("x-needs" = json!("user")))
)]
async fn alerts(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
) -> Result<Json<Alerts>, Problem> {
    let user = caller.require_user()?.id;
    let alerts = app.blocking(move |app| Ok(app.store.list_alerts(user)?)).await?;
    let results: Vec<AlertView> = alerts.into_iter().map(AlertView::from).collect();
    Ok(Json(Alerts { total: results.len() as u64, results }))
}

/// Create an alert
#[utoipa::path(
    post, path = "/alerts", operation_id = "add_alert", tag = "alerts", request_body = AlertSpec,
    responses((status = 201, body = AlertView), (status = 409, body = Problem), (status = 422, body = Problem)),
    extensions(("x-needs" = json!("user")))
)]
async fn add_alert(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Json(spec): Json<AlertSpec>,
) -> Result<(StatusCode, Json<AlertView>), Problem> {
    let user = caller.require_user()?.id;
    spec.check()?;
    let Some(channel) = spec.channel else {
        return Err(Problem::unprocessable("channel", "Choose webhook or email."));
    };
    let Some(target) = spec.target.map(|target| target.trim().to_owned()) else {
        return Err(Problem::unprocessable("target", "Enter a webhook address or an e-mail address."));
    };
    check_target(&app, channel, &target)?;
    let alert = NewAlert {
        name: spec.name.unwrap_or_else(|| target.clone()),
        channel,
        target,
        secret: spec.secret.filter(|secret| !secret.is_empty()),
        kinds: spec.kinds.unwrap_or_default(),
        hosts: spec.hosts.unwrap_or_default(),
        records: spec.records.unwrap_or_default(),
        frequency: spec.frequency.unwrap_or(Frequency::Immediate),
        active: spec.active.unwrap_or(true),
    };
    let added = app.blocking(move |app| {
        let full = || Problem::conflict(format!("You already have {MOST_ALERTS} alerts; remove one first."));
        app.store.add_alert(user, &alert, app.now())?.ok_or_else(full)
    });
    Ok((StatusCode::CREATED, Json(added.await?.into())))
}

/// Change an alert
#[utoipa::path(
    patch, path = "/alerts/{number}", operation_id = "change_alert", tag = "alerts", request_body = AlertSpec,
    params(("number" = i64, Path, description = "Number of an alert")),
    responses((status = 200, body = AlertView), (status = 404, body = Problem), (status = 422, body = Problem)),
    extensions(("x-needs" = json!("user")))
)]
async fn change_alert(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(number): Path<i64>,
    Json(spec): Json<AlertSpec>,
) -> Result<Json<AlertView>, Problem> {
    let user = caller.require_user()?.id;
    spec.check()?;
    let changed = app.blocking(move |app| {
        let before = app.store.find_alert(user, number)?.ok_or_else(|| none(number))?;
        if spec.channel.is_some() || spec.target.is_some() {
            let channel = spec.channel.unwrap_or(before.channel);
            check_target(app, channel, spec.target.as_deref().unwrap_or(&before.target))?;
        }
        let change = AlertChange {
            name: spec.name,
            channel: spec.channel,
            target: spec.target,
            secret: spec.secret.map(|secret| Some(secret).filter(|secret| !secret.is_empty())),
            kinds: spec.kinds,
            hosts: spec.hosts,
            records: spec.records,
            frequency: spec.frequency,
            active: spec.active,
        };
        app.store.change_alert(user, number, &change)?.ok_or_else(|| none(number))
    });
    Ok(Json(changed.await?.into()))
}

/// Remove an alert
#[utoipa::path(
    delete, path = "/alerts/{number}", operation_id = "remove_alert", tag = "alerts", params(("number" = i64, Path, description = "Number of an alert")),
    responses((status = 204), (status = 404, body = Problem)),
    extensions(("x-needs" = json!("user")))
)]
async fn remove_alert(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(number): Path<i64>,
) -> Result<StatusCode, Problem> {
    let user = caller.require_user()?.id;
    app.blocking(move |app| {
        if app.store.remove_alert(user, number)? { Ok(StatusCode::NO_CONTENT) } else { Err(none(number)) }
    })
    .await
}

/// Result of a test message.
#[derive(Debug, Serialize, ToSchema)]
struct AlertTestResult {
    delivered: bool,
    /// Why the message was not delivered.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// Send a test message
#[utoipa::path(
    post, path = "/alerts/{number}/test", operation_id = "try_alert", tag = "alerts", params(("number" = i64, Path, description = "Number of an alert")),
    responses((status = 200, body = AlertTestResult), (status = 404, body = Problem), (status = 429, body = Problem)),
    extensions(("x-needs" = json!("user")))
)]
async fn try_alert(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(number): Path<i64>,
) -> Result<Json<AlertTestResult>, Problem> {
    let user = caller.require_user()?.id;
    app.auth.limits.count_check(&caller, app.now())?;
    let alert =
        app.blocking(move |app| app.store.find_alert(user, number)?.ok_or_else(|| none(number))).await?;
    let error = app.outbound.send_test_alert(&alert).await.err();
    Ok(Json(AlertTestResult { delivered: error.is_none(), error }))
}
