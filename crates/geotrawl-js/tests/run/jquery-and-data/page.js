jQuery(function ($) {
  var element = $("#map"), map = L.map("map");
  L.tileLayer(element.data("tiles"), { maxZoom: 19 }).addTo(map);
  $.getJSON(element.data("layers")).done(function (list) {
    $.each(list, function (at, one) {
      L.tileLayer.wms(one.url, $.extend({}, one.options, { transparent: true })).addTo(map);
    });
  });
});
