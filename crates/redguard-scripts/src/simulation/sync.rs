//! Actors that wait for each other: channels of groups and users.

use std::collections::BTreeMap;

/// An actor as far as others wait for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Member {
    /// Its channel; 0 is none.
    pub(super) channel: u8,
    /// What it waits for.
    pub(super) post: u8,
    /// Whether nobody waits for it.
    pub(super) is_excluded: bool,
}

/// What a post has while its actor waits.
pub(super) const MARK: u8 = 0x80;

/// Groups and users have seven bits.
const MOST: u8 = 0x7f;

/// So far is looked for a user.
const TRIES: usize = 256;

/// What each channel let go last.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Channels {
    released: BTreeMap<u8, u8>,
}

impl Channels {
    /// The byte that a channel let go last.
    pub(super) fn released(&self, channel: u8) -> u8 {
        self.released.get(&channel).copied().unwrap_or_default()
    }

    /// Lets the next group of each channel go, if all its members wait. Once in a loop. That the group behind the one before comes next, and that
    /// none does as long as somebody does not wait, is our reading.
    pub(super) fn release_groups(&mut self, members: &[Member]) {
        for (channel, members) in by_channel(members) {
            let before = self.released(channel) & MOST;
            let mut waiting = members.iter().filter(|it| !it.is_excluded).peekable();
            let all_wait = waiting.peek().is_some() && waiting.all(|it| it.post & MARK != 0);
            let holds = |group: &u8| members.iter().any(|it| it.post == group | MARK);
            let next = (1..=128_u8).map(|step| before.wrapping_add(step) & MOST).find(holds);
            let released = next.filter(|_| all_wait).map_or(before, |group| group | MARK);
            self.released.insert(channel, released);
        }
    }

    /// Lets the next user of each channel go, once all its members are excluded from groups.
    pub(super) fn release_users(&mut self, members: &[Member]) {
        for (channel, members) in by_channel(members) {
            if members.iter().any(|it| !it.is_excluded) {
                continue;
            }
            let mut user = self.released(channel) & MOST;
            let mut found = 0;
            for _ in 0..TRIES {
                if members.iter().any(|it| it.post == user && it.post != 0) {
                    found = user;
                    break;
                }
                user = user.wrapping_add(1) & MOST;
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
    fn a_group_goes_when_all_members_wait() {
        let mut channels = Channels::default();
        channels.release_groups(&[member(2 | MARK, false), member(0, false)]);
        assert_eq!(channels.released(1), 0);
        // An excluded member does not count.
        channels.release_groups(&[member(2 | MARK, false), member(0, true)]);
        assert_eq!(channels.released(1), 2 | MARK);
        // From the group before on, around the end.
        channels.release_groups(&[member(2 | MARK, false), member(1 | MARK, false)]);
        assert_eq!(channels.released(1), 1 | MARK);
        channels.release_groups(&[member(2 | MARK, false), member(1 | MARK, false)]);
        assert_eq!(channels.released(1), 2 | MARK);
        // Who comes again waits for all others again.
        channels.release_groups(&[member(2 | MARK, false), member(0, false)]);
        assert_eq!(channels.released(1), 2);
    }

    #[test]
    fn a_user_goes_when_all_members_have_the_attribute() {
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
