// Unrolls world data whose shapes were stitched across the antimeridian: a ring jumps from 180 to -180. For a flat map,
// the ring continues beyond 180 instead and is drawn a second time one world to the west, so that both sides are filled.

type Ring = number[][];

/** Returns the ring with continuous longitudes; closes a ring around a pole along the pole. */
export function unrollRing(ring: Ring): Ring {
  let turn = 0;
  let last = ring[0]?.[0] ?? 0;
  const laid = ring.map(([lon = 0, lat = 0]) => {
    if (lon - last > 180) turn -= 360;
    else if (last - lon > 180) turn += 360;
    last = lon;
    return [lon + turn, lat];
  });
  if (turn !== 0 && laid.length) {
    const pole = laid.reduce((sum, point) => sum + point[1]!, 0) < 0 ? -90 : 90;
    laid.push([laid.at(-1)![0]!, pole], [laid[0]![0]!, pole], laid[0]!);
  }
  return laid;
}

const shifted = (polygon: Ring[], by: number) => polygon.map((ring) => ring.map(([lon = 0, lat = 0]) => [lon + by, lat]));

/** Unrolls polygons for a flat map. */
export function unrollPolygons(polygons: Ring[][]): Ring[][] {
  return polygons.flatMap((polygon) => {
    const laid = polygon.map(unrollRing);
    const lons = (laid[0] ?? []).map((point) => point[0]!);
    const most = Math.max(...lons);
    const least = Math.min(...lons);
    return most > 180.001 ? [laid, shifted(laid, -360)] : least < -180.001 ? [laid, shifted(laid, 360)] : [laid];
  });
}

/** Splits lines where they jump across the antimeridian. */
export function cutAtAntimeridian(lines: Ring[]): Ring[] {
  return lines.flatMap((line) => {
    const cut: Ring[] = [[]];
    line.forEach((point, at) => {
      if (at && Math.abs(point[0]! - line[at - 1]![0]!) > 180) cut.push([]);
      cut.at(-1)!.push(point);
    });
    return cut.filter((one) => one.length > 1);
  });
}
