//! Synchronization of actors: channels of groups and users.

use std::collections::BTreeMap;

/// The synchronization state of an actor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Member {
    /// The channel; 0 is none.
    pub(super) channel: u8,
    /// The group or user that the actor waits for.
    pub(super) post: u8,
    /// Whether other actors do not wait for this one.
    pub(super) is_excluded: bool,
}

/// The bit of a post that is set while its actor waits.
pub(super) const WAITING: u8 = 0x80;

/// The mask of group and user numbers, which have seven bits.
const NUMBER_MASK: u8 = 0x7f;

/// The maximum number of steps when searching for the next user.
const MAX_STEPS: usize = 256;

/// The group or user that each channel released last.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Channels {
    released: BTreeMap<u8, u8>,
}

impl Channels {
    /// Returns the byte that a channel released last.
    pub(super) fn released(&self, channel: u8) -> u8 {
        self.released.get(&channel).copied().unwrap_or_default()
    }

    /// Releases the next group of each channel if all its members wait. Called once per update. It is an interpretation that the
    /// next higher group follows, and that no group is released while any member does not wait.
    pub(super) fn release_groups(&mut self, members: &[Member]) {
        for (channel, members) in by_channel(members) {
            let before = self.released(channel) & NUMBER_MASK;
            let mut waiting = members.iter().filter(|it| !it.is_excluded).peekable();
            let all_wait = waiting.peek().is_some() && waiting.all(|it| it.post & WAITING != 0);
            let holds = |group: &u8| members.iter().any(|it| it.post == group | WAITING);
            let next = (1..=128_u8).map(|step| before.wrapping_add(step) & NUMBER_MASK).find(holds);
            let released = next.filter(|_| all_wait).map_or(before, |group| group | WAITING);
            self.released.insert(channel, released);
        }
    }

    /// Releases the next user of each channel, if all its members are excluded from groups.
    pub(super) fn release_users(&mut self, members: &[Member]) {
        for (channel, members) in by_channel(members) {
            if members.iter().any(|it| !it.is_excluded) {
                continue;
            }
            let mut user = self.released(channel) & NUMBER_MASK;
            let mut found = 0;
            for _ in 0..MAX_STEPS {
                if members.iter().any(|it| it.post == user && it.post != 0) {
                    found = user;
                    break;
                }
                user = user.wrapping_add(1) & NUMBER_MASK;
            }
            self.released.insert(channel, found);
        }
    }
}

fn by_channel(members: &[Member]) -> BTreeMap<u8, Vec<Member>> {
    let mut out: BTreeMap<u8, Vec<Member>> = BTreeMap::new();
    for member in members.iter().filter(|it| it.channel != 0) {
        out.entry(member.channel).or_default().push(*member);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(post: u8, is_excluded: bool) -> Member {
        Member { channel: 1, post, is_excluded }
    }

    #[test]
    fn releases_a_group_when_all_members_wait() {
        let mut channels = Channels::default();
        channels.release_groups(&[member(2 | WAITING, false), member(0, false)]);
        assert_eq!(channels.released(1), 0);
        // An excluded member is ignored.
        channels.release_groups(&[member(2 | WAITING, false), member(0, true)]);
        assert_eq!(channels.released(1), 2 | WAITING);
        // Continues after the previous group, and wraps around.
        channels.release_groups(&[member(2 | WAITING, false), member(1 | WAITING, false)]);
        assert_eq!(channels.released(1), 1 | WAITING);
        channels.release_groups(&[member(2 | WAITING, false), member(1 | WAITING, false)]);
        assert_eq!(channels.released(1), 2 | WAITING);
        // After a member returns, all other members must wait again.
        channels.release_groups(&[member(2 | WAITING, false), member(0, false)]);
        assert_eq!(channels.released(1), 2);
    }

    #[test]
    fn releases_a_user_when_all_members_are_excluded() {
        let mut channels = Channels::default();
        channels.release_users(&[member(5, true), member(3, false)]);
        assert_eq!(channels.released(1), 0);
        channels.release_users(&[member(5, true), member(3, true)]);
        assert_eq!(channels.released(1), 3);
        channels.release_users(&[member(5, true), member(0, true)]);
        assert_eq!(channels.released(1), 5);
        channels.release_users(&[member(0, true)]);
        assert_eq!(channels.released(1), 0);
    }
}
