requirejs(["./map/viewer.js"], function (viewer) { viewer.show("map"); });
