//! Pictures: whether they can be decoded completely, and whether they show anything.

use std::io::Cursor;

/// Larger pictures are not what was requested (64 by 64 pixels, or a tile), and are not decoded.
const MAX_SIDE: u32 = 4096;
/// Maximum memory of a decoder.
const MEMORY: usize = 96 << 20;
/// Colour deviation caused by lossy compression.
const LOSSY: u8 = 3;

/// A decoded picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecodedPicture {
    /// `PNG`, `JPEG`, `GIF` or `WebP`.
    pub format: &'static str,
    pub width: u32,
    pub height: u32,
    /// Whether it has a single colour or is fully transparent.
    pub blank: bool,
    /// The single colour, one number per channel.
    pub colour: Option<Vec<u8>>,
}

impl DecodedPicture {
    fn of(
        format: &'static str,
        (width, height): (u32, u32),
        (pixels, channels, alpha): PixelData<'_>,
    ) -> Self {
        let tolerance = if matches!(format, "JPEG" | "WebP") { LOSSY } else { 0 };
        let blank = one_colour(pixels, channels, alpha, tolerance);
        let first = pixels.get(..channels).filter(|pixel| blank && !(alpha && pixel.last() == Some(&0)));
        Self { format, width, height, blank, colour: first.map(<[u8]>::to_vec) }
    }

    /// Returns whether both have a single colour, but different ones.
    pub fn differs_in_colour(&self, other: &Self) -> bool {
        match (&self.colour, &other.colour) {
            (Some(one), Some(two)) if one.len() == two.len() => {
                one.iter().zip(two).any(|(a, b)| a.abs_diff(*b) > 2 * LOSSY)
            }
            _ => false,
        }
    }
}

/// Pixels, number of channels, and whether the last channel is opacity.
type PixelData<'p> = (&'p [u8], usize, bool);

/// Detects the picture format from the first bytes.
pub fn picture_format(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => Some("PNG"),
        [0xFF, 0xD8, 0xFF, ..] => Some("JPEG"),
        [b'G', b'I', b'F', b'8', ..] => Some("GIF"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("WebP"),
        _ => None,
    }
}

/// Decodes a picture; `None` if the format is unknown, an error if it is broken.
pub fn decode_picture(bytes: &[u8]) -> Option<Result<DecodedPicture, String>> {
    let format = picture_format(bytes)?;
    Some(match format {
        "PNG" => png(bytes),
        "JPEG" => jpeg(bytes),
        "GIF" => gif(bytes),
        _ => webp(bytes),
    })
}

fn too_large(width: u32, height: u32) -> Option<String> {
    (width > MAX_SIDE || height > MAX_SIDE)
        .then(|| format!("it is {width} by {height} pixels, far more than requested"))
}

fn png(bytes: &[u8]) -> Result<DecodedPicture, String> {
    let mut decoder = png::Decoder::new_with_limits(Cursor::new(bytes), png::Limits { bytes: MEMORY });
    decoder.set_transformations(png::Transformations::EXPAND | png::Transformations::STRIP_16);
    let mut reader = decoder.read_info().map_err(|error| error.to_string())?;
    let (width, height) = reader.info().size();
    if let Some(why) = too_large(width, height) {
        return Err(why);
    }
    let size = reader.output_buffer_size().ok_or("its size is not plausible")?;
    let mut pixels = vec![0; size];
    let frame = reader.next_frame(&mut pixels).map_err(|error| error.to_string())?;
    let (channels, alpha) = match frame.color_type {
        png::ColorType::Grayscale | png::ColorType::Indexed => (1, false),
        png::ColorType::GrayscaleAlpha => (2, true),
        png::ColorType::Rgb => (3, false),
        png::ColorType::Rgba => (4, true),
    };
    let used = pixels.get(..frame.buffer_size()).unwrap_or(&pixels);
    Ok(DecodedPicture::of("PNG", (width, height), (used, channels, alpha)))
}

fn jpeg(bytes: &[u8]) -> Result<DecodedPicture, String> {
    use zune_jpeg::zune_core::bytestream::ZCursor;
    use zune_jpeg::zune_core::options::DecoderOptions;
    let options = DecoderOptions::new_safe()
        .set_max_width(MAX_SIDE as usize)
        .set_max_height(MAX_SIDE as usize)
        // Missing data must be an error instead of being made up.
        .set_strict_mode(true);
    let mut decoder = zune_jpeg::JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    let pixels = decoder.decode().map_err(|error| format!("{error:?}"))?;
    let info = decoder.info().ok_or("its header is missing")?;
    let (width, height) = (u32::from(info.width), u32::from(info.height));
    let area = (width as usize * height as usize).max(1);
    let channels = (pixels.len() / area).clamp(1, 4);
    Ok(DecodedPicture::of("JPEG", (width, height), (&pixels, channels, false)))
}

