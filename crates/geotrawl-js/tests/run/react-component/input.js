const { useEffect, useRef } = React;
function MapView(props) {
  const place = useRef(null);
  useEffect(() => {
    const map = new maplibregl.Map({ container: place.current, style: props.style });
    map.once("load", () => {
      map.addSource("fields", { type: "raster", tiles: [`${props.server}/wms?bbox={bbox-epsg-3857}&layers=fields`], tileSize: 256 });
    });
  }, []);
  return React.createElement("div", { ref: place });
}
ReactDOM.createRoot(document.getElementById("root")).render(
  React.createElement(MapView, { server: "https://r.example.org", style: "https://r.example.org/styles/basic/style.json" }));
