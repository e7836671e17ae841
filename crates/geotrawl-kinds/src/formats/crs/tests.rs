//! Compares computed positions with control points.
//!
//! All reference values are from PROJ 9.5.1 with EPSG 11.022 (pyproj 3.7.2), without grids; boxes
//! by `transform_bounds` with 21 points a side.

use super::*;

#[test]
fn systems_are_named_in_many_ways() {
    for text in [
        "EPSG:25832",
        "epsg:25832",
        "urn:ogc:def:crs:EPSG::25832",
        "urn:ogc:def:crs:EPSG:6.9:25832",
        "urn:x-ogc:def:crs:EPSG:25832",
        "http://www.opengis.net/def/crs/EPSG/0/25832",
        "https://www.opengis.net/def/crs/EPSG/9.9.1/25832/",
        "http://www.opengis.net/gml/srs/epsg.xml#25832",
    ] {
        assert_eq!(CrsRef::from_text(text), Some(CrsRef::Epsg(25832)), "{text}");
    }
    for text in [
        "CRS:84",
        "OGC:CRS84",
        "urn:ogc:def:crs:OGC:1.3:CRS84",
        "http://www.opengis.net/def/crs/OGC/1.3/CRS84",
    ] {
        assert_eq!(CrsRef::from_text(text), Some(CrsRef::Crs84), "{text}");
    }
    assert_eq!(CrsRef::from_text("EPSG:900913"), Some(CrsRef::Epsg(3857)));
    for text in ["", "EPSG:", "EPSG:abc", "AUTO:42001", "none", "urn:", "CRS:83"] {
        assert_eq!(CrsRef::from_text(text), None, "{text}");
    }
}

/// EPSG code, x, y, longitude, latitude: one point inside the area of use of each.
const POINTS: &[(u32, f64, f64, f64, f64)] = &[
    (2056, 2_694_233.666, 1_207_738.262, 8.678, 47.014),
    (2154, 645_993.262, 6_699_762.298, 2.284, 47.396),
    (2180, 576_603.002, 588_692.427, 20.146, 53.158),
    (2193, 1_662_517.586, 5_639_469.918, 173.726, -39.392),
    (2263, 1_320_057.257, 294_278.571, -72.784, 40.968),
    (3005, 1_122_608.665, 1_147_063.413, -124.064, 55.306),
    (3031, 1_158_724.295, 1_594_847.170, 36.0, -72.0),
    (3035, 4_467_110.808, 4_178_019.345, 12.666, 60.678),
    (3067, 480_908.899, 7_274_274.321, 26.586, 65.59),
    (3301, 561_363.718, 6_541_495.297, 25.068, 59.008),
    (3413, 1_288_447.785, -204_070.081, 36.0, 78.0),
    (3857, 4_007_501.669, 1_922_221.956, 36.0, 17.012),
    (5070, 506_416.688, 1_834_671.128, -90.062, 39.392),
    (5514, -465_201.532, -1_114_028.962, 18.372, 49.728),
    (21781, 694_233.666, 207_738.262, 8.678, 47.014),
    (23700, 735_715.608, 233_959.061, 20.184, 47.444),
    (25832, 528_557.363, 7_210_597.542, 9.606, 65.018),
    (26918, 531_722.299, 6_842_243.601, -74.4, 61.712),
    (27700, 375_600.941, 734_952.521, -2.398, 56.506),
    (28355, 560_702.095, 7_135_914.713, 147.606, -25.894),
    (28992, 170_257.733, 503_615.986, 5.612, 52.52),
    (31370, 183_287.271, 155_154.218, 4.84, 50.706),
    (31467, 3_521_105.889, 5_758_720.037, 9.306, 51.962),
    (31982, 564_350.375, 8_070_781.832, -50.394, -17.448),
    (4267, -105.583_424_3, 52.761_936_1, -105.584, 52.762),
    (4277, -2.396_448, 56.506_112_7, -2.398, 56.506),
    (4314, 10.649_307_3, 51.963_361_6, 10.648, 51.962),
];

/// Returns the distance of two positions in metres, precise enough for short distances.
fn metres(a: (f64, f64), b: (f64, f64)) -> f64 {
    let x = wrap(a.0 - b.0) * a.1.to_radians().cos() * 111_320.0;
    x.hypot((a.1 - b.1) * 111_130.0)
}

#[test]
fn control_points_are_met() {
    for (code, x, y, longitude, latitude) in POINTS {
        let place =
            to_wgs84(&CrsRef::Epsg(*code), [*x, *y, *x, *y]).unwrap_or_else(|e| panic!("{code}: {e:?}"));
        let off = metres((*longitude, *latitude), (place.west, place.south));
        // PROJ shifts NAD27 by grid, we use the mean shift; S-JTSK has several shifts.
        let allowed = match code {
            4267 => 30.0,
            5514 => 5.0,
            _ => 0.5,
        };
        assert!(off < allowed, "EPSG:{code}: {off} m off, {place:?}");
    }
}

