//! Hosts that never lead to geospatial data.

use super::filter::NameFilter;

/// Why a host is skipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HostClass {
    Social,
    Advertising,
    Assets,
    Shop,
    Namespace,
}

use HostClass::{Advertising, Assets, Namespace, Shop, Social};

/// Hosts, including all of their subdomains. Sorted.
pub(super) const HOSTS: &[(&str, HostClass)] = &[
    ("addthis.com", Social),
    ("addtoany.com", Social),
    ("adnxs.com", Advertising),
    ("adobedtm.com", Advertising),
    ("ajax.googleapis.com", Assets),
    ("amazon.co.uk", Shop),
    ("amazon.com", Shop),
    ("amazon.de", Shop),
    ("amazon.es", Shop),
    ("amazon.fr", Shop),
    ("amazon.it", Shop),
    ("amzn.to", Shop),
    ("apps.apple.com", Shop),
    ("bootstrapcdn.com", Assets),
    ("bsky.app", Social),
    ("cdn.jsdelivr.net", Assets),
    ("cdnjs.cloudflare.com", Assets),
    ("clustrmaps.com", Advertising),
    ("code.jquery.com", Assets),
    ("criteo.com", Advertising),
    ("delicious.com", Social),
    ("digg.com", Social),
    ("discord.com", Social),
    ("discord.gg", Social),
    ("disqus.com", Social),
    ("doubleclick.net", Advertising),
    ("ebay.com", Shop),
    ("ebay.de", Shop),
    ("facebook.com", Social),
    ("facebook.net", Social),
    ("fb.com", Social),
    ("fb.me", Social),
    ("fbcdn.net", Social),
    ("flattr.com", Social),
    ("flickr.com", Social),
    ("fontawesome.com", Assets),
    ("fonts.googleapis.com", Assets),
    ("fonts.gstatic.com", Assets),
    ("gmpg.org", Namespace),
    ("google-analytics.com", Advertising),
    ("googleadservices.com", Advertising),
    ("googlesyndication.com", Advertising),
    ("googletagmanager.com", Advertising),
    ("gravatar.com", Assets),
    ("hotjar.com", Advertising),
    ("instagram.com", Social),
    ("itunes.apple.com", Shop),
    ("line.me", Social),
    ("linkedin.com", Social),
    ("list-manage.com", Advertising),
    ("mailchi.mp", Advertising),
    ("mastodon.social", Social),
    ("maxcdn.com", Assets),
    ("myspace.com", Social),
    ("news.ycombinator.com", Social),
    ("ns.adobe.com", Namespace),
    ("ogp.me", Namespace),
    ("ok.ru", Social),
    ("outbrain.com", Advertising),
    ("paypal.com", Shop),
    ("pinterest.com", Social),
    ("play.google.com", Shop),
    ("plus.google.com", Social),
    ("polyfill.io", Assets),
    ("qq.com", Social),
    ("quantserve.com", Advertising),
    ("recaptcha.net", Assets),
    ("reddit.com", Social),
    ("schema.org", Namespace),
    ("schemas.microsoft.com", Namespace),
    ("schemas.opengis.net", Namespace),
    ("schemas.xmlsoap.org", Namespace),
    ("scorecardresearch.com", Advertising),
    ("sharethis.com", Social),
    ("skype.com", Social),
    ("snapchat.com", Social),
    ("soundcloud.com", Social),
    ("spotify.com", Social),
    ("statcounter.com", Advertising),
    ("stumbleupon.com", Social),
    ("t.co", Social),
    ("t.me", Social),
    ("taboola.com", Advertising),
    ("telegram.me", Social),
    ("telegram.org", Social),
    ("threads.net", Social),
    ("tiktok.com", Social),
    ("tumblr.com", Social),
    ("twitch.tv", Social),
    ("twitter.com", Social),
    ("typekit.net", Assets),
    ("unpkg.com", Assets),
    ("use.fontawesome.com", Assets),
    ("vimeo.com", Social),
    ("vk.com", Social),
    ("vkontakte.ru", Social),
    ("wa.me", Social),
    ("weibo.com", Social),
    ("weixin.qq.com", Social),
    ("whatsapp.com", Social),
    ("www.opengis.net", Namespace),
    ("x.com", Social),
    ("xing.com", Social),
    ("xmlns.com", Namespace),
    ("youku.com", Social),
    ("youtu.be", Social),
    ("youtube-nocookie.com", Social),
    ("youtube.com", Social),
    ("ytimg.com", Social),
    ("zoom.us", Social),
];

static FILTER: NameFilter = {
    let mut filter = NameFilter::empty();
    let mut at = 0;
    while at < HOSTS.len() {
        filter = filter.with_name(HOSTS[at].0);
        at += 1;
    }
    filter
};

/// Returns the class of a host or of one of its parent domains.
pub(super) fn host_class(host: &str) -> Option<HostClass> {
    let mut name = host;
    loop {
        if FILTER.may_contain(name.as_bytes())
            && let Ok(at) = HOSTS.binary_search_by(|(known, _)| (*known).cmp(name))
        {
            return HOSTS.get(at).map(|(_, class)| *class);
        }
        let dot = memchr::memchr(b'.', name.as_bytes())?;
        name = name.get(dot + 1..)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_unique() {
        let mut sorted: Vec<_> = HOSTS.iter().map(|(h, _)| *h).collect();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(HOSTS.iter().map(|(h, _)| *h).collect::<Vec<_>>(), sorted);
    }

    #[test]
    fn subdomains_count_and_lookalikes_do_not() {
        assert_eq!(host_class("de-de.facebook.com"), Some(Social));
        assert_eq!(host_class("notfacebook.com"), None);
        assert_eq!(host_class("fedex.com"), None);
    }
}
