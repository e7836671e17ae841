//! Users: create, change, remove. The last admin who can log in cannot be removed.

use crate::api::extract::{Bounded, Json, Path, Query, SequenceNumber, given};
use crate::api::session::RoleName;
use crate::auth::{self, Caller, write_audit_entry};
use crate::{App, Problem};
use axum::Extension;
use axum::extract::State;
use axum::http::StatusCode;
use geotrawl_model::account::{NewUser, User, UserChange, UserId, UserRole};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Highest limit of concurrently running tasks per user.
const MOST_RUNNING: u32 = 1_000;

/// Builds the router.
pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(users, add_user)).routes(routes!(change_user, remove_user))
}

/// A user.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Person {
    pub id: i64,
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    pub role: RoleName,
    pub disabled: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_running: Option<u32>,
    pub created: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_login: Option<Timestamp>,
    /// Issuer of the user's OpenID Connect identity.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub issuer: Option<String>,
}

impl From<User> for Person {
    fn from(user: User) -> Self {
        Self {
            id: user.id,
            name: user.name,
            email: user.email,
            role: user.role.into(),
            disabled: user.disabled,
            max_running: user.max_running,
            created: user.created,
            last_login: user.last_login,
            issuer: user.identity.map(|(issuer, _)| issuer),
        }
    }
}

/// Users by name.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct People {
    pub total: u64,
    pub results: Vec<Person>,
}

/// Page of users.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct UserListQuery {
    #[serde(default)]
    #[param(inline)]
    limit: Bounded<50, 1, 500>,
    #[serde(default)]
    #[param(inline)]
    offset: SequenceNumber,
}

/// List users
#[utoipa::path(
    get, path = "/users", tag = "admin", params(UserListQuery),
    responses(
        (status = 200, body = People),
        (status = 400, body = Problem, content_type = "application/problem+json"),
    ),
    extensions(("x-needs" = json!("admin")), ("x-scope" = json!("admin")))
)]
async fn users(State(app): State<App>, Query(part): Query<UserListQuery>) -> Result<Json<People>, Problem> {
    let (users, total) =
        app.blocking(move |app| Ok(app.store.list_users(part.offset.get(), part.limit.get())?)).await?;
    Ok(Json(People { total, results: users.into_iter().map(Person::from).collect() }))
}

/// A user to create.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AddPerson {
    pub name: String,
    #[serde(default)]
    pub email: Option<String>,
    pub role: RoleName,
    pub password: String,
    #[serde(default)]
    pub max_running: Option<u32>,
}

/// Create a user
#[utoipa::path(
    post, path = "/users", tag = "admin", request_body = AddPerson,
    responses(
        (status = 201, body = Person),
        (status = 409, description = "The name is taken", body = Problem, content_type = "application/problem+json"),
        (status = 422, body = Problem, content_type = "application/problem+json"),
    ),
    extensions(("x-needs" = json!("admin")), ("x-scope" = json!("admin")))
)]
async fn add_user(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Json(person): Json<AddPerson>,
) -> Result<(StatusCode, Json<Person>), Problem> {
    let name = auth::check_name(&person.name).map_err(|why| Problem::unprocessable("name", why))?;
    let email = person.email.as_deref().map(email).transpose()?.flatten();
    let max_running = person.max_running.map(quota).transpose()?;
    let hash = app.auth.hashing.hash_new_password("password", &name, &person.password).await?;
    let role = UserRole::from(person.role);
    let new = NewUser { name, email, role, password_hash: Some(hash), identity: None, max_running };
    let user = app
        .blocking(move |app| {
            let Some(user) = app.store.add_user(&new, app.now())? else {
                return Err(Problem::conflict(format!("The name “{}” is taken.", new.name)));
            };
            let detail = json!({ "id": user.id, "role": user.role, "max_running": user.max_running });
            write_audit_entry(app, &caller, "user-create", &user.name, detail)?;
            Ok(user)
        })
        .await?;
    Ok((StatusCode::CREATED, Json(user.into())))
}