fn gif(bytes: &[u8]) -> Result<DecodedPicture, String> {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let limit = std::num::NonZeroU64::new(MEMORY as u64).ok_or("no memory")?;
    options.set_memory_limit(gif::MemoryLimit::Bytes(limit));
    let mut decoder = options.read_info(Cursor::new(bytes)).map_err(|error| error.to_string())?;
    let (width, height) = (u32::from(decoder.width()), u32::from(decoder.height()));
    if let Some(why) = too_large(width, height) {
        return Err(why);
    }
    let frame = decoder.read_next_frame().map_err(|error| error.to_string())?.ok_or("it has no frame")?;
    let partial = u32::from(frame.width) < width || u32::from(frame.height) < height;
    let clear = frame.buffer.chunks_exact(4).all(|pixel| pixel[3] == 0);
    let picture = DecodedPicture::of("GIF", (width, height), (&frame.buffer, 4, true));
    // A single-colour frame that does not cover the canvas shows a rectangle.
    let blank = picture.blank && (!partial || clear);
    Ok(DecodedPicture { blank, ..picture })
}

fn webp(bytes: &[u8]) -> Result<DecodedPicture, String> {
    let mut decoder = image_webp::WebPDecoder::new(Cursor::new(bytes)).map_err(|error| error.to_string())?;
    decoder.set_memory_limit(MEMORY);
    let (width, height) = decoder.dimensions();
    if let Some(why) = too_large(width, height) {
        return Err(why);
    }
    let size = decoder.output_buffer_size().ok_or("its size is not plausible")?;
    let mut pixels = vec![0; size];
    decoder.read_image(&mut pixels).map_err(|error| error.to_string())?;
    let alpha = decoder.has_alpha();
    let channels = if alpha { 4 } else { 3 };
    Ok(DecodedPicture::of("WebP", (width, height), (&pixels, channels, alpha)))
}

/// Returns whether all pixels are alike. Transparent pixels have no colour.
fn one_colour(pixels: &[u8], channels: usize, alpha: bool, tolerance: u8) -> bool {
    let clear = |pixel: &[u8]| alpha && pixel.last() == Some(&0);
    let mut rest = pixels.chunks_exact(channels);
    let Some(first) = rest.next() else { return true };
    rest.all(|pixel| {
        if clear(first) || clear(pixel) {
            return clear(first) && clear(pixel);
        }
        first.iter().zip(pixel).all(|(a, b)| a.abs_diff(*b) <= tolerance)
    })
}

#[cfg(test)]
mod tests {
    use super::super::pictures;
    use super::*;

    #[test]
    fn content_is_told_from_nothing() {
        for (bytes, blank) in [
            (pictures::png(8, |x, _| [x * 20, 0, 0, 255]), false),
            (pictures::png(8, |_, _| [9, 9, 9, 255]), true),
            // The colour of transparent pixels is ignored.
            (pictures::png(8, |x, y| [x, y, 0, 0]), true),
            (pictures::png(8, |x, _| [1, 1, 1, if x == 3 { 255 } else { 0 }]), false),
        ] {
            let picture = decode_picture(&bytes).expect("a picture").expect("a whole one");
            assert_eq!((picture.format, picture.width, picture.blank), ("PNG", 8, blank));
        }
        for (bytes, format) in
            [(pictures::gif(1), "GIF"), (pictures::JPEG.to_vec(), "JPEG"), (pictures::webp(|_| 90), "WebP")]
        {
            let picture = decode_picture(&bytes).expect("a picture").expect("a whole one");
            assert_eq!((picture.format, picture.blank), (format, true));
        }
        for bytes in [pictures::gif(2), pictures::STRIPES.to_vec(), pictures::webp(|x| x * 15)] {
            assert!(!decode_picture(&bytes).expect("a picture").expect("a whole one").blank);
        }
    }

    #[test]
    fn broken_pictures_are_said_to_be_broken() {
        let whole = pictures::png(64, |x, y| [x.wrapping_mul(y), y, x, 255]);
        for cut in [4, 20, 40, whole.len() / 2] {
            assert!(matches!(decode_picture(&whole[..cut]), Some(Err(_))), "cut at {cut}");
        }
        let whole = pictures::STRIPES;
        assert!(matches!(decode_picture(&whole[..whole.len() - 20]), Some(Err(_))));
        assert!(matches!(decode_picture(b"\xFF\xD8\xFF\xE0 no jpeg"), Some(Err(_))));
        assert!(matches!(decode_picture(b"GIF89a"), Some(Err(_))));
        assert!(matches!(decode_picture(b"RIFF\x10\0\0\0WEBPVP8 "), Some(Err(_))));
        assert_eq!(decode_picture(b"<html>"), None);
    }
}
