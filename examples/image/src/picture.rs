//! Converts PNG files to planes of bytes and back.
use png::{BitDepth, ColorType, Decoder, Encoder, Transformations};
use std::fmt::Display;
use std::io::Cursor;
use std::path::Path;
use systolic::ndarray::{Array3, ArrayView3, s};

/// Larger pictures are rejected: a small file can claim any size.
const LARGEST: usize = 1 << 30;

/// A picture with 8 bits per value: planes of colour, and an opacity plane if there is one.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    planes: Array3<u8>,
    kind: ColorType,
}

impl Picture {
    pub fn read(path: &Path) -> Result<Picture, String> {
        let bytes = std::fs::read(path).map_err(|why| about(path, why))?;
        Picture::decode(&bytes).map_err(|why| about(path, why))
    }

    pub fn write(&self, path: &Path) -> Result<(), String> {
        let bytes = self.encode().map_err(|why| about(path, why))?;
        std::fs::write(path, bytes).map_err(|why| about(path, why))
    }

    /// Decodes a file of any kind: palettes are resolved and values converted to 8 bits. Of several frames the first is
    /// used.
    pub fn decode(bytes: &[u8]) -> Result<Picture, String> {
        let mut decoder = Decoder::new(Cursor::new(bytes));
        decoder.set_transformations(Transformations::normalize_to_color8());
        let mut reader = decoder.read_info().map_err(unreadable)?;
        let length = reader.output_buffer_size().filter(|length| *length <= LARGEST);
        let mut pixels = vec![0; length.ok_or("a picture of more than 1 GiB")?];
        let frame = reader.next_frame(&mut pixels).map_err(unreadable)?;
        let shape = (frame.height as usize, frame.width as usize, frame.color_type.samples());
        let pixels = Array3::from_shape_vec(shape, pixels).map_err(unreadable)?;
        let planes = pixels.permuted_axes([2, 0, 1]).as_standard_layout().into_owned();
        Ok(Picture { planes, kind: frame.color_type })
    }

    pub fn encode(&self) -> Result<Vec<u8>, String> {
        let (_, rows, columns) = self.planes.dim();
        let side = |length: usize| u32::try_from(length).map_err(unwritable);
        let mut bytes = Vec::new();
        let mut encoder = Encoder::new(&mut bytes, side(columns)?, side(rows)?);
        encoder.set_color(self.kind);
        encoder.set_depth(BitDepth::Eight);
        let pixels: Vec<u8> = self.planes.view().permuted_axes([1, 2, 0]).iter().copied().collect();
        let mut writer = encoder.write_header().map_err(unwritable)?;
        writer.write_image_data(&pixels).map_err(unwritable)?;
        writer.finish().map_err(unwritable)?;
        Ok(bytes)
    }

    /// The colour planes.
    pub fn colours(&self) -> ArrayView3<'_, u8> {
        self.planes.slice(s![..self.number_of_colours(), .., ..])
    }

    /// The same picture with other colours. Their number must be the same.
    pub fn with_colours(mut self, colours: &Array3<u8>) -> Picture {
        let number = self.number_of_colours();
        self.planes.slice_mut(s![..number, .., ..]).assign(colours);
        self
    }

    fn number_of_colours(&self) -> usize {
        let has_opacity = matches!(self.kind, ColorType::GrayscaleAlpha | ColorType::Rgba);
        self.planes.dim().0 - usize::from(has_opacity)
    }
}

fn about(path: &Path, why: impl Display) -> String {
    format!("{}: {why}", path.display())
}

fn unreadable(why: impl Display) -> String {
    format!("not a PNG that can be read: {why}")
}

fn unwritable(why: impl Display) -> String {
    format!("cannot be written as PNG: {why}")
}
