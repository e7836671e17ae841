export default { title: "Travel blog", library: "none", techniques: ["no-map", "site-map", "image-map"], libs: ["jquery"], builds: ["terser"], mustNotFind: [] };
