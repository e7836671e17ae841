$(function () {
  var sitemap = [["Home", "/"], ["Alps by bike", "/alps"], ["Layers of clothing", "/layers"]];
  $("#map").html($.map(sitemap, function (entry) { return $("<p>").text(entry[0]).attr("data-url", entry[1]); }));
  var tiles = $("#map p").addClass("tile");
  tiles.on("click", function () { location.hash = $(this).data("url"); });
});
