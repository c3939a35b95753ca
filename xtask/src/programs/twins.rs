//! Programs at the sizes at which they are timed, and their twins: the same programs as others wrote them for another
//! compiler, built with the same macros.

use super::build::{self, Build};
use super::manifest::{Collection, Mend, Peer, Program, Special, Timing};
use super::time::Clock;
use crate::bench::results::Time;
use crate::bench::{Built, built, compiler};
use crate::options::Options;
use crate::test::DEVICES;
use anyhow::Result;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// How a program is compared with its twins.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Beside {
    /// How ours and theirs say how long they took.
    pub clock: Clock,
    pub sizes: Vec<Sized>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Sized {
    /// "large"
    pub name: String,
    /// "2000x2000"
    pub values: String,
    /// What ours and the twins are run with.
    pub args: Vec<String>,
    pub ours: String,
    pub twins: Vec<Twin>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Twin {
    pub peer: String,
    pub title: String,
    pub device: String,
    pub time: Time,
    pub carries: Vec<String>,
    pub env: BTreeMap<String, String>,
    pub executable: String,
    pub built: Built,
    pub compiler: String,
    /// Its words, without those that say where the executable goes; it runs in the folder.
    pub words: Vec<String>,
    pub folder: String,
    pub mends: Vec<Mend>,
    pub note: Option<String>,
}

/// The peers for the devices that are wanted: of those of this machine, but where programs are packed for another.
pub fn peers<'c>(collection: &'c Collection, options: &Options) -> Vec<&'c Peer> {
    let there = |device: &str| options.prepare.is_some() || options.time && DEVICES.contains(&device);
    let wanted = |peer: &&Peer| options.wants_device(&peer.device) && there(&peer.device);
    collection.peers.iter().filter(wanted).collect()
}

/// Copies the sources of a peer's programs, and mends those that are wanted.
pub fn sources(collection: &Collection, peer: &Peer, programs: &[&Program], base: &Path) -> Result<()> {
    let to = base.join(folder(collection, peer));
    build::copy(&collection.root.join(&peer.folder), &to, &to)?;
    for program in programs.iter().filter(|program| exists(collection, peer, program)) {
        build::mend(&to.join(&program.path), peer.mends.iter().chain(&special(program, peer).mends))?;
    }
    Ok(())
}

fn folder(collection: &Collection, peer: &Peer) -> String {
    format!("{}/{}.sources", collection.name, peer.name)
}

fn special(program: &Program, peer: &Peer) -> Special {
    program.twins.get(&peer.name).cloned().unwrap_or_default()
}

/// A word of the peer with its placeholders filled.
fn fill(word: &str, program: &Program, special: &Special) -> String {
    let name = special.name.clone().unwrap_or_else(|| program.name());
    word.replace("{name}", &name).replace("{path}", &program.path)
}

fn exists(collection: &Collection, peer: &Peer, program: &Program) -> bool {
    let special = special(program, peer);
    let file = peer.sources.first().map(|word| fill(word, program, &special));
    let there = file.is_some_and(|file| collection.root.join(&peer.folder).join(file).is_file());
    there && special.missing.is_none()
}

/// Why a program has no twin of a peer, where the manifest says so: the peer's device, and a line.
pub fn missing(collection: &Collection, program: &Program) -> Vec<(String, String)> {
    let line = |peer: &Peer| {
        let why = special(program, peer).missing?;
        let line = format!("{}/{}, {}: no twin: {why}", collection.name, program.name(), peer.name);
        Some((peer.device.clone(), line))
    };
    collection.peers.iter().filter_map(line).collect()
}

