//! `user`: manages user accounts.

use crate::cli::{GlobalArgs, UserAddArgs, UserCommand};
use crate::exit::{ExitStatus, UsageError};
use crate::output;
use anyhow::{Context, Result};
use geotrawl_model::account::{NewAuditEntry, NewUser, User, UserChange, UserRole};
use geotrawl_model::store::Store;
use geotrawl_serve::auth;
use jiff::Timestamp;
use std::io::{BufRead, IsTerminal};

/// Number of users read at once.
const PAGE: u64 = 500;

/// Runs a `user` subcommand.
pub fn run(global: &GlobalArgs, what: &UserCommand) -> Result<ExitStatus> {
    if let UserCommand::List = what {
        return list(global, &*crate::stores::open_to_read(global)?);
    }
    let store = crate::stores::open_for_accounts(global)?;
    match what {
        UserCommand::List => {}
        UserCommand::Add(args) => add(global, &*store, args)?,
        UserCommand::Password { name, password_stdin } => {
            let (secret, made) = secret(*password_stdin)?;
            let change = UserChange { password_hash: Some(hashed(&secret, name)?), ..UserChange::default() };
            let user = changed(&*store, name, &change, "user-password")?;
            tell_password(&user, made.then_some(secret.as_str()));
        }
        UserCommand::Role { name, role } => {
            let role = role.to_role();
            keep_an_admin(&*store, name, role == UserRole::User)?;
            let change = UserChange { role: Some(role), ..UserChange::default() };
            changed(&*store, name, &change, "user-role")?;
            output::print_message(&format!("{name} is now {}.", word(role)));
        }
        UserCommand::Disable { name } => {
            keep_an_admin(&*store, name, true)?;
            changed(
                &*store,
                name,
                &UserChange { disabled: Some(true), ..UserChange::default() },
                "user-disable",
            )?;
            output::print_message(&format!(
                "{name} can no longer log in. Run `geotrawl user enable {name}` to undo this."
            ));
        }
        UserCommand::Enable { name } => {
            changed(
                &*store,
                name,
                &UserChange { disabled: Some(false), ..UserChange::default() },
                "user-enable",
            )?;
            output::print_message(&format!("{name} can log in again."));
        }
        UserCommand::Remove { name } => {
            keep_an_admin(&*store, name, true)?;
            let user = named(&*store, name)?;
            store.remove_user(user.id)?;
            audit(&*store, "user-delete", name)?;
            output::print_message(&format!("Removed {name}. The results of their tasks are kept."));
        }
    }
    Ok(ExitStatus::Done)
}

fn list(global: &GlobalArgs, store: &dyn Store) -> Result<ExitStatus> {
    let mut offset = 0;
    loop {
        let (users, total) = store.list_users(offset, PAGE)?;
        for user in &users {
            if global.json {
                output::print_json(&serde_json::to_value(user)?);
            } else {
                let state = if user.disabled { ", disabled" } else { "" };
                output::print_line(&format!("{}  {}{state}", user.name, word(user.role)));
            }
        }
        offset += PAGE;
        if offset >= total {
            return Ok(ExitStatus::Done);
        }
    }
}

fn add(global: &GlobalArgs, store: &dyn Store, args: &UserAddArgs) -> Result<()> {
    let (secret, made) = secret(args.password_stdin)?;
    let role = if args.admin { UserRole::Admin } else { UserRole::User };
    let user = NewUser {
        name: auth::check_name(&args.name).map_err(UsageError)?,
        email: args.email.clone(),
        role,
        password_hash: Some(hashed(&secret, &args.name)?),
        identity: None,
        max_running: args.max_running,
    };
    let Some(user) = store.add_user(&user, Timestamp::now())? else {
        return Err(UsageError(format!("user '{}' already exists", args.name)).into());
    };
    audit(store, "user-create", &user.name)?;
    if global.json {
        output::print_json(&serde_json::to_value(&user)?);
    } else {
        output::print_message(&format!("{} is {} of this catalogue.", user.name, word(role)));
    }
    tell_password(&user, made.then_some(secret.as_str()));
    Ok(())
}

/// Returns the password and whether it was generated. It is read from stdin or generated and
/// printed once.
fn secret(from_stdin: bool) -> Result<(String, bool)> {
    if !from_stdin {
        return Ok((auth::passwords::generate_password()?, true));
    }
    let input = std::io::stdin();
    if input.is_terminal() {
        output::print_message("Type the password and press Enter (it is shown; pipe it in to hide it):");
    }
    let mut line = String::new();
    input.lock().read_line(&mut line).context("cannot read the password")?;
    Ok((line.trim_end_matches(['\n', '\r']).to_owned(), false))
}

fn hashed(secret: &str, name: &str) -> Result<String> {
    auth::check_password(name, secret).map_err(|error| UsageError(error.to_string()))?;
    Ok(auth::hash_password(secret)?)
}

fn tell_password(user: &User, made: Option<&str>) {
    match made {
        Some(secret) => output::print_line(&format!("Password of {}: {secret}", user.name)),
        None => output::print_message(&format!("Password of {} set.", user.name)),
    }
}

fn named(store: &dyn Store, name: &str) -> Result<User> {
    let found = store.find_user_by_name(name)?.map(|(user, _)| user);
    found.ok_or_else(|| {
        UsageError(format!("unknown user '{name}'; run `geotrawl user list` to see all")).into()
    })
}

fn changed(store: &dyn Store, name: &str, change: &UserChange, action: &str) -> Result<User> {
    let user = named(store, name)?;
    let user = store.change_user(user.id, change)?.context("the user was removed in the meantime")?;
    audit(store, action, name)?;
    Ok(user)
}

fn keep_an_admin(store: &dyn Store, name: &str, loses: bool) -> Result<()> {
    let user = named(store, name)?;
    // Without an active admin, nobody could manage the application from the browser.
    if loses && user.role == UserRole::Admin && !user.disabled && store.count_admins()? <= 1 {
        return Err(UsageError(format!("{name} is the last admin; add another admin first")).into());
    }
    Ok(())
}

fn audit(store: &dyn Store, action: &str, subject: &str) -> Result<()> {
    let entry = NewAuditEntry {
        user: None,
        who: "operator".into(),
        action: action.into(),
        subject: subject.into(),
        address: None,
        detail: serde_json::Value::Null,
    };
    Ok(store.add_audit_entry(&entry, Timestamp::now())?)
}

fn word(role: UserRole) -> &'static str {
    match role {
        UserRole::User => "a user",
        UserRole::Admin => "an admin",
    }
}
