function initMap() {
  var map = new google.maps.Map(document.getElementById("map"), { center: { lat: 50, lng: 8 }, zoom: 11 });
  [[50, 8], [50.1, 8.2], [50.05, 8.4]].map(function (p) { return new google.maps.Marker({ map: map, position: { lat: p[0], lng: p[1] } }); });
}