/// The sizes at which a program is compared, with its twins; none where it has no twin.
fn sized(build: &Build<'_>, time: &Timing) -> Vec<Sized> {
    let options = build.options;
    let wanted = time.sizes.iter().filter(|size| options.size.as_ref().is_none_or(|s| s == *size));
    let size = |size: &String| {
        let macros = build.program.sizes.get(size)?;
        let values: Vec<&str> =
            macros.split_whitespace().filter_map(|m| Some(m.split_once('=')?.1)).collect();
        let mut peers = peers(build.collection, options);
        peers.retain(|peer| exists(build.collection, peer, build.program));
        let twins: Vec<Twin> = peers.iter().map(|peer| twin(build, time, peer, size, macros)).collect();
        (!twins.is_empty()).then(|| Sized {
            name: size.clone(),
            values: values.join("x"),
            args: time.args.clone(),
            ours: build.executable(&format!("{size}.accl")),
            twins,
        })
    };
    wanted.filter_map(size).collect()
}

fn twin(build: &Build<'_>, time: &Timing, peer: &Peer, size: &str, macros: &str) -> Twin {
    let special = special(build.program, peer);
    let flags = flags(time, macros);
    let words = peer.flags.iter().chain(&flags).chain(&peer.sources);
    let mut words: Vec<String> = words.map(|word| fill(word, build.program, &special)).collect();
    words.extend(peer.libraries.iter().map(|library| format!("-l{library}")));
    Twin {
        peer: peer.name.clone(),
        title: peer.title.clone(),
        device: peer.device.clone(),
        time: peer.time,
        carries: peer.carries.clone(),
        env: peer.env.clone(),
        executable: build.executable(&format!("{size}.{}", peer.name)),
        built: peer.built,
        compiler: peer.compiler.clone(),
        words,
        folder: folder(build.collection, peer),
        mends: special.mends,
        note: special.note,
    }
}

/// What ours and theirs are both compiled with.
fn flags(time: &Timing, macros: &str) -> Vec<String> {
    let sizes = macros.split_whitespace().map(|word| format!("-D{word}"));
    time.flags.iter().cloned().chain(sizes).collect()
}

/// Builds ours and the twins that are built on this machine.
pub fn build(build: &Build<'_>, time: &Timing) -> Result<(), String> {
    for sized in sized(build, time) {
        let macros = build.program.sizes.get(&sized.name).map_or("", String::as_str);
        build.ours(&flags(time, macros), &sized.ours)?;
        let here = |twin: &&Twin| twin.built == Built::Here || build.options.prepare.is_none();
        for twin in sized.twins.iter().filter(here) {
            twin.build(build.base).map_err(|e| format!("{}: {e:#}", twin.title))?;
        }
    }
    Ok(())
}

/// What there is to run.
pub fn beside(build: &Build<'_>, time: &Timing) -> Option<Beside> {
    let mut sizes = sized(build, time);
    sizes.retain(|size| build.base.join(&size.ours).is_file());
    (!sizes.is_empty()).then(|| Beside { clock: Clock::of(time), sizes })
}

impl Beside {
    pub fn twins(&self) -> impl Iterator<Item = &Twin> {
        self.sizes.iter().flat_map(|size| &size.twins)
    }

    /// Those that were built on this machine for another.
    pub fn executables(&self) -> impl Iterator<Item = String> {
        let built = |twin: &&Twin| twin.built == Built::Here;
        self.sizes.iter().flat_map(move |size| {
            let twins = size.twins.iter().filter(built).map(|twin| twin.executable.clone());
            std::iter::once(size.ours.clone()).chain(twins)
        })
    }
}

impl Twin {
    pub fn build(&self, base: &Path) -> Result<()> {
        let mut command = compiler(&self.compiler)?;
        command.args(&self.words).arg("-o").arg(base.join(&self.executable));
        built(command.current_dir(base.join(&self.folder)))
    }

    /// "gcc -O3, built on the machine that measures"
    pub fn how(&self) -> String {
        let options =
            self.words.iter().filter(|w| w.starts_with('-') && !w.starts_with("-D") && !w.starts_with("-I"));
        let options: Vec<&str> = options.map(String::as_str).collect();
        let machine = if self.built == Built::Here { "packs" } else { "measures" };
        format!("{} {}, built on the machine that {machine}", self.compiler, options.join(" "))
    }
}
