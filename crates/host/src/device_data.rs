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

/// Device code as source.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sources<'a> {
    pub cuda: Option<&'a str>,
    pub opencl: Option<&'a str>,
}

/// The device code that exists.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeviceData<'a> {
    pub sources: Sources<'a>,
    pub images: &'a [DeviceImage<'a>],
    /// The kernels that count in 64 bits.
    pub index64: Option<Sources<'a>>,
}

/// The file's text, C99 without includes. `file` is the user's source, `unit_id` as for [`crate::rewrite`].
pub fn device_data_c(file: &str, unit_id: &str, data: &DeviceData) -> String {
    let mut text = abi_text::declarations(false);
    let own = Module { suffix: "", sources: data.sources, images: data.images };
    let index64 = data.index64.map(|sources| Module { suffix: crate::tables::INDEX64, sources, images: &[] });
    let modules: Vec<Module> = [own].into_iter().chain(index64).collect();
    for module in &modules {
        module.define(&mut text, file, unit_id);
    }
    text.push_str("__attribute__((constructor)) static void accl_register_unit(void)\n{\n");
    for module in &modules {
        text.push_str(&format!("    accl_register(&accl_module_{unit_id}{});\n", module.suffix));
    }
    text.push_str("}\n");
    text
}

struct Module<'a> {
    suffix: &'static str,
    sources: Sources<'a>,
    images: &'a [DeviceImage<'a>],
}

impl Module<'_> {
    fn define(&self, text: &mut String, file: &str, unit_id: &str) {
        let name = |stem: &str| format!("{stem}{}", self.suffix);
        let cuda = source(text, &name("accl_cuda"), self.sources.cuda);
        let opencl = source(text, &name("accl_opencl"), self.sources.opencl);
        let images = images(text, self.images);
        let symbol = name(&format!("accl_module_{unit_id}"));
        text.push_str(&format!(
            "extern const accl_module {symbol};\n\
             __attribute__((visibility(\"hidden\"))) const accl_module {symbol} =\n    \
             {{{}, {}, {}, {cuda}, {opencl}, {images}}};\n",
            accl_abi::ABI_VERSION,
            self.images.len(),
            string(file),
        ));
    }
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
