//! Every check ends, whatever the server returns, and its verdict can be reproduced.

use crate::check::documents;
use crate::check::server::{CannedReply, known_resource, run_check};
use geotrawl_kinds::kinds::KINDS;
use geotrawl_trust::check::{CheckOptions, MOST_REQUESTS, derive_verdict};
use proptest::prelude::*;

/// Bodies that start like valid ones, since pure noise is rejected at once.
fn bodies() -> Vec<Vec<u8>> {
    let mut all: Vec<Vec<u8>> = [
        documents::wms("1.3.0", &["a", "b", "c", "d"]),
        documents::wms("1.1.1", &["a"]),
        documents::wfs(),
        documents::wcs(),
        documents::wps(),
        documents::csw(),
        documents::sos(),
        documents::wmts(),
        documents::tms(),
        documents::exception("please say a version"),
        documents::page("A page", "<input type=password>"),
        documents::conformance("features"),
        documents::conformance("tiles"),
    ]
    .into_iter()
    .map(String::into_bytes)
    .collect();
    all.extend(
        [
            documents::LANDING,
            documents::COLLECTIONS,
            documents::FEATURES,
            documents::MAPSERVER,
            documents::FEATURESERVER,
            documents::IMAGESERVER,
            documents::STA_ROOT,
            documents::STA_STREAMS,
            documents::TILEJSON,
            documents::OPENSEARCH,
            documents::DDS,
            documents::THREDDS,
            documents::ERDDAP_TABLE,
            documents::CKAN_STATUS,
            documents::STAC,
            documents::STAC_COLLECTIONS,
            documents::IDENTIFY,
            "ERDDAP_version=2.0",
            "Error { code = 1; message = \"x\"; };",
        ]
        .map(|text| text.as_bytes().to_vec()),
    );
    // Collections without an end.
    let paged =
        documents::COLLECTIONS.replace(r#""links":[],"#, r#""links":[{"rel":"next","href":"?page=2&n="}],"#);
    all.extend([documents::png(true), documents::png(false), documents::mvt(), paged.into_bytes()]);
    all
}

fn reply() -> impl Strategy<Value = CannedReply> {
    let known = prop::sample::select(bodies());
    let body = prop_oneof![
        4 => known.clone(),
        1 => (known.clone(), any::<prop::sample::Index>()).prop_map(|(mut body, at)| {
            body.truncate(at.index(body.len().max(1)));
            body
        }),
        1 => (known, any::<prop::sample::Index>(), any::<u8>()).prop_map(|(mut body, at, byte)| {
            let at = at.index(body.len());
            body[at] = byte;
            body
        }),
        1 => prop::collection::vec(any::<u8>(), 0..300),
        1 => "\\PC{0,100}".prop_map(String::into_bytes),
    ];
    let status = prop_oneof![6 => Just(200_u16), 1 => Just(206), 1 => 100_u16..=599, 1 => any::<u16>()];
    let names = ["content-type", "retry-after", "www-authenticate", "cf-mitigated", "accept-ranges"];
    let header = (prop::sample::select(names.to_vec()), "[ -~]{0,30}");
    let redirects =
        prop::collection::vec((300_u16..309, "(https://[a-c]\\.org/[a-z]{0,5}|\\PC{0,10})"), 0..3);
    let classes = ["dns", "resolver", "connect", "tls", "timeout", "reset", "robots", "decode", "", "other"];
    let fails = prop::option::weighted(0.1, prop::sample::select(classes.to_vec()));
    (status, body, prop::option::of(header), redirects, fails, any::<(bool, bool)>(), any::<u32>()).prop_map(
        |(status, body, header, redirects, fails, (cut, streamed), millis)| {
            let mut reply = fails.map_or_else(|| CannedReply::status(status, body), CannedReply::failure);
            if let Some((name, value)) = header {
                reply = reply.with_header(name, &value);
            }
            reply.redirects = redirects;
            reply.cut = cut && streamed;
            reply.streamed = streamed;
            reply.millis = millis / 2;
            reply
        },
    )
}

fn address() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => Just("https://x.org/erddap/rest/services/a/MapServer".to_owned()),
        4 => Just("https://x.org/a/{z}/{x}/{y}.png".to_owned()),
        4 => Just("https://x.org/dodsC/v1.1/a.nc?map=x".to_owned()),
        1 => "https://[a-z]{1,5}\\.org/\\PC{0,20}",
        1 => "\\PC{0,20}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_check_ends_and_can_be_repeated(
        kind in prop::sample::select(KINDS.iter().map(|kind| kind.profile().id).collect::<Vec<_>>()),
        url in address(),
        replies in prop::collection::vec(reply(), 1..6),
        sample in 0_usize..9,
        seed in any::<u64>(),
        refusal in any::<bool>(),
    ) {
        let options = CheckOptions { sample, seed, refusal };
        let known = known_resource(kind, &url);
        let run = || {
            let mut at = 0;
            run_check(&known, &options, |_| {
                at += 1;
                replies[(at - 1) % replies.len()].clone()
            })
        };
        let (first, asked) = run();
        let (second, again) = run();
        prop_assert!(asked.len() <= MOST_REQUESTS && MOST_REQUESTS <= 12);
        // The same answers give the same check.
        prop_assert_eq!(&asked, &again);
        prop_assert_eq!(&first.check, &second.check);
        let repeated = derive_verdict(kind, &first.check.observations);
        prop_assert_eq!(repeated.status, first.check.verdict);
        prop_assert_eq!(repeated.cause, first.check.cause.as_str());
        prop_assert_eq!(&repeated.reason, &first.check.reason);
        // The same holds for a check that was stored.
        let stored = serde_json::to_string(&first.check).unwrap();
        let restored: geotrawl_model::Check = serde_json::from_str(&stored).unwrap();
        prop_assert_eq!(&restored, &first.check);
    }
}
