use crate::site::{self, BrowserSite, requested_urls};
use geotrawl_crawl::fetch::GuardedClient;
use geotrawl_crawl::fetch::dns::{DnsAnswer, LookupFuture, NameResolver};
use geotrawl_crawl::render::{PageRenderer, RenderErrorKind, RequestHandling, StopReason};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::net::UdpSocket;
use url::Url;

/// Tries every way for a page to connect, towards a server that must not be contacted.
#[tokio::test]
async fn no_page_reaches_an_address_that_is_refused() {
    let canary = BrowserSite::start(&[]).await;
    let stun = UdpSocket::bind("127.0.0.1:0").await.unwrap();
    let (secret, udp) = (canary.address, stun.local_addr().unwrap());
    let port = secret.port();
    let page = format!(
        "<html><head>
        <link rel=stylesheet href=http://{secret}/style.css>
        <link rel=preconnect href=http://{secret}/>
        <link rel=dns-prefetch href=//localhost:{port}>
        <link rel=prefetch href=http://{secret}/prefetch>
        <script src=http://{secret}/script.js></script>
        </head><body>
        <img src=http://169.254.169.254/latest/meta-data/>
        <img src=http://[::ffff:127.0.0.1]:{port}/mapped.png>
        <iframe src=http://{secret}/frame></iframe>
        <iframe src=file:///etc/passwd></iframe>
        <object data=http://{secret}/object></object>
        <video src=http://{secret}/film.mp4 autoplay></video>
        <form id=f method=post action=http://{secret}/form target=other></form>
        <iframe name=other></iframe>
        <script>
          const tried = [];
          const attempt = (name, f) => {{ try {{ f(); tried.push(name); }} catch (e) {{ tried.push(name + '!'); }} }};
          attempt('fetch', () => fetch('http://{secret}/fetch', {{mode: 'no-cors'}}).catch(() => 0));
          attempt('decimal', () => fetch('http://2130706433:{port}/decimal', {{mode: 'no-cors'}}).catch(() => 0));
          attempt('localhost', () => fetch('http://localhost:{port}/localhost', {{mode: 'no-cors'}}).catch(() => 0));
          attempt('redirect', () => fetch('/redirect', {{mode: 'no-cors'}}).catch(() => 0));
          attempt('beacon', () => navigator.sendBeacon('http://{secret}/beacon', 'x'));
          attempt('xhr', () => {{ const x = new XMLHttpRequest(); x.open('PUT', '/put'); x.send('x'); }});
          attempt('socket', () => new WebSocket('ws://{secret}/socket'));
          attempt('events', () => new EventSource('http://{secret}/events'));
          attempt('form', () => document.getElementById('f').submit());
          attempt('window', () => window.open('http://{secret}/window'));
          attempt('download', () => {{ const a = document.createElement('a');
            a.href = '/file.zip'; a.download = 'file.zip'; document.body.append(a); a.click(); }});
          attempt('worker', () => new Worker('/worker.js'));
          attempt('service', () => navigator.serviceWorker.register('/worker.js'));
          attempt('rtc', () => {{ const p = new RTCPeerConnection({{iceServers: [{{urls: 'stun:{udp}'}}]}});
            p.createDataChannel('x'); p.createOffer().then(o => p.setLocalDescription(o)); }});
          attempt('frame-rtc', () => {{ const f = document.createElement('iframe'); document.body.append(f);
            const p = new f.contentWindow.RTCPeerConnection({{iceServers: [{{urls: 'stun:{udp}'}}]}});
            p.createDataChannel('x'); p.createOffer().then(o => p.setLocalDescription(o)); }});
          attempt('alert', () => {{ alert('stop'); confirm('stop'); prompt('stop'); }});
          attempt('print', () => print());
          onbeforeunload = () => 'stay';
          document.title = tried.join(' ');
          fetch('/done.json');
        </script></body></html>"
    );
    let worker = format!(
        "fetch('http://{secret}/from-worker', {{mode: 'no-cors'}}).catch(() => 0);
         try {{ new WebSocket('ws://{secret}/socket'); new WebSocket('ws://site.test/socket'); }} catch {{}}
         try {{ importScripts('http://{secret}/import.js'); }} catch {{}}
         fetch('/worker-done.json');"
    );
    let redirect = format!("to:http://{secret}/redirected");
    let site = BrowserSite::start(&[
        ("/", "text/html", &page),
        ("/worker.js", "text/javascript", &worker),
        ("/redirect", &redirect, ""),
        ("/file.zip", "application/zip", "PK"),
    ])
    .await;
    let Some(rendered) = site.render("/").await else { return };
    let seen = requested_urls(&rendered);
    for done in [
        "http://site.test/done.json",
        "http://site.test/worker-done.json",
        "http://169.254.169.254/latest/meta-data/",
    ] {
        assert!(seen.contains(&done), "{seen:?}");
    }
    assert!(
        rendered.title.contains("fetch decimal") && rendered.title.contains("alert print"),
        "{}",
        rendered.title
    );
    assert!(rendered.title.contains("rtc! frame-rtc!"), "{}", rendered.title);
    assert_eq!(canary.requests(), Vec::<String>::new(), "refused, and yet contacted");
    let asked = site.requests();
    assert!(
        !asked.iter().any(|path| path.contains("/put") || path.contains("socket") || path == "-"),
        "{asked:?}"
    );
    let mut packet = [0; 16];
    assert!(stun.try_recv(&mut packet).is_err(), "nothing is sent past the proxy");
    let refused = |path: &str| {
        let of = |seen: &&geotrawl_crawl::render::PageRequest| seen.url.ends_with(path);
        matches!(rendered.requests.iter().find(of).unwrap().handling, RequestHandling::Refused(_))
    };
    assert!(refused("/fetch") && refused("/put") && refused("/redirected") && refused("/from-worker"));
    assert!(!rendered.html.contains("root:"), "no file of this machine");
}

