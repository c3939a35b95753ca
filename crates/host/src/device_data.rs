//! The C file that carries a translation unit's device code and registers it before `main`.

use crate::abi_text;
use crate::data::string;

/// A compiled binary for one architecture.
#[derive(Clone, Copy, Debug)]
pub struct DeviceImage<'a> {
    /// "sm_90"
    pub arch: &'a str,
    pub bytes: &'a [u8],
}

/// What there is of device code.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeviceData<'a> {
    pub cuda: Option<&'a str>,
    pub opencl: Option<&'a str>,
    pub images: &'a [DeviceImage<'a>],
}

/// The file's text, C99 without includes. `file` is the user's source, `unit_id` as for [`crate::rewrite`].
pub fn device_data_c(file: &str, unit_id: &str, data: &DeviceData) -> String {
    let mut text = abi_text::declarations(false);
    let cuda = source(&mut text, "accl_cuda", data.cuda);
    let opencl = source(&mut text, "accl_opencl", data.opencl);
    let images = images(&mut text, data.images);
    text.push_str(&format!(
        "extern const accl_module accl_module_{unit_id};\n\
         __attribute__((visibility(\"hidden\"))) const accl_module accl_module_{unit_id} =\n    \
         {{{}, {}, {}, {cuda}, {opencl}, {images}}};\n\
         __attribute__((constructor)) static void accl_register_unit(void)\n{{\n    \
         accl_register(&accl_module_{unit_id});\n}}\n",
        accl_abi::ABI_VERSION,
        data.images.len(),
        string(file),
    ));
    text
}

fn source(text: &mut String, name: &str, source: Option<&str>) -> String {
    let Some(source) = source else { return "0".into() };
    text.push_str(&format!("static const char {name}[] =\n"));
    for line in source.split_inclusive('\n') {
        text.push_str(&format!("    {}\n", string(line)));
    }
    text.push_str("    \"\";\n");
    name.into()
}

fn images(text: &mut String, images: &[DeviceImage]) -> String {
    if images.is_empty() {
        return "0".into();
    }
    let mut rows = Vec::new();
    for (at, image) in images.iter().enumerate() {
        text.push_str(&format!("static const char accl_image_{at}[] __attribute__((aligned(16))) =\n"));
        for chunk in image.bytes.chunks(32) {
            let bytes: String = chunk.iter().map(|b| format!("\\{b:03o}")).collect();
            text.push_str(&format!("    \"{bytes}\"\n"));
        }
        text.push_str("    \"\";\n");
        rows.push(format!("{{{}, accl_image_{at}, {}}}", string(image.arch), image.bytes.len()));
    }
    text.push_str(&format!("static const accl_image accl_images[] = {{{}}};\n", rows.join(", ")));
    "accl_images".into()
}