#[test]
fn boxes_follow_their_curves() {
    for (code, bbox, expected) in [
        (25832, [280_000.0, 5_200_000.0, 920_000.0, 6_100_000.0], [5.5603, 46.8209, 15.5494, 55.0466]),
        (3035, [2_500_000.0, 1_400_000.0, 7_400_000.0, 5_500_000.0], [-35.1168, 29.7583, 72.9061, 72.6614]),
        (2154, [100_000.0, 6_000_000.0, 1_250_000.0, 7_150_000.0], [-5.5715, 40.8604, 10.8621, 51.4436]),
        (5070, [-2_400_000.0, 200_000.0, 2_300_000.0, 3_200_000.0], [-128.5587, 22.1553, -64.7001, 51.8563]),
        (3347, [3_600_000.0, 650_000.0, 9_000_000.0, 4_000_000.0], [-148.8141, 36.2729, -32.6395, 72.5847]),
        // Around a pole.
        (3413, [-4_000_000.0, -5_000_000.0, 4_000_000.0, 5_500_000.0], [-180.0, 32.4166, 180.0, 90.0]),
        (3031, [-3_000_000.0, -3_000_000.0, 3_000_000.0, 3_000_000.0], [-180.0, -90.0, 180.0, -52.3171]),
        // Across the antimeridian.
        (
            3832,
            [-5_000_000.0, -3_000_000.0, 5_000_000.0, 3_000_000.0],
            [105.0842, -26.1594, -165.0842, 26.1594],
        ),
        (3338, [-2_200_000.0, 400_000.0, 1_500_000.0, 2_400_000.0], [156.782, 48.9198, -116.9529, 71.6041]),
        (
            2193,
            [1_000_000.0, 4_700_000.0, 2_200_000.0, 6_200_000.0],
            [165.0196, -47.8533, -179.0196, -34.1683],
        ),
        (32760, [200_000.0, 7_000_000.0, 800_000.0, 8_500_000.0], [173.9747, -27.1225, -179.9747, -13.5531]),
        // The whole world.
        (
            3857,
            [-20_037_508.34, -20_037_508.34, 20_037_508.34, 20_037_508.34],
            [-180.0, -85.0511, 180.0, 85.0511],
        ),
    ] {
        let found = <[f64; 4]>::from(to_wgs84(&CrsRef::Epsg(code), bbox).unwrap());
        let close = found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 0.03);
        assert!(close, "EPSG:{code}: {found:?} instead of {expected:?}");
    }
}

#[test]
fn degrees_stay_degrees() {
    let place = |bbox| to_wgs84(&CrsRef::Crs84, bbox);
    assert_eq!(place([5.5, 45.25, 10.0, 48.0]), Ok([5.5, 45.25, 10.0, 48.0].into()));
    assert_eq!(place([-180.0, -90.0, 180.0, 90.0]), Ok([-180.0, -90.0, 180.0, 90.0].into()));
    assert_eq!(place([0.0, -90.0, 360.0, 90.0]), Ok([-180.0, -90.0, 180.0, 90.0].into()));
    assert_eq!(place([170.0, -10.0, 190.0, 10.0]), Ok([170.0, -10.0, -170.0, 10.0].into()));
    assert_eq!(place([180.0, -10.0, 190.0, 10.0]), Ok([-180.0, -10.0, -170.0, 10.0].into()));
    assert_eq!(place([400_000.0, 5e6, 5e5, 6e6]).unwrap_err().code, "crs-uncertain");
    assert_eq!(place([1.0, 2.0, 0.0, 3.0]).unwrap_err().code, "bbox-broken");
    assert_eq!(place([f64::NAN, 2.0, 0.0, 3.0]).unwrap_err().code, "bbox-broken");
}

#[test]
fn what_cannot_be_placed_is_said() {
    let code = |crs: CrsRef, bbox| to_wgs84(&crs, bbox).unwrap_err().code;
    let metres = [400_000.0, 5_000_000.0, 500_000.0, 5_100_000.0];
    assert_eq!(code(CrsRef::Epsg(999_999), metres), "crs-unknown");
    assert_eq!(code(CrsRef::Epsg(5513), metres), "crs-uncertain");
    assert_eq!(code(CrsRef::Epsg(4807), [1.0, 50.0, 2.0, 51.0]), "crs-uncertain");
    // Coordinates of another system: the national grid does not reach beyond the pole.
    assert_eq!(code(CrsRef::Epsg(27700), [478_315.0, 4_762_880.0, 481_645.0, 4_765_610.0]), "crs-uncertain");
    assert_eq!(code(CrsRef::Epsg(25832), [1e30, 1e30, 2e30, 2e30]), "crs-uncertain");
}

