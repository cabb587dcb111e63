//! What a caller may do: the roles, and sets of them.

use std::fmt;

/// A kind of thing that a caller may do. No role implies another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// See runs and workers.
    View,
    /// Begin, cancel and resume runs.
    Submit,
    /// Be a worker.
    Work,
    /// Pause, resume, quarantine and drain workers.
    Operate,
}

impl Role {
    /// Every role.
    pub const ALL: [Role; 4] = [Role::View, Role::Submit, Role::Work, Role::Operate];

    /// Its name in a token file and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Role::View => "view",
            Role::Submit => "submit",
            Role::Work => "work",
            Role::Operate => "operate",
        }
    }

    /// The role with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Role> {
        Role::ALL.into_iter().find(|role| role.name() == name)
    }

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A set of roles.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Roles(u8);

impl Roles {
    /// No role at all.
    pub const NONE: Roles = Roles(0);

    /// Every role.
    pub const ALL: Roles =
        Roles(Role::View.bit() | Role::Submit.bit() | Role::Work.bit() | Role::Operate.bit());

    /// Whether `role` is among them.
    #[must_use]
    pub const fn has(self, role: Role) -> bool {
        self.0 & role.bit() != 0
    }

    /// These and `role`.
    #[must_use]
    pub const fn with(self, role: Role) -> Roles {
        Roles(self.0 | role.bit())
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Each of them, in the order of [`Role::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Role> {
        Role::ALL.into_iter().filter(move |role| self.has(*role))
    }
}

impl FromIterator<Role> for Roles {
    fn from_iter<I: IntoIterator<Item = Role>>(roles: I) -> Roles {
        roles.into_iter().fold(Roles::NONE, Roles::with)
    }
}

/// As a token file has them: `view,work`.
impl fmt::Display for Roles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.iter().map(Role::name).collect();
        f.write_str(&names.join(","))
    }
}

impl fmt::Debug for Roles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_role_implies_another() {
        for role in Role::ALL {
            let alone = Roles::NONE.with(role);
            assert_eq!(alone.iter().collect::<Vec<_>>(), [role]);
            assert_eq!(Role::named(role.name()), Some(role));
        }
        assert_eq!(Role::ALL.into_iter().collect::<Roles>(), Roles::ALL);
        assert_eq!(Roles::ALL.to_string(), "view,submit,work,operate");
        assert_eq!(Role::named("View"), None);
    }
}
