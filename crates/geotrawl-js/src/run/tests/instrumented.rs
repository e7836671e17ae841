//! Instrumented code must remain a valid program with the same results.

use super::*;
use crate::run::instrument::prepare_script;

#[track_caller]
fn instrumented(source: &str, module: bool) -> String {
    let first = prepare_script(source, 0, module, &|_| false).source;
    let first = first.unwrap_or_else(|| panic!("{source} does not parse"));
    assert!(prepare_script(&first, 0, module, &|_| false).source.is_some(), "{source} became {first}");
    first
}

#[test]
fn code_without_spaces_stays_code() {
    for source in [
        "if(a)b();else(c||d)&&e();",
        "function f(){return{url:1}}",
        "do(a)();while(b)",
        "if(a)b(),c(),d();else e(),f()",
        "for(var i=0,n=a();i<n;i++)b(i),c(i);",
        "var a=b(),c,d=e(),f=function(){return{tiles:[]}};g()",
        "var a=b()\nvar c=d()\nc()",
        "x=>({url:x});(y)=>{z()}",
        "class A extends B{constructor(){super({url:1}),this.a()}static{c()}#p=1;get q(){return{url:this.#p}}}",
        "function*g(){yield{url:1};yield*h()}async function k(){await l();for await(const m of n)o()}",
        "switch(a){case 1:b();break;default:c(),d()}",
        "l:for(;;){try{a(),b()}catch{c()}finally{d()}break l}",
        "'use strict';a();function s(){'use strict';b()}",
        "new a.b.C({url:`${x}`,layers:[]},...y);new Z;new(q())(1)",
        "a?.b?.({url:1});a.b`x${{url:1}}`;delete a.b,void c()",
        "({url:a,...b}=c);[{url:d}]=e;var{url:f,g={url:1}}=h",
        "(0,r.tileLayer)(u,{layers:1});(function(){i()})(),!function(){j()}()",
        "import('./a.js').then(b);a=async()=>await import(`./${c}.js`)",
        "if(a)function f(){}\nvar f=f||g();",
        "<!-- html\na()\n--> more",
        "var ö='ü',ß={url:'https://ä.example/日本'};ß()",
    ] {
        instrumented(source, false);
    }
    for source in [
        "import*as L from'leaflet';import a,*as b from'x';import{c as d}from'y';L.map(),b()",
        "export default{url:1};export const e=f();export{g}from'z';export*from'w';var g2=h()",
        "await a();const{b}=await import('./c.js');export{b}",
    ] {
        instrumented(source, true);
    }
}

#[test]
fn results_stay_what_they_were() {
    // Each would produce a wrong URL if the order of evaluation or a value changed.
    let sources = [
        "var n=0,u=['a','b','c'];function k(){return u[n++]}var o={url:k(),layers:k(),z:k()};L.tileLayer('https://x.example/'+o.url+o.layers+o.z);",
        "var u='';for(var i=0;i<3;i++)u+='abc'[i],u+='';L.tileLayer('https://x.example/'+u);",
        "var u=function(){return{url:'abc'}}().url;L.tileLayer('https://x.example/'+u);",
        "function f(){'use strict';return this===undefined?'abc':'no'}L.tileLayer('https://x.example/'+f());",
        "var u='no';try{null.x();u='worse'}catch(e){u='abc'}L.tileLayer('https://x.example/'+u);",
        "var a=1;var a;var u=a===1?'abc':'no';L.tileLayer('https://x.example/'+u);",
        "class A{constructor(o){this.u=o.url}}class B extends A{constructor(u){super({url:u})}}L.tileLayer('https://x.example/'+new B('abc').u);",
        "var f=function(){};var u=f.name==='f'?'abc':'no';L.tileLayer('https://x.example/'+u);",
    ];
    for source in sources {
        assert_runs(source, "L.tileLayer", "https://x.example/abc");
    }
}

#[test]
fn names_that_scripts_use_are_told() {
    let prepared = prepare_script(
        "var a = L.map(b); function f(c){ return c + typeof d + e; } g = 1; window.h = 2;",
        0,
        false,
        &|_| false,
    );
    let free: Vec<&str> = prepared.free.iter().map(String::as_str).collect();
    assert_eq!(free, ["L", "b", "e", "window"]);
    for name in ["a", "f", "g", "h"] {
        assert!(prepared.declared.contains(name), "{name}");
    }
    assert_eq!(prepared.functions, ["f"]);
}

#[test]
fn universal_modules_do_not_turn_on_amd() {
    let universal = "(function(r,f){typeof define==='function'&&define.amd?define(['exports'],f):f(r)})(this,function(){});";
    assert!(!prepare_script(universal, 0, false, &|_| false).amd);
    assert!(prepare_script("require(['a'], function(a){});", 0, false, &|_| false).amd);
    assert!(prepare_script("define(['a'], function(a){});", 0, false, &|_| false).amd);
}
