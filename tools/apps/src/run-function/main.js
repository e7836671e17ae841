(function () {
  var unpack = function (text, words) { return text.replace(/\$(\d+)/g, function (_, n) { return words[n]; }); };
  eval(unpack('var $0=$1.$0("$0").$2([50,10],8);$1.$3.$4("$5://$6.$7.$8/$9/$11/$6",{$12:"$11"}).$13($0);', "map|L|setView|tileLayer|wms|http|wms|__ID__|example|geoserver|10|packed|layers|addTo".split("|")));
  var make = new Function("host", "path", "return ['http:', '', host + '.__ID__.example', path].join('/')");
  var node = document.createElement("div");
  node.style.cssText = "width:300px;height:300px";
  document.body.appendChild(node);
  L.tileLayer.wms(make("made", "ows/made"), { layers: "made" }).addTo(L.map(node).setView([50, 10], 7));
})();
