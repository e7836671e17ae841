// Settings of the viewer; 'https://old.example/wms' is gone.
var MapApp = window.MapApp || {};
MapApp.hosts = { maps: '//maps.town.example', cache: ['//t1.town.example', '//t2.town.example'] };
MapApp.hosts.features = location.protocol + MapApp.hosts.maps + '/geoserver/wfs';
