//! The standard of C++ where the user names none.
//!
//! Compilers differ in it: g++ from 11 on, clang from 16 on and nvc++ take C++17, older ones C++14. Clang reads a program here whichever
//! compiler makes its host code, so both are told the same one: the later, in which what is written for the earlier has its meaning too.
//! What C++17 has removed from the language, and other compilers only warn of, stays allowed.

use super::{Class, Invocation, Item};

impl Invocation {
    pub fn name_standard(&mut self) {
        let named =
            self.has_option(|word| word.starts_with("-std=") || word.starts_with("--std") || word == "-ansi");
        let mut sources = self.items.iter().filter_map(|item| match item {
            Item::Source { language, .. } => Some(language.is_cxx()),
            Item::Object(_) | Item::Option { .. } => None,
        });
        // C files on the same command line would not take the option.
        let all_cxx = sources.next() == Some(true) && sources.all(|is_cxx| is_cxx);
        if named || !all_cxx {
            return;
        }
        for word in ["-std=gnu++17", "-Wno-register", "-Wno-dynamic-exception-spec"].into_iter().rev() {
            self.items.insert(0, Item::Option { words: vec![word.to_owned()], class: Class::Compile });
        }
    }
}