/// A geographic system as ESRI writes it.
fn esri(name: &str, datum: &str, ellipsoid: &str) -> String {
    format!(
        r#"GEOGCS["{name}",DATUM["{datum}",SPHEROID[{ellipsoid}]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]"#
    )
}

/// A projected system as ESRI writes it.
fn projected(base: &str, method: &str, parameters: &[(&str, f64)], unit: &str) -> String {
    let parameters: Vec<String> =
        parameters.iter().map(|(n, v)| format!(r#"PARAMETER["{n}",{v:?}],"#)).collect();
    let parameters = parameters.concat();
    format!(r#"PROJCS["test",{base},PROJECTION["{method}"],{parameters}UNIT[{unit}]]"#)
}

#[test]
fn esri_definitions_reach_the_same_places() {
    let nad83 = esri("GCS_NAD83", "D_North_American_1983", r#""GRS_1980",6378137.0,298.257222101"#);
    let wgs84 = esri("GCS_WGS_1984", "D_WGS_1984", r#""WGS_1984",6378137.0,298.257223563"#);
    let etrs89 = esri("GCS_ETRS_1989", "D_ETRS_1989", r#""GRS_1980",6378137.0,298.257222101"#);
    let bessel = |datum| esri("GCS", datum, r#""Bessel_1841",6377397.155,299.1528128"#);
    let airy = esri("GCS_OSGB_1936", "D_OSGB_1936", r#""Airy_1830",6377563.396,299.3249646"#);
    let metre = r#""Meter",1.0"#;
    let xy = |e: f64, n: f64| [("False_Easting", e), ("False_Northing", n)];
    let lonlat = |lon: f64, lat: f64| [("Central_Meridian", lon), ("Latitude_Of_Origin", lat)];
    let join = |parts: &[&[(&'static str, f64)]]| parts.concat();
    for (code, text) in [
        (
            25832,
            projected(
                &etrs89,
                "Transverse_Mercator",
                &join(&[&xy(5e5, 0.0), &lonlat(9.0, 0.0), &[("Scale_Factor", 0.9996)]]),
                metre,
            ),
        ),
        (
            27700,
            projected(
                &airy,
                "Transverse_Mercator",
                &join(&[&xy(4e5, -1e5), &lonlat(-2.0, 49.0), &[("Scale_Factor", 0.999_601_271_7)]]),
                metre,
            ),
        ),
        (
            31467,
            projected(
                &bessel("D_Deutsches_Hauptdreiecksnetz"),
                "Gauss_Kruger",
                &join(&[&xy(3.5e6, 0.0), &lonlat(9.0, 0.0), &[("Scale_Factor", 1.0)]]),
                metre,
            ),
        ),
        (
            28992,
            projected(
                &bessel("D_Amersfoort"),
                "Double_Stereographic",
                &join(&[
                    &xy(155_000.0, 463_000.0),
                    &lonlat(5.387_638_888_888_89, 52.156_160_555_555_55),
                    &[("Scale_Factor", 0.999_907_9)],
                ]),
                metre,
            ),
        ),
        (
            2056,
            projected(
                &bessel("D_CH1903+"),
                "Hotine_Oblique_Mercator_Azimuth_Center",
                &join(&[
                    &xy(2.6e6, 1.2e6),
                    &[
                        ("Scale_Factor", 1.0),
                        ("Azimuth", 90.0),
                        ("Longitude_Of_Center", 7.439_583_333_333_333),
                        ("Latitude_Of_Center", 46.952_405_555_555_55),
                    ],
                ]),
                metre,
            ),
        ),
        (
            2263,
            projected(
                &nad83,
                "Lambert_Conformal_Conic",
                &join(&[
                    &xy(984_250.0, 0.0),
                    &lonlat(-74.0, 40.166_666_666_666_7),
                    &[
                        ("Standard_Parallel_1", 41.033_333_333_333_3),
                        ("Standard_Parallel_2", 40.666_666_666_666_7),
                    ],
                ]),
                r#""Foot_US",0.304800609601219"#,
            ),
        ),
        (
            5070,
            projected(
                &nad83,
                "Albers",
                &join(&[
                    &xy(0.0, 0.0),
                    &lonlat(-96.0, 23.0),
                    &[("Standard_Parallel_1", 29.5), ("Standard_Parallel_2", 45.5)],
                ]),
                metre,
            ),
        ),
        (
            3035,
            projected(
                &etrs89,
                "Lambert_Azimuthal_Equal_Area",
                &join(&[&xy(4_321_000.0, 3_210_000.0), &lonlat(10.0, 52.0)]),
                metre,
            ),
        ),
        (
            3413,
            projected(
                &wgs84,
                "Stereographic_North_Pole",
                &join(&[&xy(0.0, 0.0), &[("Central_Meridian", -45.0), ("Standard_Parallel_1", 70.0)]]),
                metre,
            ),
        ),
        (
            3031,
            projected(
                &wgs84,
                "Stereographic_South_Pole",
                &join(&[&xy(0.0, 0.0), &[("Central_Meridian", 0.0), ("Standard_Parallel_1", -71.0)]]),
                metre,
            ),
        ),
        (
            3857,
            projected(
                &wgs84,
                "Mercator_Auxiliary_Sphere",
                &join(&[
                    &xy(0.0, 0.0),
                    &[
                        ("Central_Meridian", 0.0),
                        ("Standard_Parallel_1", 0.0),
                        ("Auxiliary_Sphere_Type", 0.0),
                    ],
                ]),
                metre,
            ),
        ),
        (
            5514,
            projected(
                &bessel("D_S_JTSK"),
                "Krovak",
                &join(&[
                    &xy(0.0, 0.0),
                    &[
                        ("Pseudo_Standard_Parallel_1", 78.5),
                        ("Scale_Factor", 0.9999),
                        ("Azimuth", 30.288_139_752_777_8),
                        ("Longitude_Of_Center", 24.833_333_333_333_3),
                        ("Latitude_Of_Center", 49.5),
                        ("X_Scale", -1.0),
                        ("Y_Scale", 1.0),
                        ("XY_Plane_Rotation", 90.0),
                    ],
                ]),
                metre,
            ),
        ),
    ] {
        let (_, x, y, longitude, latitude) = *POINTS.iter().find(|p| p.0 == code).unwrap();
        let crs = CrsRef::from_wkt(&text).unwrap_or_else(|| panic!("{code}: {text}"));
        assert!(matches!(crs, CrsRef::Wkt(_)));
        let place = to_wgs84(&crs, [x, y, x, y]).unwrap_or_else(|e| panic!("{code}: {e:?} {crs:?}"));
        let off = metres((longitude, latitude), (place.west, place.south));
        assert!(off < 6.0, "as EPSG:{code}: {off} m off, {place:?}, {crs:?}");
    }
}

#[test]
fn codes_in_the_text_go_first() {
    let one = r#"PROJCS["ETRS89 / UTM zone 32N",GEOGCS["ETRS89",DATUM["x",SPHEROID["GRS 1980",6378137,298.257222101]],AUTHORITY["EPSG","4258"]],PROJECTION["Unheard_Of"],AUTHORITY["EPSG","25832"]]"#;
    assert_eq!(CrsRef::from_wkt(one), Some(CrsRef::Epsg(25832)));
    let two = r#"PROJCRS["WGS 84 / UTM zone 33N",BASEGEOGCRS["WGS 84",DATUM["World Geodetic System 1984",ELLIPSOID["WGS 84",6378137,298.257223563,LENGTHUNIT["metre",1]]],PRIMEM["Greenwich",0,ANGLEUNIT["degree",0.0174532925199433]]],CONVERSION["UTM zone 33N",METHOD["Transverse Mercator",ID["EPSG",9807]],PARAMETER["Latitude of natural origin",0,ANGLEUNIT["degree",0.0174532925199433]],PARAMETER["Longitude of natural origin",15,ANGLEUNIT["degree",0.0174532925199433]],PARAMETER["Scale factor at natural origin",0.9996,SCALEUNIT["unity",1]],PARAMETER["False easting",500000,LENGTHUNIT["metre",1]],PARAMETER["False northing",0,LENGTHUNIT["metre",1]]],CS[Cartesian,2],AXIS["(E)",east],AXIS["(N)",north],LENGTHUNIT["metre",1],ID["EPSG",32633]]"#;
    assert_eq!(CrsRef::from_wkt(two), Some(CrsRef::Epsg(32633)));
    // Without its code the same text is computed from its parameters.
    let without = two.replace(r#",ID["EPSG",32633]"#, "");
    let crs = CrsRef::from_wkt(&without).unwrap();
    assert_eq!(crs.label().as_deref(), Some("EPSG:32633"));
    let bbox = [500_000.0, 0.0, 500_000.0, 0.0];
    let (a, b) = (to_wgs84(&crs, bbox).unwrap(), to_wgs84(&CrsRef::Epsg(32633), bbox).unwrap());
    assert!((a.west - 15.0).abs() < 1e-9 && (a.west - b.west).abs() < 1e-9 && a.south.abs() < 1e-9);
}

#[test]
fn order_follows_the_authority() {
    assert!(CrsRef::Epsg(4326).north_first() && !CrsRef::Crs84.north_first());
    assert!(CrsRef::Epsg(4326).is_geographic() && !CrsRef::Epsg(3857).is_geographic());
}