#[tokio::test]
async fn a_page_that_leads_on_to_a_private_address_stays_where_it_is() {
    let canary = BrowserSite::start(&[]).await;
    let page = format!(
        "<title>Here</title><meta http-equiv=refresh content='0;url=http://{}/'><script>\
         setTimeout(() => location = 'http://10.0.0.1/', 50); setTimeout(() => location = 'data:text/html,x', 80);\
         setTimeout(() => location = 'chrome://version', 90); setTimeout(() => location = 'file:///etc/passwd', 100);\
         setTimeout(() => fetch('/late.json'), 300)</script>",
        canary.address
    );
    let site = BrowserSite::start(&[("/", "text/html", &page)]).await;
    let Some(rendered) = site.render("/").await else { return };
    assert_eq!((rendered.title.as_str(), rendered.final_url.as_str()), ("Here", "http://site.test/"));
    assert!(
        requested_urls(&rendered).contains(&"http://site.test/late.json"),
        "{:?}",
        requested_urls(&rendered)
    );
    assert_eq!(canary.requests(), Vec::<String>::new());
}

/// Resolves names to a public address first and to a private one afterwards.
struct RebindingResolver(AtomicUsize);

impl NameResolver for RebindingResolver {
    fn lookup<'a>(&'a self, host: &'a str) -> LookupFuture<'a> {
        let count = self.0.fetch_add(1, Ordering::SeqCst);
        Box::pin(async move {
            let private = host.starts_with("inside") || count > 0;
            let ip = if private { [127, 0, 0, 1] } else { [192, 0, 2, 1] };
            Ok(DnsAnswer { addresses: vec![ip.into()], ttl: Duration::ZERO })
        })
    }
}

#[tokio::test]
async fn names_are_looked_up_here_and_their_addresses_checked() {
    let canary = BrowserSite::start(&[]).await;
    let port = canary.address.port();
    let page = format!(
        "<script>for (const n of [1, 2, 3]) fetch('http://inside.example:{port}/' + n, {{mode: 'no-cors'}})\
         .catch(() => fetch('/refused.json?' + n))</script>"
    );
    let site = BrowserSite::start(&[("/", "text/html", &page)]).await;
    let Some(config) = crate::site::quick_config() else { return };
    let client = GuardedClient::new(site.fetch_config()).unwrap();
    let renderer =
        PageRenderer::with_resolver(config, &client, Arc::new(RebindingResolver(AtomicUsize::new(1))))
            .unwrap();
    let rendered = renderer.render(&site::page_url("/")).await.unwrap();
    assert_eq!(canary.requests(), Vec::<String>::new(), "{:?}", rendered.requests);
    let inside: Vec<_> =
        rendered.requests.iter().filter(|seen| seen.url.contains("inside.example")).collect();
    assert_eq!(inside.len(), 3);
    let url = Url::parse(&format!("http://inside.example:{port}/")).unwrap();
    let failure = renderer.render(&url).await.unwrap_err();
    assert_eq!(failure.kind, RenderErrorKind::Refused);
    assert!(failure.message.contains("not on the public internet"), "{failure}");
}

