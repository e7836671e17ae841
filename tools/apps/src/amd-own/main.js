requirejs(["./map/viewer"], function (viewer) { viewer.show("map"); });
