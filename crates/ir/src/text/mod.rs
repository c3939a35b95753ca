//! The text form of the IR: readable, compact, and enough to read the module back.
//!
//! It looks like C with the types written first and suffixes read from left to right. What can be
//! inferred is left out: where a value is expected, a place is read (`x[i]` is `Load(Index(Load x, Load
//! i))`) and an array place decays; where the type of an expression is not its natural one (see
//! [`natural_type`](crate::natural_type)), it is written `(e : type)`. Spans are not part of the text, nor
//! are expressions and locals that nothing mentions.
//!
//! Names of locals are unique in a body. A name that is also a keyword of C or a type's stands in
//! backquotes. The order of items is free.
//!
//! # Grammar
//!
//! `?` marks an optional part, `*` a repeated one, `,*` a list with commas. Comments run from `//` to the
//! end of the line.
//!
//! ```text
//! module    = ('file' str)? (struct | global | fn | kernel)*
//! struct    = 'struct' name '{' (type name '@' offset ('unnamed' | 'protected' | 'private')? ';')* '}' 'size' n 'align' n
//! global    = 'global' 'const'? decl ('=' number)? linkage? ';'
//! fn        = 'fn' name str? '(' param,* ')' '->' type ('routine' level)? linkage?
//!             ('regions' | 'no_regions')? ('{' body '}' | ';')
//!             name: the symbol; str: the source's name, if another; regions: `has_regions`, where
//!             the body's directives do not tell
//! linkage   = 'link_name' str                        what the linker calls it, where other units can name it
//! param     = kind? decl ('elements' '(' e ')')?     kind: param auto this temp
//!             elements: how many it points to, where it was declared as an array
//! decl      = type name ('[' extent ']')*            extent: nothing, a number, or an expression (VLA)
//! type      = base (('const'? space? '*' 'restrict'?) | '[' extent ']')*
//! base      = void bool i8…i64 u8…u64 f32 f64 | 'struct' name | 'opaque' str
//!             space: global shared constant
//! body      = ('local' kind? decl ';')* stmt*        locals that no statement declares first
//! stmt      = kind? decl ('=' e)? ';'                Declare, first mention of the local
//!           | 'declare' name ('=' e)? ';'            Declare, of a local mentioned before
//!           | e '=' e ';' | e op'=' e ';'            Store
//!           | 'call' (e '=')? name '(' e,* ')' ';'   Call
//!           | 'if' '(' e ')' block ('else' (if | block))?
//!           | 'for' '(' header ')' levels? loopdir? block
//!           | 'while' '(' e? ')' block ('step' block)?
//!           | 'do' block ('step' block)? 'while' '(' e? ')' ';'
//!           | 'switch' '(' e ')' '{' ('case' (n | 'default'),* block)* '}'
//!           | 'break;' | 'continue;' | 'return' e? ';' | block | 'host;'
//!           | 'atomic' 'reverse'? e (op'=' | mathfn '=' | '=') e capture? ';' | 'atomic read' e capture? ';'
//!           | 'region' regionkind 'loop'? clause* block
//!           | 'directive' name clause* ';'
//!           | 'barrier' scope ';'                    scope: block warp
//!           | 'reduce' scope '(' rop ':' name ')' ';'
//!           | 'reduce grid' '(' rop ':' name ')' 'param' n ';'
//!           | 'vload' n name '=' e ';' | 'vstore' n e '=' name ';'
//! header    = (decl | 'declare'? name) '=' e ';' name cmp e ';' name '+=' e
//! levels    = '@[' (gang | worker | vector | seq | 'dim' n),* ']'
//! loopdir   = 'loop[' ((gang | worker | vector) ('(' host ')')? | seq | auto | independent
//!           | 'collapse' n | 'part' n | 'tile(' host,* ')' | 'private(' name,* ')' | reduction),* ']'
//! clause    = 'if(' host ')' | 'self' ('(' host ')')? | if_present | 'async' ('(' host ')')?
//!           | 'wait' ('(' ('devnum(' host ')' ':')? host,* ')')? | 'num_gangs(' host ')' | 'num_workers(' host ')'
//!           | 'vector_length(' host ')' | 'default(' none|present ')' | 'data[' item,* ']'
//!           | 'private(' name,* ')' | 'firstprivate(' name,* ')' | reduction | 'kernels(' name,* ')'
//!           | finalize | 'device_type' str | 'device_num(' host ')' | 'default_async(' host ')'
//! item      = datakind var ('[' host? ':' host? ']')* implicit? zero? readonly? always_in? always_out? private? address? indirect?
//!             must_be_present? finalize? keeps_address? resident? object? followed? followed_written? rows_read? one_place?
//!             ('as' str)? ('base' str)? (':' type)?  var: name | @name | '(' e ')'
//! host      = str ('=' n)? | n                       host text, and its value where it is constant
//! reduction = 'reduction(' rop ':' name,* ')'        rop: + * max min & | ^ && ||
//! capture   = 'capture' ('before' | 'after') e
//! e         = C's operators, with C's precedence, over: 5 5i64 1.5 1.5f32 true inf nan (5 : type),
//!             name, @global, $threadIdx.x …, $begin $end $total, *e, e[e], e.f, e->f, &e, (type)e,
//!             c ? a : b, mathfn(e,*), call name(e,*), (e : type)
//!             rarely: load(e) decay(e) explicit; place(e) value(e) keep e as it is
//! kernel    = 'kernel' name 'of' name str ('in' str)? serial? gangs? num_gangs… '{'
//!               ('param' kind? decl '=' 'data' n var read? written? ';'
//!               |'param' decl '=' 'value' host (':' type)? ';'
//!               |'param' decl '=' 'reduction(' rop ')' host ';')*
//!               ('dim' rule '(' e ';' cmp e ';' '+=' e ')' str ';')*
//!               'body' kbody
//!               ('variant' name string? 'block(' n,n,n ')' 'per_thread(' n,n,n ')' flag* kbody)*
//!               ('cpu' kbody)? '}'                   flag: a requirement (accl_abi::REQUIREMENTS), vector_x, workers_y, restrict, unroll(n), aggregated(n)
//! kbody     = '{' ('param' n kind? decl ';')* ('shared' kind? decl ';')* body '}'
//! ```

mod lex;
mod parse;
pub mod print;
pub(crate) mod words;

pub use parse::ParseError;