#[tokio::test]
async fn cookies_and_storage_are_gone_with_the_page() {
    let page = "<script>fetch('/seen.json?' + document.cookie + localStorage.getItem('k'));\
         document.cookie = 'k=v; max-age=9999'; localStorage.setItem('k', 'v')</script>";
    let site = BrowserSite::start(&[("/", "text/html", page)]).await;
    let Some(renderer) = site.build_renderer(|_| {}) else { return };
    for _ in 0..2 {
        let rendered = renderer.render(&site::page_url("/")).await.unwrap();
        assert!(
            requested_urls(&rendered).contains(&"http://site.test/seen.json?null"),
            "{:?}",
            requested_urls(&rendered)
        );
    }
}

#[tokio::test]
async fn a_page_that_asks_without_end_is_ended() {
    let site = BrowserSite::start(&[
        ("/", "text/html", "<script>let n = 0; const go = () => { for (let i = 0; i < 20; i++) new Image().src = '/i/' + n++ + '.png'; setTimeout(go, 1) }; go()</script>"),
        ("/host", "text/html", "<script>for (let i = 0; i < 40; i++) fetch('/d/' + i)</script>"),
        ("/heavy", "text/html", "<script>(async () => { for (let i = 0; i < 400; i++) await fetch('/big.json?' + i).then(r => r.text()) })()</script>"),
        ("/big.json", "application/json", &"1".repeat(50_000)),
    ])
    .await;
    let Some(renderer) = site.build_renderer(|config| {
        config.requests = 100;
        config.requests_per_host = 30;
        config.bytes = 500_000;
    }) else {
        return;
    };
    let rendered = renderer.render(&site::page_url("/")).await.unwrap();
    assert_eq!((rendered.stopped, rendered.requests.len()), (StopReason::Requests, 100));
    let rendered = renderer.render(&site::page_url("/host")).await.unwrap();
    let data = rendered.requests.iter().filter(|seen| seen.url.contains("/d/"));
    assert_eq!((rendered.stopped, data.count()), (StopReason::Quiet, 40));
    assert_eq!(site.requests().iter().filter(|path| path.contains("/d/")).count(), 29);
    let rendered = renderer.render(&site::page_url("/heavy")).await.unwrap();
    assert_eq!(rendered.stopped, StopReason::Bytes);
    assert!((500_000..700_000).contains(&rendered.bytes), "{}", rendered.bytes);
}

#[tokio::test]
async fn robots_txt_is_obeyed_where_the_page_leads_on() {
    let site = BrowserSite::start(&[
        ("/robots.txt", "text/plain", "User-agent: *\nDisallow: /private/\n"),
        ("/", "text/html", "<iframe src=/private/frame></iframe><iframe src=/public></iframe><script>setTimeout(() => location = '/private/page', 300)</script>"),
        ("/public", "text/html", "x"),
    ])
    .await;
    let Some(rendered) = site.render("/").await else { return };
    assert!(!site.requests().iter().any(|path| path.contains("private")), "{:?}", site.requests());
    let handling =
        |path: &str| rendered.requests.iter().find(|seen| seen.url.ends_with(path)).unwrap().handling;
    assert_eq!(handling("/private/frame"), RequestHandling::Refused("robots.txt forbids it"));
    assert_eq!(handling("/private/page"), RequestHandling::Refused("robots.txt forbids it"));
    assert_eq!(handling("/public"), RequestHandling::Passed);
}

#[tokio::test]
async fn a_page_that_is_redirected_to_a_private_address_is_refused() {
    let canary = BrowserSite::start(&[]).await;
    let to = format!("to:http://{}/inside", canary.address);
    let site = BrowserSite::start(&[
        ("/", &to, ""),
        ("/on", "to:http://other.test/there", ""),
        ("/there", "text/html", "<p>x"),
    ])
    .await;
    let Some(renderer) = site.build_renderer(|_| {}) else { return };
    let failure = renderer.render(&site::page_url("/")).await.unwrap_err();
    assert_eq!(failure.kind, RenderErrorKind::Refused, "{failure}");
    assert_eq!(canary.requests(), Vec::<String>::new());
    let rendered = renderer.render(&site::page_url("/on")).await.unwrap();
    assert_eq!((rendered.final_url.as_str(), rendered.status), ("http://other.test/there", Some(200)));
}
