//! Pictures for tests.

/// Encodes a PNG of `side` by `side` pixels.
pub fn png(side: u8, colour: impl Fn(u8, u8) -> [u8; 4]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, side.into(), side.into());
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header().expect("a header");
    let places = (0..side).flat_map(|y| (0..side).map(move |x| (x, y)));
    let pixels: Vec<u8> = places.flat_map(|(x, y)| colour(x, y)).collect();
    writer.write_image_data(&pixels).expect("pixels");
    writer.finish().expect("an end");
    bytes
}

/// Encodes a GIF of 8 by 8 pixels with this many colours.
pub fn gif(colours: u8) -> Vec<u8> {
    let mut bytes = Vec::new();
    let pixels: Vec<u8> = (0..64).map(|n| n % colours).collect();
    let mut encoder = gif::Encoder::new(&mut bytes, 8, 8, &[0, 0, 0, 200, 0, 0]).expect("a header");
    let frame = gif::Frame { width: 8, height: 8, buffer: pixels.into(), ..gif::Frame::default() };
    encoder.write_frame(&frame).expect("a frame");
    drop(encoder);
    bytes
}

fn grey(shade: impl Fn(u8) -> u8) -> Vec<u8> {
    (0..16_u8).flat_map(|_| (0..16_u8).map(&shade)).flat_map(|grey| [grey; 3]).collect()
}

/// JPEGs with a single colour, and with stripes.
pub const JPEG: &[u8] = include_bytes!("../../../tests/check/one-colour.jpg");
pub const STRIPES: &[u8] = include_bytes!("../../../tests/check/stripes.jpg");

/// Encodes a grey WebP of 16 by 16 pixels.
pub fn webp(shade: impl Fn(u8) -> u8) -> Vec<u8> {
    let mut bytes = Vec::new();
    let encoder = image_webp::WebPEncoder::new(&mut bytes);
    encoder.encode(&grey(shade), 16, 16, image_webp::ColorType::Rgb8).expect("a picture");
    bytes
}