/// Changes to a user; absent members stay as they are.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangePerson {
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<String>)]
    #[expect(clippy::option_option, reason = "a missing field, null and a value have different meanings")]
    pub email: Option<Option<String>>,
    #[serde(default)]
    pub role: Option<RoleName>,
    #[serde(default)]
    pub disabled: Option<bool>,
    /// `null`: the general limit.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<u32>)]
    #[expect(clippy::option_option, reason = "left out, null and a value are three things here")]
    pub max_running: Option<Option<u32>>,
    #[serde(default)]
    pub password: Option<String>,
}

/// Change a user
///
/// Disabling the user or setting a new password ends all sessions of the user.
#[utoipa::path(
    patch, path = "/users/{id}", tag = "admin", params(("id" = i64, Path)), request_body = ChangePerson,
    responses(
        (status = 200, body = Person),
        (status = 404, body = Problem, content_type = "application/problem+json"),
        (status = 409, description = "The last admin", body = Problem, content_type = "application/problem+json"),
        (status = 422, body = Problem, content_type = "application/problem+json"),
    ),
    extensions(("x-needs" = json!("admin")), ("x-scope" = json!("admin")))
)]
async fn change_user(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<i64>,
    Json(asked): Json<ChangePerson>,
) -> Result<Json<Person>, Problem> {
    let user = app.blocking(move |app| known(app, id)).await?;
    let password_hash = match &asked.password {
        Some(password) => Some(app.auth.hashing.hash_new_password("password", &user.name, password).await?),
        None => None,
    };
    let change = UserChange {
        email: asked.email.map(|text| text.as_deref().map_or(Ok(None), email)).transpose()?,
        role: asked.role.map(UserRole::from),
        disabled: asked.disabled,
        max_running: asked.max_running.map(|many| many.map(quota).transpose()).transpose()?,
        password_hash,
    };
    let user = app
        .blocking(move |app| {
            let _one_at_a_time = app.auth.lock_accounts();
            if change.role == Some(UserRole::User) || change.disabled == Some(true) {
                keep_an_admin(app, id)?;
            }
            let changed = app.store.change_user(id, &change)?;
            let user = changed.ok_or_else(|| Problem::not_found("There is no such user."))?;
            let detail = json!({
                "id": id, "role": change.role, "disabled": change.disabled, "email": change.email.is_some(),
                "max_running": change.max_running, "password": change.password_hash.is_some(),
            });
            write_audit_entry(app, &caller, "user-change", &user.name, detail)?;
            Ok(user)
        })
        .await?;
    Ok(Json(user.into()))
}

/// Remove a user
///
/// Removes sessions and tokens too; tasks stay, without an owner.
#[utoipa::path(
    delete, path = "/users/{id}", tag = "admin", params(("id" = i64, Path)),
    responses(
        (status = 204),
        (status = 404, body = Problem, content_type = "application/problem+json"),
        (status = 409, description = "The last admin", body = Problem, content_type = "application/problem+json"),
    ),
    extensions(("x-needs" = json!("admin")), ("x-scope" = json!("admin")))
)]
async fn remove_user(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<i64>,
) -> Result<StatusCode, Problem> {
    app.blocking(move |app| {
        let _one_at_a_time = app.auth.lock_accounts();
        let user = known(app, id)?;
        keep_an_admin(app, id)?;
        app.store.remove_user(id)?;
        write_audit_entry(app, &caller, "user-delete", &user.name, json!({ "id": id }))
    })
    .await?;
    Ok(StatusCode::NO_CONTENT)
}

fn known(app: &App, id: UserId) -> Result<User, Problem> {
    app.store.find_user(id)?.ok_or_else(|| Problem::not_found("There is no such user."))
}

/// Refuses a change that would leave no admin who can log in.
fn keep_an_admin(app: &App, id: UserId) -> Result<(), Problem> {
    let user = known(app, id)?;
    if user.role == UserRole::Admin && !user.disabled && app.store.count_admins()? <= 1 {
        return Err(Problem::conflict("This is the last admin who can log in; create another one first."));
    }
    Ok(())
}

fn email(text: &str) -> Result<Option<String>, Problem> {
    auth::check_email(text).map_err(|why| Problem::unprocessable("email", why))
}

fn quota(many: u32) -> Result<u32, Problem> {
    if many > MOST_RUNNING {
        return Err(Problem::unprocessable("max_running", format!("The limit can be up to {MOST_RUNNING}.")));
    }
    Ok(many)
}
