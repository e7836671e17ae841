//! Command line of `user`.

use clap::{Args, Subcommand, ValueEnum};

/// Commands of `user`.
#[derive(Debug, Subcommand)]
pub enum UserCommand {
    /// Add a user; without --password-stdin a password is generated and printed
    Add(UserAddArgs),
    /// List all users
    List,
    /// Set a new password
    Password {
        /// Name of the user
        name: String,
        /// Read the password from standard input
        #[arg(long)]
        password_stdin: bool,
    },
    /// Change the role of a user
    Role {
        /// Name of the user
        name: String,
        /// New role
        role: RoleArg,
    },
    /// Disable a user account
    Disable {
        /// Name of the user
        name: String,
    },
    /// Enable a disabled user account
    Enable {
        /// Name of the user
        name: String,
    },
    /// Remove a user; what their tasks found is kept
    Remove {
        /// Name of the user
        name: String,
    },
}

/// Arguments of `user add`.
#[derive(Debug, Args)]
pub struct UserAddArgs {
    /// Name to log in with
    pub name: String,
    /// Give the user the admin role
    #[arg(long)]
    pub admin: bool,
    /// E-mail address for notifications
    #[arg(long)]
    pub email: Option<String>,
    /// Maximum number of concurrent tasks
    #[arg(long, value_name = "N")]
    pub max_running: Option<u32>,
    /// Read the password from standard input
    #[arg(long)]
    pub password_stdin: bool,
}

/// Values of `user role`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RoleArg {
    /// Can run tasks and download results
    User,
    /// Can do everything
    Admin,
}

impl RoleArg {
    /// Returns the role as the model defines it.
    pub fn to_role(self) -> geotrawl_model::account::UserRole {
        match self {
            Self::User => geotrawl_model::account::UserRole::User,
            Self::Admin => geotrawl_model::account::UserRole::Admin,
        }
    }
}
