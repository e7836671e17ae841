//! Hostile code, and input that is not code.

use super::{app, folded, shows};
use proptest::prelude::*;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

#[track_caller]
fn ends(code: &str) {
    let began = Instant::now();
    let folded = folded(&app(code));
    assert!(folded.events.len() <= 20_010);
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
}

#[test]
fn deep_nesting_ends() {
    for one in [
        "[",
        "(",
        "{a:",
        "!",
        "a=>",
        "if(a)",
        "a?b:",
        "`${",
        "f(",
        "if(a){}else ",
        "new ",
        "a=",
        "1+",
        "x.",
        "-",
        "async()=>",
        "(a=",
        "({a:",
        "[a]=[",
        "(a)=>(",
        "((a,b)=>",
        "class{a=",
        "function(){",
        "do ",
        "a:",
        "<a>",
        "f`${",
        "...",
        "/(/+",
    ] {
        ends(&one.repeat(200_000));
        ends(&format!("x={}", one.repeat(2_500)));
        let mut closed = one.repeat(1_000);
        closed.push('1');
        for letter in one.chars().rev() {
            let close = match letter {
                '(' => ')',
                '[' => ']',
                '{' => '}',
                '`' => '`',
                _ => continue,
            };
            closed.push_str(&close.to_string().repeat(1_000));
        }
        ends(&closed);
    }
}

#[test]
fn values_that_grow_are_cut() {
    shows("var a = 'x'; a = a + a; show(a)", "'x'");
    let mut code = String::from("var a0='https://a.example/wms?'+'0123456789';");
    for number in 1..200 {
        write!(code, "var a{number}=a{0}+a{0};", number - 1).unwrap();
    }
    ends(&format!("{code}show(a199)"));
    let mut code = String::from("var a0={url:'https://a.example/wms'};");
    for number in 1..200 {
        write!(code, "var a{number}={{url:'x',p:a{0},q:a{0},r:[a{0},a{0}]}};", number - 1).unwrap();
    }
    ends(&format!("{code}show(a199)"));
    ends("var o={url:'https://a.example/wms'};o.self=o;o.list=[o,o];show(o)");
    ends("function f(n){return f(n-1)+f(n-2)+'https://a.example/wms'}show(f(9))");
    let mut code = String::from("function f0(x){return x+'https://a.example/wms'}");
    for number in 1..60 {
        write!(code, "function f{number}(x){{return f{0}(x+'a')+f{0}(x+'b')}}", number - 1).unwrap();
    }
    ends(&format!("{code}show(f59('q'))"));
}

#[test]
fn large_tables_end() {
    ends(&format!("var a=[{}];show(a)", "'https://a.example/wms',".repeat(100_000)));
    let mut code = String::from("var a={");
    for number in 0..50_000 {
        write!(code, "k{number}:{{url:'https://a.example/{number}/wms'}},").unwrap();
    }
    ends(&format!("{code}}};show(a)"));
    ends(&"f(a,'https://a.example/wms');".repeat(50_000));
    ends(&format!("var a='x'{};show(a)", "+'y'".repeat(15_000)));
    ends(&format!("{}show(a)", "var a='https://a.example/wms';a.b='c';".repeat(30_000)));
    ends(&format!("function f(u){{show(u)}}{}", "f('https://a.example/wms');".repeat(30_000)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn token_soup_never_panics(tokens in prop::collection::vec(prop::sample::select(TOKENS), 0..60)) {
        folded(&app(&tokens.join(" ")));
    }

    #[test]
    fn any_text_never_panics(text in ".{0,200}") {
        folded(&app(&text));
    }
}

const TOKENS: &[&str] = &[
    "var",
    "let",
    "const",
    "a",
    "b",
    "c",
    "=",
    "+",
    "+=",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ",",
    ";",
    ":",
    "=>",
    "function",
    "return",
    "'https://a.example/wms'",
    "'x'",
    "`${a}/wms`",
    "url",
    ".",
    "..",
    "...",
    "?",
    "||",
    "??",
    "new",
    "class",
    "extends",
    "this",
    "window",
    "import",
    "export",
    "default",
    "from",
    "'./a.js'",
    "for",
    "of",
    "in",
    "if",
    "else",
    "1",
    "show",
    "(a)",
    ".map(",
    ".then(",
    ".replace(",
    "fetch(",
    "async",
    "await",
    "define(",
    "require(",
    "/x/g",
    "!",
    "\\",
    "L.tileLayer.wms(",
    "Object.assign(",
    "location.host",
    "get",
    "static",
    "#p",
    "enum",
    "<a b={c}/>",
    "as",
    "//",
    "/*",
];
