const servers = { production: "http://wms.__ID__.example" };
exports.names = ["active", "closed"];
exports.endpoint = function (name) { return servers[process.env.NODE_ENV] + "/wms/" + name; };
